"""A game's folder is complete: rulebook, refusals, table, tests."""

import ast
import json
import random
import re
from collections.abc import Iterator

from kibitz.bots.puzzles import FILE, read_puzzles
from kibitz.contract import promise
from kibitz.contract.settings import Setting, wander
from kibitz.engine.errors import KibitzError
from kibitz.engine.game import Game
from kibitz.engine.lesson import PUPIL, read_lesson, scenes
from kibitz.engine.match import Match
from kibitz.engine.options import Choice
from kibitz.engine.tabletop import Look, Tap
from kibitz.texts import LANGUAGES

RULE = re.compile(r"^- \*\*([A-Z]+-[A-Z]+\d+)\*\* \S")
CARD = re.compile(r"\{([^}]+)\}")
MOST_STEPS = 20
LONGEST_SENTENCE = 190
STEPS = 5  # lines on top of a rulebook that say how to play
LONGEST_STEP = 180  # characters
MODULES = ("deck", "rules", "refusals", "positions", "tabletop", "art")


def page_of(game: Game, lang: str) -> str:
    """A rulebook as it is written."""
    return (game.folder / "rulebook" / f"{lang}.md").read_text("utf-8")


def pages_of(game: Game) -> Iterator[tuple[str, str]]:
    """The rulebooks that are there, by language; that none is missing is another promise."""
    for lang in LANGUAGES:
        if (game.folder / "rulebook" / f"{lang}.md").is_file():
            yield lang, page_of(game, lang)


def rules_of(game: Game, lang: str) -> dict[str, bool]:
    """The rule ids of a rulebook page in their order, each with whether it has a ruling."""
    rules: dict[str, bool] = {}
    last = ""
    for line in page_of(game, lang).splitlines():
        if found := RULE.match(line):
            last = found[1]
            assert last not in rules, f"rulebook/{lang}.md: {last} stands there twice"
            rules[last] = False
        elif line.startswith("  > "):
            rules[last] = True
    return rules


@promise
def the_folder_has_what_every_game_folder_has(game: Game) -> None:
    wanted = ["__init__.py", *(f"{name}.py" for name in MODULES), "tests"]
    wanted += [f"texts/{lang}.toml" for lang in LANGUAGES]
    wanted += [f"rulebook/{lang}.md" for lang in LANGUAGES]
    missing = [name for name in wanted if not (game.folder / name).exists()]
    assert not missing, f"{game.folder} lacks {', '.join(missing)}"


@promise
def rulebooks_have_the_same_rules_and_rulings_in_every_language(game: Game) -> None:
    english, prefix = rules_of(game, "en"), f"{game.name.upper()}-"
    assert english, f"rulebook/en.md has no rule; write one as `- **{prefix}T1** …`"
    for rule in english:
        assert rule.startswith(prefix), f"rulebook/en.md: {rule} does not begin with {prefix}"
    for lang in LANGUAGES:
        rules = rules_of(game, lang)
        assert set(rules) == set(english), (
            f"rulebook/{lang}.md has other rules than en.md: {', '.join(set(rules) ^ set(english))}"
        )
        assert list(rules) == list(english), f"rulebook/{lang}.md has the rules in another order"
        other = [rule for rule in rules if rules[rule] != english[rule]]
        assert not other, f"rulebook/{lang}.md and en.md differ in the rulings of {other}"


@promise
def rulebooks_begin_with_how_to_play_in_five_lines(game: Game) -> None:
    for lang, page in pages_of(game):
        chapter = page.split("\n## ")[1].splitlines()
        steps = [line for line in chapter[1:] if line]
        assert [step[:3] for step in steps] == [f"{n}. " for n in range(1, STEPS + 1)], (
            f"rulebook/{lang}.md: its first chapter must say how to play in {STEPS} lines, "
            "`1. …` and so on"
        )
        long = [step[:2] for step in steps if len(step) > LONGEST_STEP]
        assert not long, f"rulebook/{lang}.md: {long} are longer than {LONGEST_STEP} characters"


@promise
def rulebooks_show_cards_of_the_game_and_name_its_options(game: Game) -> None:
    for lang, page in pages_of(game):
        shown = set(CARD.findall(page))
        assert shown, f"rulebook/{lang}.md shows no card; write one as {{code}}"
        unknown = sorted(shown - set(game.layout.deck.codes))
        assert not unknown, f"rulebook/{lang}.md shows {unknown}, which are no cards of the game"
        for option, kind in game.identity.options.items():
            assert f"`{option}`" in page, f"rulebook/{lang}.md does not tell of `{option}`"
            names = {option: f"options.{option}"}
            if isinstance(kind, Choice):
                names |= {word: f"values.{option}.{word}" for word in kind.words}
            for code, key in names.items():
                label = game.texts.say(lang, key)
                for line in page.splitlines():
                    assert f"`{code}`" not in line or label in line, (
                        f"rulebook/{lang}.md: beside `{code}` must stand what the table calls it, "
                        f"{label!r}"
                    )


