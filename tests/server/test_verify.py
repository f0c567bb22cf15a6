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
from kibitz.server.proof import faults
from server.guests import play_on, run, serving
from server.memory import Gathering, contribution
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
    kept = {"commitment": saved["deal"]["commitment"], "contribution": contribution(1)}
    assert faults(saved, kibitz.load(json.dumps(saved)), **kept) == []


def other_secret(saved: Data) -> None:
    saved["deal"]["secret"] = "0" * 64


def other_promise(saved: Data) -> None:
    saved["deal"]["commitment"] = deal.promise("something else")


def other_contribution(saved: Data) -> None:
    saved["deal"]["contributions"][0] = contribution(7)


def mine_left_out(saved: Data) -> None:
    """A whole match made up without me: all its own promises hold."""
    dealt = saved["deal"]
    dealt["contributions"][1], dealt["left_out"] = None, [1]
    dealt_again(saved)


def mine_replaced(saved: Data) -> None:
    dealt = saved["deal"]
    dealt["contributions"][1] = contribution(7)
    dealt["promises"][1] = deal.promise(contribution(7))
    dealt_again(saved)


def other_secret_from_the_start(saved: Data) -> None:
    """A match made up afterwards, with the commitment that fits."""
    saved["deal"]["secret"] = "0" * 64
    saved["deal"]["commitment"] = deal.promise("0" * 64)
    dealt_again(saved)


def other_table(saved: Data) -> None:
    saved["deal"]["table"] = "elsewhere"


def dealt_again(saved: Data) -> None:
    """Another match: what its deal says of itself is true."""
    dealt = saved["deal"]
    args = (dealt["way"], dealt["table"], dealt["secret"], dealt["contributions"])
    again = kibitz.new(saved["game"], players=3, seed=deal.seed(*args))
    rng = random.Random(1)
    while not again.over:
        if again.round_over:
            again.next_round()
        seat = min(again.to_act)
        again.play(seat, rng.choice(again.legal(seat)))
    saved |= json.loads(again.save()) | {"winners": again.winners, "scores": again.scores}


def seat_left_out_in_silence(saved: Data) -> None:
    saved["deal"]["contributions"][2] = None
    dealt_again(saved)


def broken_promise(saved: Data) -> None:
    saved["deal"]["promises"][2] = deal.promise("x")


def no_promises(saved: Data) -> None:
    saved["deal"]["promises"] = []


def fewer_contributions(saved: Data) -> None:
    saved["deal"]["contributions"].pop()


def contributions_of_another_kind(saved: Data) -> None:
    saved["deal"]["contributions"] = None


def merged_contributions(saved: Data) -> None:
    """In the old way of dealing lines were put together, so that two could pass for one."""
    saved["deal"] |= {"way": deal.OPEN, "contributions": ["a\nb", None, None]}
    dealt_again(saved)


def unknown_way(saved: Data) -> None:
    saved["deal"]["way"] = "kibitz deal 99"


