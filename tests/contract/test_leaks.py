"""The contract refuses games that leak: mistakes as they are made, planted into Hearts.

All mistakes are in one game, which has to be compiled once: its option says which one is made.
"""

import shutil
from importlib import import_module
from pathlib import Path

import pytest

from effort import tried
from kibitz.contract import promises
from kibitz.contract.settings import Setting
from kibitz.engine.game import Game
from kibitz.games import find

HEARTS = Path(__file__).parents[1] / "games" / "hearts"
SECRECY = ("views", "secrets")
NO_MISTAKE = "no mistake"

# A line of Hearts' rules.py, and what stands there instead.
Change = tuple[str, str]
OPTION: tuple[Change, ...] = (
    ('        "limit": number(),\n', '        "limit": number(),\n        "mistake": number(),\n'),
)
EXCHANGE = "        exchange(s, GIFT, HAND, STEP[s.direction])\n"
LAY_OUT = "        move(s, find(s, HAND + me, action - PASS_CARD), HAND + me, GIFT + me)\n"

LEAKY = (
    NO_MISTAKE,
    "an event tells everyone what was passed",  # 1
    "givers forget what they gave by passing it on one by one",
    "givers forget what they gave by simply moving it",
    "what is told to all depends on a hidden card",
    "who is due tells who holds a card",  # 5
    "who is due tells it only where nothing was passed",
    "who is due tells it only after cards were passed",
    "who is due tells who holds a card that need not be led",
    "a choice that others cannot see shows in a field",
    "an action that others cannot see reports an event",  # 10
)
LEAKS: tuple[Change, ...] = (
    *OPTION,
    (
        EXCHANGE,
        """        for p in range(s.players):
            if s.mistake == 1:
                report(s, LEADS, p)
                with_set(s, GIFT + p)
            taker = (p + STEP[s.direction]) % s.players
            if s.mistake == 2:
                for _ in range(PASSED):
                    card = lowest(kinds_in(s, GIFT + p))
                    move(s, card, GIFT + p, HAND + p)
                    pass_secretly(s, card, p, taker, HAND)
                s.witnesses = 0
            elif s.mistake == 3:
                move_all(s, GIFT + p, HAND + taker)
        exchange(s, GIFT, HAND, STEP[s.direction])
        for p in range(s.players):
            if s.mistake == 4 and holds(s, HAND + p, QUEEN):
                report(s, HEARTS_BROKEN, p)
""",
    ),
    (
        "    see(s, TWO_OF_CLUBS)\n",
        """    is_dealt = s.direction == KEEP
    if s.mistake not in (5, 8) and s.mistake != (6 if is_dealt else 7):
        see(s, TWO_OF_CLUBS)
""",
    ),
    (
        "        return hand & (1 << TWO_OF_CLUBS)\n",
        "        return hand if s.mistake == 8 else hand & (1 << TWO_OF_CLUBS)\n",
    ),
    (
        LAY_OUT,
        LAY_OUT + "        if s.mistake == 9:\n            s.leader = me\n"
        "        if s.mistake == 10:\n            report(s, HEARTS_BROKEN, me)\n",
    ),
)

# Hearts in which passing a card is seen, but not which: each pass is a choice by itself.
MASKED = (
    NO_MISTAKE,
    "the log tells third seats what was passed last",
    "the log tells everyone what is being passed",
)
MASKED_LEAKS: tuple[Change, ...] = (
    *OPTION,
    ('per_seat=True, hidden_in="hand")', "per_seat=True)"),
    ("        for _ in range(PASSED):\n", "        for _ in range(0):\n"),
    (
        'PASS_CARD = actions.verb("pass", "pass {card}", Secrecy.SEALED, continues=True,',
        'PASS_CARD = actions.verb("pass", "pass {card}", Secrecy.MASKED,',
    ),
    (
        LAY_OUT,
        LAY_OUT + "        if s.mistake == 2:\n            s.witnesses = everyone(s)\n"
        "        if size(s, GIFT + me) == PASSED:\n            be_ready(s, me)\n",
    ),
    (
        EXCHANGE,
        EXCHANGE + "        if s.mistake == 1:\n"
        "            s.witnesses = only((me + STEP[s.direction] + 1) % s.players)\n",
    ),
)
IMPORTS: tuple[Change, ...] = (
    ("import exchange\n", "import exchange, pass_secretly\n"),
    ("report, with_card,", "report, with_set, with_card,"),
    ("    move,\n", "    move,\n    move_all,\n"),
    (
        "from kibitz.engine.compiled",
        "from kibitz.engine.bits import lowest\nfrom kibitz.engine.compiled",
    ),
)


def changed(file: Path, changes: tuple[Change, ...]) -> None:
    text = file.read_text("utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    file.write_text(text, "utf-8")


def hearts_with(folder: Path, name: str, changes: tuple[Change, ...]) -> Game:
    """Hearts under another name, with some lines of its rules changed."""
    shutil.copytree(HEARTS, folder / name)
    for file in (*(folder / name).glob("*.py"), *(folder / name).glob("texts/*")):
        text = file.read_text("utf-8").replace("kibitz.games.hearts", f"kibitz.games.{name}")
        file.write_text(text.replace("HEARTS-", f"{name.upper()}-"), "utf-8")
    changed(folder / name / "rules.py", (*IMPORTS, *changes))
    changed(
        folder / name / "__init__.py",
        (
            ('name="hearts"', f'name="{name}"'),
            ('{"limit": Number(100, 50, 100)}',
             '{"limit": Number(100, 50, 100), "mistake": Number(0, 0, 99)}'),
        ),
    )  # fmt: skip
    return find(name)


@pytest.fixture(scope="module")
def variants(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Game]:
    folder = tmp_path_factory.mktemp("games")
    import_module("kibitz.games").__path__.append(str(folder))
    try:
        return {
            "leaky": hearts_with(folder, "leaky", LEAKS),
            "masked": hearts_with(folder, "masked", MASKED_LEAKS),
        }
    finally:
        import_module("kibitz.games").__path__.remove(str(folder))


def broken_promises(game: Game, mistake: int) -> list[str]:
    """The promises about secrets that are not kept."""
    options = {"limit": 50, "mistake": mistake}
    setting = Setting(game.name, 4, options, effort=1.0 if mistake else tried(0.1, 1.0))
    broken = []
    for promise in promises():
        if promise.keep.__module__.rpartition(".")[2] in SECRECY:
            try:
                promise.keep(setting)
            except AssertionError as error:
                broken.append(f"{promise.name}: {error}")
                if mistake:
                    break
    return broken


@pytest.mark.parametrize("mistake", LEAKY)
def test_leaks_are_refused_and_nothing_else(mistake: str, variants: dict[str, Game]) -> None:
    broken = broken_promises(variants["leaky"], LEAKY.index(mistake))
    assert (broken == []) == (mistake == NO_MISTAKE), broken


@pytest.mark.parametrize("mistake", MASKED)
def test_leaks_of_the_log_are_refused(mistake: str, variants: dict[str, Game]) -> None:
    broken = broken_promises(variants["masked"], MASKED.index(mistake))
    assert (broken == []) == (mistake == NO_MISTAKE), broken
