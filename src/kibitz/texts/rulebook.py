"""A game's rulebook, taken apart: headings, text, how to play, rules with their ids, rulings."""

import re
from dataclasses import dataclass
from pathlib import Path

RULE = re.compile(r"^- \*\*([A-Z]+-[A-Z]+\d+)\*\* (.*)$")
STEP = re.compile(r"^\d\. (.*)$")  # how to play, in five lines


@dataclass(frozen=True)
class Block:
    """A piece of a rulebook. A ruling has the id of the rule that it belongs to."""

    kind: str  # heading, text, step, rule or ruling
    text: str
    id: str | None = None
    level: int = 0


def read_rulebook(folder: Path, lang: str) -> list[Block]:
    """The rulebook of a game's folder in a language."""
    blocks: list[Block] = []
    for line in (folder / "rulebook" / f"{lang}.md").read_text("utf-8").splitlines():
        if line.startswith("#"):
            marks, _, title = line.partition(" ")
            blocks.append(Block("heading", title, level=len(marks)))
        elif found := RULE.match(line):
            blocks.append(Block("rule", found[2], found[1]))
        elif found := STEP.match(line):
            blocks.append(Block("step", found[1]))
        elif line.lstrip().startswith("> "):
            blocks.append(Block("ruling", line.lstrip()[2:], blocks[-1].id))
        elif line.strip():
            blocks.append(Block("text", line.removeprefix("- ")))
    return blocks
