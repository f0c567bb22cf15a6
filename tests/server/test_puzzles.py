"""Puzzles over HTTP: what the seat sees, what each try is worth, and nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest

from kibitz.bots.choices import steps_of
from kibitz.bots.puzzles import Puzzle, read_puzzles
from kibitz.engine import border
from kibitz.games import find
from kibitz.server import puzzles
from server.guests import run, serving
from short import PUBLISHED
from steps import OF_STEPS

UNSEEN = ("view", "legal", "refused", "previews", "do")  # must not change with what is unseen


def scene(found: bytes | None) -> dict[str, Any]:
    assert found is not None
    (only,) = json.loads(found)["lesson"]["scenes"]
    return {key: only[key] for key in UNSEEN}


@pytest.mark.parametrize("game", PUBLISHED)
def test_a_puzzle_shows_nothing_that_its_seat_cannot_see(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However the unseen cards lie, the page is told the same."""
    found = read_puzzles(find(game))[0]
    told = scene(puzzles.puzzle.__wrapped__(game, 0))
    for luck in range(4):
        match = found.match(find(game))
        border.redeal_at(match.state, 0, found.seat, luck, 5)
        other = Puzzle(**{**vars(found), "position": match.position()})
        assert other.position != found.position
        monkeypatch.setattr(puzzles, "read_puzzles", lambda game, other=other: [other])
        assert scene(puzzles.puzzle.__wrapped__(game, 0)) == told


def test_of_a_choice_of_several_steps_all_beginnings_can_be_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So that only a whole choice is right or wrong: no step tells whether it is part of it."""
    monkeypatch.setattr(puzzles, "read_puzzles", lambda game: [OF_STEPS])
    told = json.loads(puzzles.puzzle.__wrapped__("kiza", 0) or b"")
    (only,) = told["lesson"]["scenes"]
    assert told["chances"] == OF_STEPS.chances
    assert only["do"] == ["bid r●2", "bid r●3", "done"]
    assert len(only["previews"]) == 7  # one card or more
    for begun, preview in only["previews"].items():
        laid = {step.removeprefix("bid ") for step in begun.split(" + ")}
        assert set(preview["view"]["zones"]["bid.0"]["cards"]) == laid
        assert "done" in preview["legal"]
    (last,) = only["moves"]
    assert last["legal"] == []  # it is another's turn


def test_a_puzzle_is_asked_for_by_its_number(file: Path) -> None:
    async def ask() -> None:
        async with serving(file) as house:
            _, about = await house.get("/api/games")
            all_ = next(card["puzzles"] for card in about["games"] if card["name"] == "kolpa")
            found = read_puzzles(find("kolpa"))
            assert all_ == len(found) > 0
            status, puzzle = await house.get(f"/api/games/kolpa/puzzles/{all_ - 1}")
            assert status == 200
            assert puzzle["medium"] == found[-1].medium
            assert puzzle["lesson"]["seat"] == found[-1].seat
            assert puzzle["lesson"]["scenes"][0]["do"] == [*steps_of(found[-1].best)]
            assert puzzle["chances"].keys() == set(puzzle["lesson"]["scenes"][0]["legal"])
            for number in (all_, "99999", "x", "-1"):
                status, answer = await house.get(f"/api/games/kolpa/puzzles/{number}")
                assert (status, answer["error"]) == (404, "not_found")

    run(ask())
