"""Without an extra, or on a machine that lacks something: one line, or no difference at all."""

import json
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

EXTRAS = (
    "aiohttp", "uvloop", "msgspec", "prometheus_client", "asyncpg", "redis", "matplotlib",
    "openskill", "ray", "pyarrow", "pettingzoo", "gymnasium", "pyspiel", "torch",
)  # fmt: skip
# What Windows or macOS lacks.
NOT_EVERYWHERE = ("fcntl", "resource", "uvloop", "termios", "tty", "pty", "pwd", "grp", "readline")
FUNCTIONS = ("sched_getaffinity", "sched_setaffinity", "nice", "fork", "getuid")

HIDING = """
import os, sys
for name in {hidden!r}:
    sys.modules[name] = None
for name in {functions!r}:
    delattr(os, name)
"""
KIBITZ = "from kibitz.cli import main\nsys.exit(main(sys.argv[1:]))"


def without(hidden: tuple[str, ...], functions: tuple[str, ...] = ()) -> str:
    return HIDING.format(hidden=hidden, functions=functions)


def kibitz_without(*hidden: str, words: list[str]) -> subprocess.CompletedProcess[str]:
    """The command, where modules are missing."""
    command = [sys.executable, "-c", without(hidden) + KIBITZ, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


MISSING = (
    ("aiohttp", ["serve", "--port", "0"], "server"),
    ("msgspec", ["serve", "--port", "0"], "server"),
    ("prometheus_client", ["serve", "--port", "0"], "server"),
    ("msgspec", ["loadtest"], "server"),
    ("msgspec", ["verify", "match.json"], "server"),
    ("asyncpg", ["serve", "--port", "0", "--store", "postgresql://nowhere/x"], "many"),
    ("redis", ["serve", "--port", "0", "--bus", "redis://nowhere"], "many"),
    ("openskill", ["arena", "kolpa", "random", "random"], "lab"),
    ("matplotlib", ["calibrate", "kolpa", "--out", "plot.svg"], "lab"),
    ("matplotlib", ["report", "kolpa", "--out", "x.html"], "lab"),
    ("openskill", ["report", "kolpa", "--out", "x.html"], "lab"),
    ("torch", ["train", "kolpa", "--out", "x"], "train"),
    ("pyarrow", ["dataset", "kolpa", "--out", "x.parquet"], "data"),
    ("ray", ["arena", "kolpa", "random", "random", "--on", "ray"], "ray"),
)
ONE_BY_ONE = """
import json, os, sys
from kibitz.cli import main
cases = json.loads(sys.argv[1])
for hidden, words, _ in cases:
    out, error = os.pipe()
    if os.fork() == 0:  # so that nothing is imported for the next one
        sys.modules[hidden] = None
        os.dup2(error, 2)
        os._exit(main(words))
    os.close(error)
    with open(out) as told:
        lines = told.read().splitlines()
    print(json.dumps([os.waitstatus_to_exitcode(os.wait()[1]), lines]))
"""


def test_a_missing_extra_gets_one_line_that_says_how_to_get_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ONE_BY_ONE, json.dumps(MISSING)],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    for (hidden, words, extra), (code, lines) in zip(MISSING, answers, strict=True):
        assert code == 2, (hidden, words, lines)
        (line,) = lines
        assert line.startswith("kibitz: ")
        assert line.endswith(f"pip install 'kibitz[{extra}]'"), (hidden, words)


def test_missing_peers_get_one_line_that_says_how_to_get_them() -> None:
    done = kibitz_without("pyspiel", "rlcard", "pettingzoo", words=["bench", "--peers"])
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "pip install open_spiel rlcard pettingzoo" in line


def test_a_module_that_belongs_to_no_extra_is_no_matter_of_extras() -> None:
    done = kibitz_without("rich", words=["games"])
    assert "Traceback" in done.stderr
    assert "pip install" not in done.stderr


@pytest.mark.parametrize("words", [["games"], ["rules", "kolpa", "KOLPA-T1"], ["--version"]])
def test_the_base_package_does_without_extras(words: list[str]) -> None:
    done = kibitz_without(*EXTRAS, words=words)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_all_commands_for_the_terminal_do_without_extras() -> None:
    modules = ("play", "replay", "think", "review", "rulebook", "draw", "bench", "calibrate")
    imports = "".join(f"import kibitz.cli.{module}\n" for module in modules)
    done = subprocess.run(
        [sys.executable, "-c", without(EXTRAS) + imports],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_nothing_imports_what_some_machines_lack() -> None:
    """Every module of the package, as on Windows."""
    look = """
import pkgutil, kibitz
from importlib import import_module
found = [m.name for m in pkgutil.walk_packages(kibitz.__path__, "kibitz.")]
found = [name for name in found if not name.endswith("__main__") and ".tests" not in name]
for name in found:
    import_module(name)
print(len(found))
"""
    done = subprocess.run(
        [sys.executable, "-c", without(NOT_EVERYWHERE, FUNCTIONS) + look],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 100


def test_a_server_runs_where_all_that_is_missing(tmp_path: Path) -> None:
    words = ["serve", "--port", "0", "--store", str(tmp_path / "tables.db")]
    server = subprocess.Popen(
        [sys.executable, "-c", without(NOT_EVERYWHERE, FUNCTIONS) + KIBITZ, *words],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.stdout is not None
    try:
        ready = next(line for line in server.stdout if "http://" in line)
        address = re.findall(r"http://\S+", ready)[0]
        with urllib.request.urlopen(f"{address}health", timeout=20) as answer:
            assert json.load(answer)["ok"] is True
    finally:
        server.terminate()
        assert server.wait(20) == 0
        server.stdout.close()


def test_the_load_test_says_that_it_needs_linux() -> None:
    script = without((), ("sched_setaffinity",)) + KIBITZ
    done = subprocess.run(
        [sys.executable, "-c", script, "loadtest"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("kibitz: loadtest runs on Linux only")
