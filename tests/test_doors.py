"""The files for those who run, pack or check Kibitz name what there is."""

import re
import tomllib
from pathlib import Path

import pytest

from kibitz.server.settings import Settings

ROOT = Path(__file__).parent.parent
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
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    oldest = project["requires-python"].removeprefix(">=")
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
