"""The notebooks run from the first cell to the last, and are kept without what they print."""

from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))


def test_there_is_one_for_researchers_and_one_for_authors() -> None:
    assert [file.stem for file in NOTEBOOKS] == ["game-author", "research"]


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs(file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.delenv("KIBITZ_GAMES", raising=False)
    read: Any = nbformat.read  # it has no types
    notebook = read(file, as_version=4)
    for cell in notebook.cells:
        assert not cell.get("outputs"), f"{file.name} is kept with what it printed"
        assert cell.get("execution_count") is None
    nbclient.NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": tmp_path}}
    ).execute()
    printed = [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
    assert sum(map(bool, printed)) >= len(printed) - 1, "nearly every cell shows something"
