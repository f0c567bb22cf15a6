"""The command, as one types it."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

import kibitz
from effort import THOROUGH
from kibitz.cli import bench, build_parser, main
from kibitz.cli.screen import draw_table
from kibitz.engine import border
from kibitz.lab import bench as measuring
from kibitz.lab import observing_peers, peers
from kibitz.texts.phrasebook import Phrasebook
from short import short
from typing_in import typed


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("LANG", raising=False)


def run(*words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kibitz", *words], input=typed, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


def test_games_lists_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in kibitz.games())


@pytest.mark.parametrize("game", kibitz.games())
@pytest.mark.parametrize("lang", ["en", "fr", "de", "es", "nl"])
def test_rules_prints_a_page_without_markup(
    game: str, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", game, "--lang", lang]) == 0
    text = capsys.readouterr().out
    assert " 5. " in text.split("\n\n")[1]
    assert f"{game.upper()}-" not in text
    assert "**" not in text
    assert "{" not in text


def test_rules_shows_ids_and_rulings_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "kolpa", "--ids", "--lang", "en"]) == 0
    with_ids = capsys.readouterr().out
    assert main(["rules", "kolpa", "--lang", "en"]) == 0
    without = capsys.readouterr().out
    assert "KOLPA-T5" in with_ids
    assert "Our ruling:" in with_ids
    assert "Our ruling:" not in without
    assert "kibitz rules kolpa --ids" in without


def test_rules_prints_one_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "kolpa", "t5"]) == 0
    assert capsys.readouterr().out.strip().startswith("KOLPA-T5")


def test_rules_speaks_the_language_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "nl_NL.UTF-8")
    assert build_parser().parse_args(["rules", "viva"]).lang == "nl"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["rules", "chess"], "no game 'chess'"),
        (["rules", "kolpa", "X9"], "no rule KOLPA-X9"),
        (["play", "kolpa", "--players", "9"], "2 to 6 players, not 9"),
        (["play", "kolpa", "--seat", "4"], "no seat 4"),
        (["play", "kolpa", "--option", "target"], "NAME=VALUE"),
        (["play", "kolpa", "--option", "target=1"], "from 20 to 200"),
        (["play", "--resume", "/no/such/file"], "cannot read /no/such/file"),
        (["replay", "/no/such/file"], "cannot read"),
        (["draw", "kolpa", "--out", "/dev/null/x"], "cannot draw into"),
        (["bench", "chess"], "no game 'chess'"),
        (["bench", "chess", "--gpu"], "no game 'chess'"),
        (["calibrate", "kolpa", "--out", "no/such/folder/x.svg"], "there is no folder"),
        (["calibrate", "kolpa", "--out", "x.xyz"], "written as .svg, .png, .pdf, not as 'x.xyz'"),
    ],
)
def test_a_mistake_gets_one_line_and_an_exit_code(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["dance"],
        ["play", "--players", "many"],
        ["draw", "viva"],
        ["bench", "--seconds", "-1"],
        ["bench", "--seconds", "nan"],
        ["bench", "--gpu", "--peers"],
    ],
)
def test_a_wrong_command_line_gets_one_line_too(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("game", kibitz.games())
@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_whole_match_is_played_in_the_terminal(
    game: str, lang: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, *["1"] * 3000)
    small = [f"--option={name}={value}" for name, value in short(game).items()]
    assert main(["play", game, "--seed", "5", "--lang", lang, *small]) == 0
    text = capsys.readouterr().out
    assert {"en": "The match is over", "de": "Die Partie ist zu Ende"}[lang] in text


def test_leaving_keeps_the_match_and_says_how_to_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    typed(monkeypatch, "1", "quit")
    assert main(["play", "kolpa", "--seed", "3"]) == 0
    saved = tmp_path / "data" / "kibitz" / "kolpa.json"
    assert f"--resume {saved}" in capsys.readouterr().out.replace("\n", " ")
    before = kibitz.load(saved.read_text("utf-8"))
    assert [entry for entry in before.log if entry[0] == 0]
    typed(monkeypatch, "save " + str(tmp_path / "again.json"))
    assert main(["play", "--resume", str(saved)]) == 0
    assert (tmp_path / "again.json").read_text("utf-8") == saved.read_text("utf-8")


def test_the_table_answers_every_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    match = kibitz.new("kolpa", players=4, seed=3)
    refused = next(c for c in ("kolpa r0", "kol r0", "kol p1") if c not in match.legal(0))
    cards = ("card joker", "card R5", "card r9")
    asides = ("99", refused, "nonsense", "?", "? T5", "? X1", *cards, "log", "")
    typed(monkeypatch, *asides, "save /dev/null/x")
    assert main(["play", "kolpa", "--seed", "3"]) == 0
    text = capsys.readouterr().out
    for expected in (
        "? [rule]",
        "no choice 99",
        "Not allowed:",
        "no action 'nonsense'",
        "KOLPA-T5",
        "no rule",
        "joker: Goes on any card",
        "red 5: Matches cards",
        "Which card?",
    ):
        assert expected in text
    assert "cannot write /dev/null/x" in text


def test_what_can_be_typed_is_told_last_after_the_rules(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The rules of a game fill more than a screen."""
    main(["rules", "kolpa"])
    rules, _, _ = capsys.readouterr().out.strip().rpartition("\n\n")  # what `--ids` tells
    typed(monkeypatch, "?", "quit")
    main(["play", "kolpa", "--seed", "3"])
    _, there, after_the_rules = " ".join(capsys.readouterr().out.split()).partition(
        " ".join(rules.split()[-8:])
    )
    assert there
    assert "? [rule]" in after_the_rules


