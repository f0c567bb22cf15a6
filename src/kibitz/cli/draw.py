"""All cards of a game, drawn into a folder."""

from importlib import import_module
from pathlib import Path

from kibitz.art.palette import lettered
from kibitz.art.sheet import contact_sheet
from kibitz.engine.errors import KibitzError
from kibitz.games import find


def draw(name: str, out: str, lang: str) -> int:
    """Write every face, the back and a contact sheet as SVG, with the letters of a language."""
    game = find(name)
    art = import_module(f"kibitz.games.{name}.art")
    kinds = game.layout.deck.kinds
    with lettered(game.texts.letters(lang)):
        faces = {kind.code: art.face(kind.code) for kind in kinds}
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for kind in kinds:
            file = folder / f"{kind.alias or kind.code}.svg"
            file.write_text(faces[kind.code], "utf-8")
        (folder / "back.svg").write_text(art.back(), "utf-8")
        sheet = folder / "contact-sheet.svg"
        sheet.write_text(contact_sheet({**faces, "back": art.back()}), "utf-8")
    except OSError as error:
        raise KibitzError(f"cannot draw into {out}: {error.strerror}") from None
    print(f"{len(faces)} faces, a back and {sheet}")
    return 0