def written_position(saved: Data) -> None:
    match = kibitz.new(saved["game"], players=3, seed=saved["seed"])
    saved["position"], saved["log"] = match.position(), saved["log"][1:]


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
        (other_secret_from_the_start, "the secret is not the one that fits the commitment you"),
        (other_table, "the seed is not made of the secret and the players' contributions"),
        (other_contribution, "the contribution of seat 0 does not fit its promise"),
        (broken_promise, "the contribution of seat 2 does not fit its promise"),
        (no_promises, "there is not one promise, or none, for each seat"),
        (mine_left_out, "your contribution was not used"),
        (mine_replaced, "your contribution was not used"),
        (seat_left_out_in_silence, "other seats were left out than the file says"),
        (fewer_contributions, "there is not one contribution, or none, for each seat"),
        (contributions_of_another_kind, "does not say how the deal was made"),
        (merged_contributions, "a contribution has a line break"),
        (unknown_way, "it was dealt in a way that is not known here"),
        (written_position, "it starts from a written position"),
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
    kept = keeping(saved)
    tamper(saved)
    file = tmp_path / "match.json"
    file.write_text(json.dumps(saved))
    assert main(["verify", str(file), *kept]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1


def test_another_seed_deals_other_cards_and_is_found_out(tmp_path: Path) -> None:
    saved = finished_match()
    saved["seed"] = "0" * 64
    file = tmp_path / "match.json"
    file.write_text(json.dumps(saved))
    assert main(["verify", str(file), *keeping(saved)]) == 2


def keeping(saved: Data) -> list[str]:
    """What the page of seat 1 kept from before the deal."""
    kept = saved["deal"]["commitment"]
    return ["--commitment", kept, "--contribution", contribution(1)]


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        ([], "a match alone proves nothing"),
        (["--contribution", "a" * 64], "a match alone proves nothing"),
        (["--commitment", "xyz"], "--commitment takes 64 hex digits"),
        (["--commitment", "a" * 64, "--contribution", "a" * 65], "--contribution takes 64 hex"),
    ],
)
def test_a_file_alone_is_never_called_fair(
    flags: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps(finished_match()))
    assert main(["verify", str(file), *flags]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1


def test_what_was_checked_is_said_and_what_was_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = finished_match()
    file = tmp_path / "match.json"
    file.write_text(json.dumps(saved))
    assert main(["verify", str(file), *keeping(saved)]) == 0
    said = capsys.readouterr().out
    assert "the secret fits the commitment you kept; your contribution was used" in said
    assert "Believed as the file has it: what the others promised" in said
    assert "Not checked" not in said
    assert main(["verify", str(file), *keeping(saved)[:2]]) == 0
    said = capsys.readouterr().out
    assert "kept; your contribution was used" not in said
    assert "Not checked: that your contribution was used" in said


def test_names_cannot_write_on_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = finished_match()
    saved["seats"] = ["\x1b[2J\x1b]0;owned\x07Ada", "\u202eoB\u200b", 7]
    file = tmp_path / "match.json"
    file.write_text(json.dumps(saved))
    assert main(["verify", str(file), *keeping(saved)]) == 0
    said = capsys.readouterr().out
    assert all(char == "\n" or char.isprintable() for char in said)


def test_contributions_make_the_seed_as_the_protocol_says() -> None:
    import hashlib

    text = '["kibitz deal 2","k3v9x2m7qa","secret",["mine",null,"yours"]]'
    texts = ["mine", None, "yours"]
    seed = deal.seed(deal.PROMISED, "k3v9x2m7qa", "secret", texts)
    assert seed == hashlib.sha256(text.encode()).hexdigest()
    old = hashlib.sha256(b"kibitz deal 1\nsecret\nmine\n\nyours").hexdigest()
    assert deal.seed(deal.OPEN, "k3v9x2m7qa", "secret", texts) == old


def test_a_match_of_the_server_is_verified_by_file(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def play() -> tuple[int, Any]:
        async with serving(file) as house:
            players = await house.started("lantern", people=2)
            kept.append(players[0].whole["commitment"])
            path = f"/api/tables/{players[0].table}/match"
            status, early = await house.get(path)
            assert (status, early["error"]) == (409, "phase")
            await play_on(players, random.Random(1))
            return await house.get(path)

    kept: list[str] = []
    status, saved = run(play())
    assert status == 200
    (tmp_path / "match.json").write_text(json.dumps(saved))
    assert main(["verify", str(tmp_path / "match.json"), "--commitment", *kept]) == 0
    said = capsys.readouterr().out
    assert "the secret fits the commitment you kept" in said
    assert any(name in said for name in ("Ada", "Guest 1"))


def test_a_match_of_the_server_is_verified_by_its_link(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with ServerProcess(file, games="lantern") as server:
        table, seat = run(server.played("lantern"))
        kept = ["--commitment", seat.state["commitment"], "--contribution", seat.contribution]
        assert main(["verify", f"{server.base}/t/{table}", *kept]) == 0
        assert "your contribution was used" in capsys.readouterr().out
        assert main(["verify", f"{server.base}/t/nosuch", *kept]) == 2
        assert "there is no such table" in capsys.readouterr().err
    assert main(["verify", f"{server.base}/t/{table}", *kept]) == 2
    assert "cannot reach" in capsys.readouterr().err
