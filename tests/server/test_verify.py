"""Deals that can be checked: by the file of a match, or by the link to its table."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz.cli import main
from kibitz.server import deal, replay
from server.guests import play_on, run, serving
from server.memory import Gathering
from server.process import ServerProcess

Data = dict[str, Any]


def finished_match(game: str = "lantern") -> Data:
    """The file of a match that was just played."""

    async def play() -> Data:
        table = Gathering(game, 3)
        await table.begin()
        rng = random.Random(1)
        while not table.match.over:
            await table.play(*await table.choice(rng))
        table.end()
        return dict(json.loads(replay.match_file(table.room.table)))

    return run(play())


@pytest.mark.parametrize("game", kibitz.games())
def test_a_fair_match_has_no_faults(game: str) -> None:
    saved = finished_match(game)
    assert replay.faults(saved, kibitz.load(json.dumps(saved))) == []


def other_secret(saved: Data) -> None:
    saved["deal"]["secret"] = "0" * 64


def other_promise(saved: Data) -> None:
    saved["deal"]["commitment"] = deal.commitment("something else")


def other_contribution(saved: Data) -> None:
    saved["deal"]["contributions"][1] = "I never said this"


def fewer_contributions(saved: Data) -> None:
    saved["deal"]["contributions"] = None


def other_winner(saved: Data) -> None:
    saved["winners"] = [seat for seat in range(3) if seat not in saved["winners"]]


def other_scores(saved: Data) -> None:
    saved["scores"] = [99, 0, 0]


def cut_short(saved: Data) -> None:
    saved["log"] = saved["log"][:-1]


def no_deal(saved: Data) -> None:
    del saved["deal"]


@pytest.mark.parametrize(
    ("tamper", "says"),
    [
        (other_secret, "the secret is not the one that was promised"),
        (other_promise, "the secret is not the one that was promised"),
        (other_contribution, "the seed is not made of the secret and the players' contributions"),
        (fewer_contributions, "the seed is not made of the secret"),
        (other_winner, "the actions lead to another result"),
        (other_scores, "the actions lead to another result"),
        (cut_short, "the match is not over"),
        (no_deal, "does not say how the deal was made"),
    ],
)
def test_a_tampered_file_is_told_what_is_wrong_with_it(
    tamper: Callable[[Data], None],
    says: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    saved = finished_match()
    tamper(saved)
    file = tmp_path / "match.json"
    file.write_text(json.dumps(saved))
    assert main(["verify", str(file)]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1


def test_another_seed_deals_other_cards_and_is_found_out(tmp_path: Path) -> None:
    saved = finished_match()
    saved["seed"] = "0" * 64
    file = tmp_path / "match.json"
    file.write_text(json.dumps(saved))
    assert main(["verify", str(file)]) == 2


def test_contributions_make_the_seed_as_the_protocol_says() -> None:
    import hashlib

    text = "kibitz deal 1\nsecret\nmine\n\nyours"
    assert deal.seed("secret", ["mine", None, "yours"]) == hashlib.sha256(text.encode()).hexdigest()


def test_a_match_of_the_server_is_verified_by_file(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def play() -> tuple[int, Any]:
        async with serving(file) as house:
            players = await house.started("lantern", people=2)
            path = f"/api/tables/{players[0].table}/match"
            status, early = await house.get(path)
            assert (status, early["error"]) == (409, "phase")
            await play_on(players, random.Random(1))
            return await house.get(path)

    status, saved = run(play())
    assert status == 200
    (tmp_path / "match.json").write_text(json.dumps(saved))
    assert main(["verify", str(tmp_path / "match.json")]) == 0
    said = capsys.readouterr().out
    assert "the secret is the one promised" in said
    assert any(name in said for name in ("Ada", "Guest 1"))


def test_a_match_of_the_server_is_verified_by_its_link(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with ServerProcess(file, games="lantern") as server:
        table = run(server.played("lantern"))
        assert main(["verify", f"{server.base}/t/{table}"]) == 0
        assert "the secret is the one promised" in capsys.readouterr().out
        assert main(["verify", f"{server.base}/t/nosuch"]) == 2
        assert "there is no such table" in capsys.readouterr().err
    assert main(["verify", f"{server.base}/t/{table}"]) == 2
    assert "cannot reach" in capsys.readouterr().err
