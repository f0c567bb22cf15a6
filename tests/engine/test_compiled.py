"""Compiled functions: who can call them, and how they are kept on disk."""

import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import kibitz
from kibitz.engine.machine import take
from kibitz.games import find


def test_a_rule_called_from_python_is_refused_and_does_not_crash() -> None:
    match = kibitz.new("kolpa", players=2, seed=1)
    with pytest.raises(TypeError, match="only compiled code can call begin_round"):
        find("kolpa").rules.begin_round(match.state[0])


def test_a_file_is_had_alone_until_it_is_closed(tmp_path: Path) -> None:
    file = tmp_path / "lock"
    with take(file, wait=False), pytest.raises(BlockingIOError):
        take(file, wait=False)
    take(file, wait=False).close()


COMPILING = """
import os, sys
os.environ["KIBITZ_CACHE"] = sys.argv[1]
from kibitz.engine import compiled
from kibitz.bots.levels import reseed_at
from kibitz.games import find
game = find("kolpa")
print(compiled.CACHE, flush=True)
sys.stdin.readline()
reseed_at(game.blank(2, game.settings(2, {})), 0, 1, 2)
print("compiled", flush=True)
"""


def compiling(cache: Path) -> subprocess.Popen[str]:
    """A process that says where it keeps what it compiles, and compiles when told to."""
    return subprocess.Popen(
        [sys.executable, "-c", COMPILING, str(cache)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_nothing_is_written_to_the_cache_while_another_process_writes(tmp_path: Path) -> None:
    """numba keeps one index for a function, with the code for all games."""
    process = compiling(tmp_path)
    assert process.stdin is not None
    assert process.stdout is not None
    impatience = threading.Timer(60, process.kill)
    impatience.start()
    try:
        cache = Path(process.stdout.readline().strip())
        with take(cache / "lock", wait=True):
            process.stdin.write("go\n")
            process.stdin.flush()
            time.sleep(3)  # to compile it takes half a second
            assert process.poll() is None
            assert not list(cache.rglob("*.nbi"))
        assert process.stdout.readline() == "compiled\n"
        assert list(cache.rglob("*reseed_at*.nbi"))
    finally:
        impatience.cancel()
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


def test_what_cannot_be_kept_is_used_all_the_same(tmp_path: Path) -> None:
    """Another version of Kibitz may have cleared the folder away."""
    process = compiling(tmp_path)
    assert process.stdin is not None
    assert process.stdout is not None
    shutil.rmtree(process.stdout.readline().strip())
    told, _ = process.communicate("\n", timeout=60)
    assert told == "compiled\n"
    assert process.returncode == 0


NAMING = """
import sys
import numba, numpy
for i in range(int(sys.argv[1])):
    numba.from_dtype(numpy.dtype([(f"another{i}", numpy.int8)]))
from kibitz.games import find
for name in sys.argv[2:]:
    print(name, numba.from_dtype(find(name).layout.dtype).mangling_args)
"""


def test_code_of_two_games_is_never_named_alike_whichever_process_compiled_it() -> None:
    """Both are read into one process: with the same names, one would run the other's code."""
    names = [
        set(subprocess.check_output([sys.executable, "-c", NAMING, *words], text=True).splitlines())
        for words in (("0", "kolpa", "kiza", "zocken"), ("40", "zocken", "kiza", "kolpa"))
    ]
    assert names[0] == names[1]
    assert len({line.partition(" ")[2] for line in names[0]}) == 3
