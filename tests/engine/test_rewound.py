"""Going back in a match: to any line, without playing all of it again."""

import random

import pytest

import kibitz
from kibitz.engine.match import FAR, Match
from short import PUBLISHED


def played(game: str, lines: int) -> Match:
    """A match of about so many lines, its choices adopted as a server does it."""
    match, rng = kibitz.new(game, players=4, seed=3), random.Random(3)
    while len(match.done) < lines and not match.over:
        if match.round_over:
            match.next_round()
        seat = min(match.to_act)
        action = rng.choice(match.legal(seat))
        verb = match.verb(action)
        if verb is not None and verb.continues:
            match.play(seat, action)
        else:
            match.adopt(match.try_choice(seat, [action]))
    return match


def again(match: Match, lines: int) -> Match:
    """The same from the very beginning."""
    other = kibitz.new(match.game.name, players=match.players, seed=match.seed)
    for seat, text in match.log[len(other.done) : lines]:
        other.repeat(seat, text)
    return other


@pytest.mark.parametrize("game", PUBLISHED)
def test_a_rewound_match_is_the_match_as_it_was(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match = played(game, 4 * FAR)
    repeated: list[str] = []
    repeat = Match.repeat

    def counted(self: Match, seat: int | None, text: str) -> None:
        repeated.append(text)
        repeat(self, seat, text)

    for lines in (*range(0, len(match.done), 23), FAR, FAR + 1, len(match.done)):
        wanted = again(match, lines)
        with monkeypatch.context() as watch:
            watch.setattr(Match, "repeat", counted)
            repeated.clear()
            past = match.rewound(lines)
            assert len(repeated) <= FAR + 8, "it went back further than it had to"
            further = past.rewound(lines // 2)
        assert past.state.tobytes() == wanted.state.tobytes()
        assert (past.log, past.sheet) == (wanted.log, wanted.sheet)
        assert further.state.tobytes() == again(match, lines // 2).state.tobytes()
    assert len(match.log) > 2 * FAR
