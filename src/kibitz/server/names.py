"""What people call themselves and say, harmless to read: nothing unseen, nothing turned round."""

from collections.abc import Iterable
from itertools import count
from unicodedata import category, normalize

from kibitz.server.protocol import LONGEST_NAME, Refused

MOST_MARKS = 2  # on one letter; with more of them a name grows over its neighbours
JOINERS = "\u200c\u200d"  # seen only by what they join: letters of some scripts, pictures
JOINED = ("So", "Sk", "Lo", "Mn", "Mc")
# Marks of direction are of the category Cf, as are other invisible ones; these are not.
UNSEEN = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
CONTROLS = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
# Letters of Cyrillic and Greek, and signs, that are drawn like a Latin letter, or nearly.
LOOK_ALIKES = str.maketrans(
    "авгеіјкмнорсԁѕтухһѵԛԝьӏαβγεζηικμνορτυχωϲi|10",
    "abreljkmhopcdstyxhvqwblabyezhlkmnoptyxwclllo",
)


def harmless(text: str) -> str:
    """A text in one line, without control characters, marks of direction and the unseen."""
    kept = "".join(
        " " if char.isspace() else char
        for n, char in enumerate(text)
        if char.isspace() or _is_seen(text, n)
    )
    return " ".join(kept.split())


def _is_seen(text: str, n: int) -> bool:
    char = text[n]
    if char in JOINERS:
        around = text[max(0, n - 1) : n] + text[n + 1 : n + 2]
        return len(around) == 2 and all(category(c) in JOINED for c in around)
    if _is_variation(char):
        return n > 0 and category(text[n - 1]) in ("So", "Nd", "Po", "Sm")
    return category(char) not in CONTROLS and char not in UNSEEN


def _is_variation(char: str) -> bool:
    """Whether a character only chooses how the one before it is drawn."""
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


def checked_name(name: str) -> str:
    """A person's name, tidied; any script will do."""
    tidy = _few_marks(harmless(normalize("NFKC", name)))
    if not tidy or category(tidy[0]).startswith("M") or len(tidy) > LONGEST_NAME:
        raise Refused("bad_name", f"a name has 1 to {LONGEST_NAME} characters that can be seen")
    return tidy


def _few_marks(text: str) -> str:
    kept, marks = [], 0
    for char in text:
        marks = marks + 1 if category(char) in ("Mn", "Me") else 0
        if marks <= MOST_MARKS:
            kept.append(char)
    return "".join(kept)


def skeleton(name: str) -> str:
    """What names that look alike have in common."""
    bare = "".join(
        c for c in normalize("NFKD", name) if category(c)[0] not in "MZC" and not _is_variation(c)
    )
    return bare.casefold().translate(LOOK_ALIKES)


def told_apart(name: str, others: Iterable[str]) -> str:
    """A name, with a number where somebody at the table is called alike."""
    taken = {skeleton(other) for other in others}
    if skeleton(name) not in taken:
        return name
    for n in count(2):
        mark = f" ({n})"
        told = name[: LONGEST_NAME - len(mark)].rstrip() + mark
        if skeleton(told) not in taken:
            return told
    raise AssertionError("numbers do not end")