def test_the_terminal_pauses_when_a_round_is_over_and_shows_how_it_ended(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The table as it lies, with open hands, why it ended, and the cards of each score."""
    pauses: list[str] = []

    def answer(_: object, prompt: str) -> str:
        shown = capsys.readouterr().out
        if "round is over" not in prompt:
            return "stop"
        pauses.append(shown)
        return "log" if len(pauses) == 1 else ""

    monkeypatch.setattr("rich.console.Console.input", answer)
    options = ["--players", "2", "--option", "rounds=2", "--seed", "5"]
    assert main(["play", "lantern", *options, "--lang", "en"]) == 0
    ended, log = pauses
    assert "Nobody goes on: the round is over." in ended
    assert "Nobody goes on: the round is over." in log
    table, _, sheet = ended.partition("End of round 1")
    hands = [line for line in table.splitlines() if "Hand: " in line]
    assert len(hands) >= 1
    assert not any("cards" in hand for hand in hands[-2:]), "hands lie open"
    assert "Cards" in sheet
    assert "+0" in sheet
    assert "End of round 2" in capsys.readouterr().out


def test_the_terminal_draws_the_same_when_unseen_cards_are_redealt() -> None:
    match = kibitz.new("zocken", players=3, seed=11)
    other = kibitz.load(match.save())
    border.redeal_at(other.state, 0, 0, 1, 2)
    assert other.state.tobytes() != match.state.tobytes()
    drawn = []
    for table in (match, other):
        console = Console(file=StringIO(), width=120)
        draw_table(console, Phrasebook(table.game, "en", "ABC"), table.view(0))
        drawn.append(console.file.getvalue())  # type: ignore[attr-defined]
    assert drawn[0] == drawn[1]


def test_replay_tells_a_match(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    match = kibitz.new("ramon", players=3, seed=4, target=30)
    while not match.over:
        if match.round_over:
            match.next_round()
        (seat,) = match.to_act
        match.play(seat, match.legal(seat)[0])
    file = tmp_path / "match.json"
    file.write_text(match.save(), "utf-8")
    assert main(["replay", str(file), "--lang", "fr"]) == 0
    text = capsys.readouterr().out
    assert text.count("Fin de la manche") == match.round
    assert "La partie est terminée" in text
    assert main(["replay", str(file), "--at", "3", "--seat", "1"]) == 0
    assert main(["replay", str(file), "--at", "9999"]) == 2
    assert "the lines of this match" in capsys.readouterr().err


def test_replay_of_rubbish(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rubbish"
    file.write_bytes(b"\xff\xfe\x00")
    assert main(["replay", str(file)]) == 2
    assert "not text" in capsys.readouterr().err


def test_replay_reads_standard_input() -> None:
    match = kibitz.new("kolpa", players=2, seed=4)
    done = run("replay", "-", "--lang", "en", typed=match.save())
    assert done.returncode == 0
    assert "Round 1" in done.stdout


@pytest.mark.parametrize("game", kibitz.games())
def test_draw_writes_every_face_and_a_contact_sheet(game: str, tmp_path: Path) -> None:
    assert main(["draw", game, "--out", str(tmp_path / "cards")]) == 0
    files = {file.name for file in (tmp_path / "cards").iterdir()}
    assert {"back.svg", "contact-sheet.svg"} <= files
    assert all(name.isascii() for name in files)
    for file in (tmp_path / "cards").iterdir():
        ElementTree.parse(file)


def test_bench_prints_the_figures_that_are_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if not THOROUGH:  # to start without anything compiled takes long, and other tests do it too
        starts = {"cold_start_s": 9.0, "warm_start_s": 1.0}
        monkeypatch.setitem(measuring.MEASURES, "starting", lambda *_: starts)
    assert main(["bench", "lantern", "--json", "--seconds", "0.02"]) == 0
    (figures,) = json.loads(capsys.readouterr().out)
    assert set(figures) == {
        "game", "players", "moves_per_s", "games_per_s", "moves_per_game", "copy_ns", "redeal_ns",
        "threads_moves_per_s", "checked_moves_per_s", "cold_start_s", "warm_start_s", "state_bytes",
        "search_sims_per_s",
    }  # fmt: skip
    assert figures["players"] == 4
    assert all(value > 0 for value in figures.values() if not isinstance(value, str))


def test_the_layout_of_observations_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["observation", "kolpa", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    end = 0
    for section in told["sections"]:
        assert section["offset"] == end, "sections follow each other without gaps"
        end += section["length"]
    assert end == told["size"]
    assert told["actions"][0] == "kol r0"
    assert main(["observation", "kolpa"]) == 0
    text = capsys.readouterr().out
    for section in told["sections"]:
        start = rf"^ *{section['offset']} +{section['length']} +{re.escape(section['name'])} "
        assert re.search(start, text, re.M), section
    assert "+0 is the own seat" in text


def test_peers_are_measured_beside_the_games(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (eights, *_) = observing_peers.PEERS
    monkeypatch.setattr(observing_peers, "PEERS", [eights])
    monkeypatch.setattr(observing_peers, "missing", lambda: ["rlcard"])
    monkeypatch.setattr(peers, "measure", lambda _: [("tortoise", 100.0)])
    words = ["bench", "lantern", "--peers", "--seconds", "0.02"]
    assert main([*words, "--json"]) == 0
    lantern, rates = json.loads(capsys.readouterr().out)
    assert lantern["times_as_fast_as"]["tortoise"] == pytest.approx(
        lantern["moves_per_s"] / 100, abs=0.1
    )
    stepped, alone = rates["observing_peers"].items()
    assert lantern["observing"][stepped[0]] == pytest.approx(
        lantern["observed_moves_per_s"] / stepped[1], abs=0.1
    )
    assert alone[0].endswith("tensor alone")
    assert lantern["observing"][alone[0]] == pytest.approx(
        lantern["observations_per_s"] / alone[1], abs=0.1
    )
    assert main(words) == 0
    assert "not measured: pip install rlcard" in capsys.readouterr().out


def test_the_figures_of_a_bench_fit_into_eighty_columns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    figures = {key: 123.4 * unit for key, unit, _ in bench.COLUMNS.values()}
    monkeypatch.setattr(bench, "_games", lambda *_: [{"game": "a" * 10, **figures}])
    assert main(["bench", "lantern"]) == 0
    text = capsys.readouterr().out
    assert max(len(line) for line in text.splitlines()) <= 80
    assert "…" not in text
    assert text.count("123.4") + text.count("123 ") + text.count("123\n") == len(bench.COLUMNS)
    assert "a" * 10 in text


def test_no_figure_of_a_bench_is_lost_in_a_narrow_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    figures = {key: 123.4 * unit for key, unit, _ in bench.COLUMNS.values()}
    monkeypatch.setattr(bench, "_games", lambda *_: [{"game": "a" * 10, **figures}])
    assert main(["bench", "lantern"]) == 0
    text = capsys.readouterr().out
    assert text.count("123") == len(bench.COLUMNS)
    assert "a" * 10 in text


def test_ctrl_c_at_the_table_leaves_cleanly(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "kibitz", "play", "kolpa", "--seed", "1", "--lang", "en"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert process.stdout
    while ">" not in process.stdout.read(1):
        pass
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 0
    assert "Goodbye" in out
    assert "Traceback" not in err


def test_every_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("games", "rules", "play", "replay", "draw", "bench"):
        with pytest.raises(SystemExit) as end:
            main([command, "--help"])
        assert end.value.code == 0
        assert command in capsys.readouterr().out
