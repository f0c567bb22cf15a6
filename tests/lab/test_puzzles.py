"""Puzzles: what they are by definition, looked at again by an independent, deeper search."""

import dataclasses
import json
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import pytest

from kibitz.bots.choices import steps_of, written
from kibitz.bots.claims import Comparison
from kibitz.bots.kibitzer import think, think_through
from kibitz.bots.levels import level
from kibitz.bots.puzzles import (
    MARGIN,
    SECOND_LOOK,
    Puzzle,
    choice_of,
    puzzle_for,
    read_puzzles,
)
from kibitz.cli import main
from kibitz.engine import border
from kibitz.engine.errors import BrokenGame
from kibitz.engine.match import Match
from kibitz.games import find
from kibitz.lab import puzzles as lab
from kibitz.lab.puzzles import Wish, file_of, look_for, puzzles_in

R = TypeVar("R")
WISH = Wish("kolpa", 3, (("target", "30"),), seed=1, count=2)
COMMAND = ["puzzles", "kolpa", "--players", "3", "--option", "target=30", "--seed", "1"]
OTHER_SEED = 4711
# One whose answer is a choice of several steps.
FOUND = next(p for p in read_puzzles(find("kiza")) if len(steps_of(p.best)) > 2)


class Contrary:
    """Somebody who always does the third job first."""

    def work(
        self, task: Callable[..., R], jobs: Iterable[tuple[Any, ...]]
    ) -> Iterator[tuple[int, R]]:
        """Do all jobs."""
        todo = enumerate(jobs)
        while some := list(islice(todo, 3)):
            for number, job in reversed(some):
                yield number, task(*job)


@pytest.fixture(scope="module")
def found() -> list[Puzzle]:
    return list(look_for(WISH, Contrary()))


def test_one_action_is_clearly_best(found: list[Puzzle]) -> None:
    assert len(found) == WISH.count
    for puzzle in found:
        match = puzzle.match(find("kolpa"))
        simulations = 2 * SECOND_LOOK
        *_, thought = think(match, puzzle.seat, None, simulations=simulations, seed=OTHER_SEED)
        best, *others = thought.opinions
        assert best.action == puzzle.best
        for other in others:
            assert best.chance - other.chance > max(best.error + other.error, 0.8 * MARGIN)
        for opinion in thought.opinions:
            said = puzzle.chances[opinion.action]
            assert abs(said - opinion.chance) < opinion.error + 0.06


def test_medium_would_choose_something_else(found: list[Puzzle]) -> None:
    medium = level("medium")
    for puzzle in found:
        match = puzzle.match(find("kolpa"))
        chosen = {medium.action(match, puzzle.seat, seed) for seed in range(100, 130)}
        assert puzzle.medium in chosen
        assert puzzle.best not in chosen


def test_there_is_a_reason_and_it_is_borne_out(found: list[Puzzle]) -> None:
    for puzzle in found:
        match = puzzle.match(find("kolpa"))
        again = Comparison(
            match, puzzle.seat, puzzle.best, puzzle.medium, seed=OTHER_SEED, worlds=3_000
        )
        assert puzzle.claims
        for claim in puzzle.claims:
            seen = again.claim(claim.what, claim.seat, claim.part)
            assert seen.is_sure()
            assert seen.difference * claim.difference > 0


def test_nothing_unseen_is_told_by_a_puzzle() -> None:
    """Whatever the others hold, the same view makes the same puzzle."""
    puzzle = next(p for n in range(20) for p in puzzles_in(WISH, n))
    match = puzzle.match(find("kolpa"))
    for luck in range(3):
        other = match.copy()
        border.redeal_at(other.state, 0, puzzle.seat, luck, 9)
        assert other.position() != match.position()
        assert other.view(puzzle.seat) == match.view(puzzle.seat)
        made, same = (puzzle_for(m, puzzle.seat, puzzle.best, 1) for m in (other, match))
        assert made == same


