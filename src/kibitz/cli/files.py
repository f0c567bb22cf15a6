"""Files that commands read and write."""

import os
import sys
from pathlib import Path

import kibitz
from kibitz.engine.errors import BadSave, KibitzError


def read_text(file: str) -> str:
    """The text of a file (- is standard input)."""
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text("utf-8")
    except OSError as error:
        raise BadSave(f"cannot read {file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadSave(f"{file} is no saved match: it is not text") from None


def read_match(file: str) -> kibitz.Match:
    """The match saved in a file (- is standard input)."""
    return kibitz.load(read_text(file))


def write_match(match: kibitz.Match, file: Path) -> None:
    """Save a match."""
    write_text(match.save(), file)


def write_text(text: str, file: Path) -> None:
    """Write a file; one that was there before is only replaced by a whole new one."""
    draft = file.with_name(f"{file.name}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(text, "utf-8")
        draft.replace(file)
    except OSError as error:
        raise KibitzError(f"cannot write {file}: {error.strerror}") from None


def place_for(out: str) -> Path:
    """Where a result will be written: better refused now than after minutes of play."""
    file = Path(out)
    if not out or file.is_dir():
        raise KibitzError(f"cannot write {out!r}: name a file, not a folder")
    if not file.parent.is_dir():
        raise KibitzError(f"cannot write {out}: there is no folder {file.parent}")
    is_new = not file.exists()
    try:
        file.open("ab").close()
        if is_new:
            file.unlink()
    except OSError as error:
        raise KibitzError(f"cannot write {out}: {error.strerror}") from None
    return file


def last_match(game: str) -> Path:
    """Where an unfinished match is kept when its player leaves the table."""
    home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return home / "kibitz" / f"{game}.json"
