"""Saved matches as readable JSON: what is in them, each part of the right type."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.engine.errors import BadSave

FORMAT = 2
_SHAPE: dict[str, type] = {
    "game": str, "rules": int, "players": int, "options": dict, "seed": str, "log": list,
}  # fmt: skip


def write_save(head: Mapping[str, object], log: Sequence[tuple[int | None, str]]) -> str:
    """A saved match: what it was dealt from, and a line for everything done."""
    top = json.dumps({"kibitz": FORMAT, **head}, indent=2, ensure_ascii=False)[:-2]
    lines = ",\n    ".join(json.dumps(line, ensure_ascii=False) for line in log)
    return f'{top},\n  "log": [\n    {lines}\n  ]\n}}\n' if log else f'{top},\n  "log": []\n}}\n'


def read_save(text: str) -> dict[str, Any]:
    """The parts of a saved match."""
    try:
        saved = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        raise BadSave("this is no saved match: it is not JSON") from None
    if not isinstance(saved, dict) or "kibitz" not in saved:
        raise BadSave("this is no saved match: it was not written by Kibitz")
    if saved["kibitz"] != FORMAT:
        raise BadSave(f"this save has format {saved['kibitz']!r}; this Kibitz reads {FORMAT}")
    for name, expected in _SHAPE.items():
        if type(saved.get(name)) is not expected:
            raise BadSave(f"this save is damaged: {name!r} is missing or of the wrong type")
    if "position" in saved and not isinstance(saved["position"], str):
        raise BadSave("this save is damaged: 'position' is not a text")
    return saved
