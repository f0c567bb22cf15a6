"""Names and chat can be read by everyone, and nobody passes for somebody else."""

from pathlib import Path

import pytest

from kibitz.server import protocol as p
from kibitz.server.decide import Sit, decide
from kibitz.server.names import checked_name, harmless, skeleton, told_apart
from kibitz.server.protocol import LONGEST_NAME, Refused
from server.guests import run, serving
from server.test_decide import begun, command, fold, new, situation

FAMILY = "👩\u200d👩\u200d👧"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Zoë", "Zoë"),
        ("Zoe\u0308", "Zoë"),
        ("Ａｄａ", "Ada"),
        ("Ada\u200b\u200f\ufeff", "Ada"),
        ("\u2800A\u3164d\u115f\u1160a\uffa0", "Ada"),
        ("Ada\ufe0f\ufe01", "Ada"),
        ("Ada\U000e0041\U000e0042", "Ada"),
        ("\u2066Ada\u2069\u202e", "Ada"),
        ("A\u200dda", "Ada"),
        ("Z\u0335\u0321\u0322\u0327\u0328algo", "Z\u0335\u0321algo"),
        (FAMILY, FAMILY),
        ("❤️", "❤️"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("  Ada \n Lovelace ", "Ada Lovelace"),
        ("हिन्दी", "हिन्दी"),
    ],
)
def test_what_cannot_be_seen_is_left_out_of_a_name(name: str, shown: str) -> None:
    assert checked_name(name) == shown
    assert checked_name(shown) == shown


@pytest.mark.parametrize(
    "name",
    ["", " ", "\u200b", "\u3164\u3164", "\u2800", "\ufe0f", "\u0301", "\U000e0041", "x" * 25],
)
def test_a_name_has_something_to_be_seen(name: str) -> None:
    with pytest.raises(Refused) as why:
        checked_name(name)
    assert why.value.error == "bad_name"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada", "ada"),
        ("Ada", "Adа"),  # with a Cyrillic а
        ("Ada", "Αda"),  # with a Greek Α
        ("Ada", "Àdä"),
        ("Ada", "A d a"),
        ("Bob", "B0b"),
        ("Ida", "lda"),
        ("IDA", "ida"),
        ("Ella", "E11a"),
        ("HOPE", "НОРЕ"),  # all Cyrillic
    ],
)
def test_names_that_look_alike_are_told_apart(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)
    assert told_apart(other, ["", one]) == f"{other} (2)"
    assert told_apart(other, [one, f"{one} (2)"]) == f"{other} (3)"


@pytest.mark.parametrize(("one", "other"), [("Ada", "Ida"), ("Bo", "Bob"), ("李", "王")])
def test_names_that_do_not_are_left_alone(one: str, other: str) -> None:
    assert told_apart(other, [one]) == other


def test_a_name_with_a_number_is_not_too_long() -> None:
    name = "x" * LONGEST_NAME
    told = told_apart(name, [name])
    assert len(told) == LONGEST_NAME
    assert told.endswith("x (2)")


def test_nobody_at_a_table_is_called_like_another() -> None:
    table = new("lantern", 3)
    for name in ("Ada", "Adа", "ADA"):
        fold(table, decide(table, None, Sit(name, None, None), situation()))
    assert [seat.name for seat in table.seats] == ["Ada", "Adа (2)", "ADA (3)"]


def test_a_bot_is_not_mistaken_for_a_person(file: Path) -> None:
    async def sit() -> list[str]:
        async with serving(file, games_offered=["lantern"]) as house:
            made = await house.make("lantern", players=3, bots=[None, "easy", None])
            _, about = await house.get(f"/api/tables/{made['table']}")
            bot = about["seats"][1]["name"]
            await house.sit(made, bot.upper())
            _, about = await house.get(f"/api/tables/{made['table']}")
            return [bot.upper(), about["seats"][2]["name"]]

    bot, person = run(sit())
    assert person == f"{bot} (2)"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (" well \n played ", "well played"),
        ("\u202eevil\u202c", "evil"),
        ("a\x1b[31mb\x00", "a[31mb"),
        ("½ ﬁne", "½ ﬁne"),
        (f"hi {FAMILY} ❤️", f"hi {FAMILY} ❤️"),
        ("line\u2028break", "line break"),
    ],
)
def test_chat_turns_nothing_round(text: str, shown: str) -> None:
    assert harmless(text) == shown
    draft = decide(begun(), 1, command(p.Say, text=text), situation())
    assert draft is not None
    assert draft.body.text == shown  # type: ignore[attr-defined]