def test_the_same_seed_gives_the_same_file(
    found: list[Puzzle], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever does the work: processes here, or somebody contrary."""
    file = tmp_path / "puzzles.json"
    assert main([*COMMAND, "--count", "2", "--out", str(file)]) == 0
    assert capsys.readouterr().out == f"2 puzzles are in {file}.\n"
    assert file.read_text("utf-8") == file_of(WISH, found)
    head = json.loads(file.read_text("utf-8"))
    assert (head["game"], head["players"], head["options"]) == ("kolpa", 3, {"target": 30})
    assert head["rules"] == find("kolpa").identity.version


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["chess"], "no game 'chess'"),
        (["kolpa", "--count", "0"], "must be at least 1, not 0"),
        (["kolpa", "--players", "9"], "not 9"),
        (["kolpa", "--option", "cards=3"], "no option 'cards'"),
        (["kolpa", "--out", "."], "name a file, not a folder"),
        (["kolpa", "--out", "nowhere/to/be.json"], "there is no folder"),
    ],
)
def test_bad_input_gets_one_line(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["puzzles", *words]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1


def test_puzzles_are_read_as_they_were_written(found: list[Puzzle], tmp_path: Path) -> None:
    game = dataclasses.replace(find("kolpa"), folder=tmp_path)
    assert read_puzzles(game) == []
    file = tmp_path / "puzzles.json"
    file.write_text(file_of(WISH, found), "utf-8")
    assert [puzzle.data() for puzzle in read_puzzles(game)] == [puzzle.data() for puzzle in found]
    file.write_text('{"puzzles": [{"seat": 1}]}', "utf-8")
    with pytest.raises(BrokenGame, match=r"puzzles\.json"):
        read_puzzles(game)


def test_a_position_in_which_the_obvious_is_best_is_no_puzzle() -> None:
    match = Match.at(
        find("kolpa"),
        "kolpa 2\ndue: 0\nstarter: 0\nscores: 49 10\nhand.0: r1\nhand.1: joker joker\n"
        "display.0.blue: b5 b1\ndiscard: r3\ndraw: *",
        1,
    )
    assert puzzle_for(match, 0, "kol r1", seed=1) is None


# ---- of several steps


def test_of_whole_choices_one_is_clearly_best() -> None:
    """Looked at again, one after the other, in other worlds and in more of them."""
    match = FOUND.match(find("kiza"))
    choices = FOUND.choices(match)
    assert choices is not None
    thought = think_through(match, FOUND.seat, choices.whole.values(), 4_000, OTHER_SEED)
    best, *others = thought.opinions
    assert best.action == FOUND.best
    for other in others:
        assert best.chance - other.chance > max(best.error + other.error, 0.8 * MARGIN)
    for opinion in thought.opinions:
        assert abs(FOUND.chances[opinion.action] - opinion.chance) < opinion.error + 0.06


def test_medium_would_bid_otherwise_and_a_reason_says_why_not_to() -> None:
    medium, match = level("medium"), FOUND.match(find("kiza"))
    chosen = [choice_of(medium, match.copy(), FOUND.seat, seed) for seed in range(100, 130)]
    made = {FOUND.tried(choice) for choice in chosen}
    assert FOUND.medium in made
    assert FOUND.best not in made
    again = Comparison(match, FOUND.seat, FOUND.best, FOUND.medium, seed=OTHER_SEED, worlds=3_000)
    for claim in FOUND.claims:
        seen = again.claim(claim.what, claim.seat, claim.part)
        assert seen.is_sure()
        assert seen.difference * claim.difference > 0


def test_a_choice_of_several_steps_is_found_to_be_a_puzzle_in_any_order() -> None:
    match = FOUND.match(find("kiza"))
    *before, last = steps_of(FOUND.best)
    assert len(before) > 1
    made = puzzle_for(match, FOUND.seat, written((*reversed(before), last)), seed=5)
    assert made is not None
    assert made.best == FOUND.best
    assert made.medium == FOUND.medium
    assert made.chances.keys() == FOUND.chances.keys()
    assert made.claims
    assert puzzle_for(match, FOUND.seat, FOUND.medium, seed=5) is None


def test_whole_choices_are_looked_for_in_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each as the bot has made it, from its first step on, and before anything is done."""
    asked: list[tuple[Match, int, str]] = []

    def ask(match: Match, seat: int, choice: str, seed: int) -> None:
        asked.append((match, seat, choice))

    monkeypatch.setattr(lab, "puzzle_for", ask)
    assert puzzles_in(Wish("kiza", 2, (("target", "10"),), seed=1, count=1), 0) == []
    for match, seat, choice in asked:
        assert match.to_act == {seat}
        match.try_choice(seat, steps_of(choice))  # legal, and whole
    assert any(len(steps_of(choice)) > 2 for _, _, choice in asked)


def test_puzzles_of_several_steps_are_read_as_they_were_written(tmp_path: Path) -> None:
    game = dataclasses.replace(find("kiza"), folder=tmp_path)
    (tmp_path / "puzzles.json").write_text(file_of(WISH, [FOUND]), "utf-8")
    assert read_puzzles(game) == [FOUND]
    assert FOUND.has_steps
    assert FOUND.choices(FOUND.match(game)) is not None