@promise
def every_rule_is_proven_by_a_test_that_names_it(game: Game) -> None:
    proven = set()
    for file in (game.folder / "tests").glob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                proven |= ids_proven(node)
    rules = set(rules_of(game, "en"))
    assert rules <= proven, f"rules without a test that proves them: {listed(rules - proven)}"
    assert proven <= rules, f"tests of rules that do not exist: {listed(proven - rules)}"


def listed(words: set[str]) -> str:
    """Words in a message."""
    return ", ".join(sorted(words))


def ids_proven(function: ast.FunctionDef) -> set[str]:
    """The ids in the `proves` marks of a test."""
    return {
        argument.value
        for mark in function.decorator_list
        if isinstance(mark, ast.Call) and ast.unparse(mark.func).endswith("proves")
        for argument in mark.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }


@promise
def every_rule_is_cited_in_the_code(game: Game) -> None:
    """Someone who looks for a rule finds its place by searching for its id."""
    code = "\n".join(file.read_text("utf-8") for file in game.folder.glob("*.py"))
    uncited = set(rules_of(game, "en")) - cited(f"{game.name.upper()}-", code)
    assert not uncited, f"no function cites {listed(uncited)}"


def cited(prefix: str, code: str) -> set[str]:
    """The rules that a code cites: `KOLPA-T1`, `KOLPA-T1, J2`, or `KOLPA-T1 to T3` with T2."""
    found = set()
    for run in re.findall(rf"{prefix}[A-Z]+\d+(?:(?:, | to )[A-Z]+\d+)*", code):
        for letters, first, last in re.findall(
            r"([A-Z]+)(\d+)(?: to [A-Z]+(\d+))?", run.removeprefix(prefix)
        ):
            for n in range(int(first), int(last or first) + 1):
                found.add(f"{prefix}{letters}{n}")
    return found


@promise
def every_rule_that_can_refuse_has_a_reason(game: Game) -> None:
    source = (game.folder / "refusals.py").read_text("utf-8")
    returned = set(re.findall(rf'"({game.name.upper()}-[A-Z]+\d+)"', source))
    reasons = set(game.texts.all("en").get("reasons", {}))
    assert returned <= reasons, f"texts/en.toml has no reasons for {listed(returned - reasons)}"
    assert reasons <= returned, f"refusals.py never returns {listed(reasons - returned)}"
    unknown = reasons - set(rules_of(game, "en"))
    assert not unknown, f"rulebook/en.md has no rule {listed(unknown)}"


@promise
def the_table_has_a_place_for_every_zone_and_taps_for_every_verb(game: Game) -> None:
    families, verbs = set(game.layout.zones.families), {verb.name for verb in game.actions.verbs}
    places, taps = set(game.tabletop.places), set(game.tabletop.taps)
    other = listed(places ^ families)
    assert not other, f"tabletop.py: places and zones differ in {other}"
    assert taps == verbs, f"tabletop.py: taps and verbs differ in {listed(taps ^ verbs)}"
    tapped = set()
    for action in game.actions.all:
        path = game.tabletop.path(action)
        assert path, f"tabletop.py: no tap makes {action.text!r}"
        zones = {tap.zone.split(".")[0] for tap in path if tap.kind != "button"}
        assert zones <= families, f"tabletop.py: {action.text!r} taps {listed(zones - families)}"
        tapped |= zones
    for name, place in game.tabletop.places.items():
        hidden = place.look in (Look.NONE, Look.COUNTER)
        assert not (hidden and name in tapped), (
            f"tabletop.py: {name} is tapped, so it must be drawn"
        )


