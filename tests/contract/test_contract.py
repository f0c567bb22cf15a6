"""Every game found keeps every promise."""

from kibitz.contract import Promise, Subject
from kibitz.contract.art import art
from kibitz.contract.folder import cited
from kibitz.games import find, names


def test_promise(promise: Promise, subject: Subject) -> None:
    promise.keep(subject)


def test_no_two_games_have_the_same_back() -> None:
    assert len({art(find(name)).back() for name in names()}) == len(names())


def test_a_citation_of_several_rules_counts_for_all_of_them() -> None:
    code = '"""KOLPA-T1, J2: …"""\n# KOLPA-E1 to E3, and KOLPA-R9; not KOLPA- nor E7'
    wanted = {"T1", "J2", "E1", "E2", "E3", "R9"}
    assert cited("KOLPA-", code) == {f"KOLPA-{rule}" for rule in wanted}
