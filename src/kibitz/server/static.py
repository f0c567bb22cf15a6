"""What does not change while a server runs: the page's files, games, texts and card faces.

Each has a tag, so that a browser need not fetch it twice. The page's files lie there compressed as
well (`make web`), and are sent so.
"""

import asyncio
import hashlib
from functools import cache
from pathlib import Path

from aiohttp import web

from kibitz.games import find
from kibitz.server import catalogue, lessons, puzzles
from kibitz.server.protocol import Refused
from kibitz.server.readiness import Readiness
from kibitz.texts import LANGUAGES

PAGE = Path(__file__).parent / "page"
SMALL = 4096  # bytes; what is larger is compressed beside the loop
FOREVER = "public, max-age=31536000, immutable"
FRESH = "no-cache"
_KINDS = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}  # often unknown


class Static:
    """The page and what it needs to know of the games."""

    def __init__(self, offered: tuple[str, ...], address: str, readiness: Readiness) -> None:
        self._offered, self._address, self._readiness = offered, address, readiness

    def routes(self) -> list[web.RouteDef]:
        """What can be asked for; the last one takes all that is left."""
        return [
            web.get("/api/games", self.games),
            web.get("/api/games/{game}", self.game),
            web.get("/api/games/{game}/texts/{lang}", self.texts),
            web.get("/api/games/{game}/rules/{lang}", self.rules),
            web.get("/api/games/{game}/lesson", self.lesson),
            web.get(r"/api/games/{game}/puzzles/{number:\d{1,4}}", self.puzzle),
            web.get("/art/{game}/{lang}/{code}.svg", self.art),
            web.get("/{path:.*}", self.file),
        ]

    async def games(self, request: web.Request) -> web.Response:
        """All games."""
        return _made(request, catalogue.games(self._offered, self._address))

    async def game(self, request: web.Request) -> web.Response:
        """One game's description: somebody is about to play it."""
        name = find(request.match_info["game"]).name
        self._readiness.want(name)
        return _made(request, catalogue.game(name))

    async def texts(self, request: web.Request) -> web.Response:
        """A game's words."""
        return _made(request, catalogue.texts(*_game_and_language(request)))

    async def rules(self, request: web.Request) -> web.Response:
        """A game's rulebook."""
        return _made(request, catalogue.rules(*_game_and_language(request)))

    async def lesson(self, request: web.Request) -> web.Response:
        """A game's lesson; it is played through when somebody first asks for it."""
        game = find(request.match_info["game"]).name
        self._readiness.check(game, "moves")
        made = await asyncio.to_thread(lessons.lesson, game)
        if made is None:
            raise Refused("not_found", f"{game} has no lesson")
        return _made(request, made)

    async def puzzle(self, request: web.Request) -> web.Response:
        """A puzzle of a game, by its number from 0."""
        game, number = find(request.match_info["game"]).name, request.match_info["number"]
        self._readiness.check(game, "moves")
        made = await asyncio.to_thread(puzzles.puzzle, game, int(number))
        if made is None:
            raise Refused("not_found", f"{game} has no puzzle {number}")
        return _made(request, made)

    async def art(self, request: web.Request) -> web.Response:
        """A card."""
        (game, lang), code = _game_and_language(request), request.match_info["code"]
        drawn = catalogue.picture(game, code, lang)
        if drawn is None:
            raise Refused("not_found", f"{game} has no card {code!r}")
        return _made(request, drawn, "image/svg+xml")

    async def file(self, request: web.Request) -> web.StreamResponse:
        """The page, or one of its files."""
        path = request.match_info["path"]
        file = _file_of_page(path)
        if file is None:
            if path.startswith(("api/", "art/", "assets/")) or "." in path.rpartition("/")[2]:
                raise Refused("not_found", "there is nothing at this address")
            file = PAGE / "index.html"
            if not file.is_file():
                raise Refused("not_found", "the page has not been built; run `make web`")
        headers = {"Cache-Control": FOREVER if path.startswith("assets/") else FRESH}
        if file.suffix in _KINDS:
            headers["Content-Type"] = _KINDS[file.suffix]
        return web.FileResponse(file, headers=headers)


@cache
def _tag(body: bytes) -> str:
    return f'"{hashlib.sha256(body).hexdigest()[:16]}"'


def _made(request: web.Request, body: bytes, kind: str = "application/json") -> web.Response:
    tag = _tag(body)
    headers = {"Cache-Control": FRESH, "ETag": tag}
    if request.headers.get("If-None-Match") == tag:
        return web.Response(status=304, headers=headers)
    response = web.Response(body=body, content_type=kind, headers=headers, zlib_executor_size=SMALL)
    response.enable_compression()
    return response


def _game_and_language(request: web.Request) -> tuple[str, str]:
    game, lang = request.match_info["game"], request.match_info["lang"]
    if lang not in LANGUAGES:
        raise Refused("not_found", f"the languages are {', '.join(LANGUAGES)}")
    return find(game).name, lang


def _file_of_page(path: str) -> Path | None:
    try:
        file = (PAGE / path).resolve()
        return file if path and file.is_file() and file.is_relative_to(PAGE) else None
    except (OSError, ValueError):  # no name that a file could have
        return None
