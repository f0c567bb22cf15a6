"""The files for those who run, pack or check Kibitz name what there is."""

import fnmatch
import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from kibitz.server.settings import Settings
from server.process import ServerProcess

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
CONTAINER = (ROOT / "Containerfile").read_text("utf-8")
WORKFLOW = ROOT / ".github" / "workflows" / "ci.yml"
DOORS = [
    WORKFLOW,
    ROOT / "Containerfile",
    ROOT / "deploy" / "kibitz.service",
    ROOT / ".pre-commit-config.yaml",
]


@pytest.mark.parametrize("file", DOORS, ids=lambda file: file.name)
def test_variables_and_targets_exist(file: Path) -> None:
    text = file.read_text("utf-8")
    known = {f"KIBITZ_{name.upper()}" for name in Settings.__struct_fields__}
    known |= {"KIBITZ_CACHE", "KIBITZ_NAME", "KIBITZ_TEST_POSTGRES", "KIBITZ_TEST_REDIS"}
    assert set(re.findall(r"\bKIBITZ_\w+", text)) <= known
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    assert set(re.findall(r"(?:run: |RUN |`)make (\w+)", text)) <= targets


def test_every_door_is_told_of() -> None:
    told = "".join(
        file.read_text("utf-8") for file in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"))
    )
    for name in ("ci.yml", "Containerfile", "kibitz.service", "pre-commit", "SECURITY.md"):
        assert name in told


def test_the_workflow_tests_every_python_from_the_oldest_that_is_allowed() -> None:
    oldest = PROJECT["requires-python"].removeprefix(">=")
    (listed,) = re.findall(r"python: \[(.*)\]", WORKFLOW.read_text("utf-8"))
    versions = re.findall(r"3\.(\d+)", listed)
    assert f"3.{versions[0]}" == oldest
    assert [int(v) for v in versions] == list(range(int(versions[0]), int(versions[0]) + 4))


def test_the_hooks_run_what_make_check_runs() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    check = makefile.partition("\ncheck:")[2].partition("\ndist:")[0]
    hooks = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    for tool in ("ruff format", "ruff check", "mypy", "lint-imports", "run --silent check"):
        assert tool in check
        assert tool in hooks


# ---- the container


def found(pattern: str) -> str:
    """What the Containerfile has at a place."""
    (text,) = re.findall(pattern, CONTAINER, re.M)
    return str(text)


def is_ignored(path: str) -> bool:
    """Whether a file does not get into the container where the package is built."""
    parts = path.split("/")
    for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines():
        anywhere, pattern = line.startswith("**/"), line.removeprefix("**/")
        heads = parts if anywhere else ["/".join(parts[: 1 + pattern.count("/")])]
        if any(fnmatch.fnmatchcase(head, pattern) for head in heads):
            return True
    return False


def test_the_container_is_given_all_that_the_package_is_built_from(tmp_path: Path) -> None:
    assert "\nCOPY . .\nRUN make dist\n" in CONTAINER
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, check=True)
    for path in listed.stdout.decode().splitlines():
        if not is_ignored(path) and (ROOT / path).is_file():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, tmp_path / path)
    planned = subprocess.run(
        ["make", "-n", "dist", f"PYTHON={sys.executable}"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert planned.returncode == 0, planned.stderr
    assert "run --silent build" in planned.stdout
    build = tomllib.loads((tmp_path / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"][
        "build"
    ]
    for name in (*build["targets"]["sdist"]["only-include"], *PROJECT["license-files"]):
        assert (tmp_path / name).exists()


def test_the_container_installs_pinned_versions_of_all_that_it_needs() -> None:
    command = found(r"^RUN (sed .*) > dist/versions.txt$")
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=True)
    lines = [
        line for line in done.stdout.splitlines() if line and not line.lstrip().startswith("#")
    ]
    pinned = {pin.name: pin.specifier for pin in map(Requirement, lines)}
    assert all(str(version).startswith("==") for version in pinned.values())
    extras = found(r"whl\)\[([a-z,]+)\]").split(",")
    needed = [*PROJECT["dependencies"]]
    for extra in extras:
        needed += PROJECT["optional-dependencies"][extra]
    assert {Requirement(text).name for text in needed} <= set(pinned)


def test_the_container_starts_a_command_and_opens_a_port_that_there_are() -> None:
    program, *words = json.loads(found(r"^ENTRYPOINT (.*)$"))
    assert program in PROJECT["scripts"]
    assert words == ["serve"]
    assert int(found(r"^EXPOSE (\d+)$")) == Settings().port


def test_the_container_is_healthy_while_its_server_answers(tmp_path: Path) -> None:
    _, *words = json.loads(found(r"^ +CMD (.*)$"))

    def is_healthy(port: int) -> bool:
        code = [word.replace(str(Settings().port), str(port)) for word in words]
        done = subprocess.run([sys.executable, *code], capture_output=True, check=False)
        return done.returncode == 0

    with ServerProcess(tmp_path / "tables.db") as server:
        assert is_healthy(server.port)
        server.kill()
        assert not is_healthy(server.port)