@promise
def what_the_table_tells_is_there_to_be_told(game: Game) -> None:
    table, fields = game.tabletop, game.layout.shown
    for name in table.markers:
        found = fields.get(name)
        names_seats = found is not None and (found.is_seat or found.is_seats)
        assert names_seats, f"tabletop.py: the marker {name!r} is no field that names seats"
    for option in (table.goal, table.rounds):
        known = option is None or option in game.identity.options
        assert known, f"tabletop.py: no option {option!r}"
    taps = [tap for action in game.actions.all for tap in table.path(action)]
    for word in table.quiet:
        is_button = any(tap.kind == "button" and tap.word == word for tap in taps)
        assert is_button, f"tabletop.py: {word!r} is quiet, but no button"
    for name in table.tokens:
        has_words = name in table.facts and bool(fields[name].words)
        assert has_words, f"tabletop.py: the token {name!r} must be a fact with words"
    if table.turned:
        name, word = table.turned
        words = fields[name].words if name in fields else ()
        assert word in words, f"tabletop.py: no {name} {word!r}"
    terms = {term for fs in table.figures.values() for figure in fs for term in figure.terms}
    for term in sorted(terms):
        bare = term.removeprefix("-")
        assert bare.isdigit() or bare in fields or bare in table.places, (
            f"tabletop.py: the term {term!r} of a figure is no number, field or zone"
        )
    verbs = {None, *(verb.name for verb in game.actions.verbs)}
    events = {kind.name for kind in game.events.kinds}
    for chapter in table.chapters:
        assert chapter.verb in verbs, f"tabletop.py: no verb {chapter.verb!r} begins a chapter"
        assert events.issuperset(chapter.after), (
            f"tabletop.py: no events {listed(set(chapter.after) - events)} end a chapter"
        )


@promise
def the_lesson_can_be_played_and_is_short(game: Game) -> None:
    lesson = read_lesson(game)
    if lesson is None:
        return
    assert len(lesson.steps) <= MOST_STEPS, f"lesson.toml has more than {MOST_STEPS} steps"
    names = [step.name for step in lesson.steps]
    assert len(set(names)) == len(names), "lesson.toml: two steps have the same name"
    for scene in scenes(game, lesson):  # it complains of what cannot be played
        unknown = [thing for thing in scene.step.light if not is_there(scene.before, thing)]
        assert not unknown, f"lesson.toml: {scene.step.name}: there is no {unknown} to light up"
        if scene.step.do:
            assert PUPIL in scene.before.to_act, (
                f"lesson.toml: {scene.step.name}: not seat 0's turn"
            )
            scene.before.try_choice(PUPIL, scene.step.do)  # a whole choice
    for lang in LANGUAGES:
        for name in names:
            text = game.texts.say(lang, f"lesson.{name}")
            assert len(text) <= LONGEST_SENTENCE, (
                f"texts/{lang}.toml: lesson.{name} has {len(text)} characters; "
                f"keep to {LONGEST_SENTENCE}, one idea at a time"
            )


@promise
def the_puzzles_can_be_solved(game: Game) -> None:
    found = read_puzzles(game)
    if found:
        rules = json.loads((game.folder / FILE).read_text("utf-8"))["rules"]
        assert rules == game.identity.version, f"{FILE} is of older rules; run `kibitz puzzles`"
    for number, puzzle in enumerate(found):
        where = f"{FILE}, puzzle {number}"
        try:
            match = puzzle.match(game)
        except KibitzError as error:
            raise AssertionError(f"{where}: {error}") from None
        choices = puzzle.choices(match)
        legal = set(choices.whole.values() if choices else match.legal(puzzle.seat))
        assert set(puzzle.chances) == legal, f"{where}: its chances are not those of {legal}"
        best = max(puzzle.chances, key=lambda action: puzzle.chances[action])
        assert best == puzzle.best != puzzle.medium, f"{where}: {puzzle.best} is not best"
        assert puzzle.medium in legal, f"{where}: {puzzle.medium} is not legal"
        assert puzzle.claims, f"{where}: nothing says why"


def is_there(match: Match, thing: str) -> bool:
    """Whether something that is to light up is there: a zone, or a card in it."""
    place, _, code = thing.partition("/")
    zones = match.view(PUPIL).zones
    if not code:
        return any(name == place or name.startswith(f"{place}.") for name in zones)
    mine = zones.get(place) or zones.get(f"{place}.{PUPIL}")
    return mine is not None and code in mine.cards


@promise
def taps_lead_to_exactly_one_action(setting: Setting) -> None:
    """No path of a legal action is the beginning of another's: the last tap decides."""
    match = setting.match(seed=9)
    game = match.game
    for _ in wander(match, random.Random(9), 120):
        for seat in match.to_act:
            paths: dict[tuple[Tap, ...], str] = {}
            for number in match.legal_numbers(seat):
                action = game.actions.all[number]
                path = game.tabletop.path(action)
                assert path not in paths, f"{action.text!r} and {paths[path]!r} are tapped alike"
                paths[path] = action.text
            for path, text in paths.items():
                for n in range(1, len(path)):
                    assert path[:n] not in paths, (
                        f"the taps of {paths[path[:n]]!r} are the beginning of those of {text!r}"
                    )
