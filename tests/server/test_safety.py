"""What strangers can do to the server: nothing but be refused, with a reason."""

import asyncio
import gzip
import json
import socket
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp.compression_utils import ZLibDecompressor

from kibitz.server import catalogue, static
from kibitz.server.app import SAFETY
from kibitz.server.protocol import LONGEST_MESSAGE, VERSION
from server.guests import Data, run, serving

QUICK: Data = {"games_offered": ["lantern"]}


# ---- who may connect


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        (None, True),
        ("{base}", True),
        ("https://cards.example", True),
        ("https://evil.example", False),
        ("http://127.0.0.1:1", False),
        ("{base}.evil.example", False),
        ("https://cards.example.evil.example", False),
        ("null", False),
        ("", False),
    ],
)
def test_only_our_own_pages_may_connect(origin: str | None, allowed: bool, file: Path) -> None:
    async def connect() -> int:
        async with serving(file, origins=["https://cards.example"], **QUICK) as house:
            headers = {} if origin is None else {"Origin": origin.format(base=house.base)}
            try:
                guest = await house.guest(headers=headers)
            except aiohttp.WSServerHandshakeError as refused:
                return refused.status
            assert (await guest.ask("ping"))["t"] == "ok"
            return 101

    assert run(connect()) == (101 if allowed else 403)


PATHS = [
    "/", "/t/abc", "/api/games", "/api/games/lantern", "/api/games/chess", "/api/nothing",
    "/api/tables/nosuch", "/art/lantern/en/back.svg", "/art/lantern/en/zz.svg", "/health",
    "/metrics",
    "/ws", "/assets/nothing.js", "/favicon.ico",
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_carries_the_safety_headers(path: str, file: Path) -> None:
    async def ask() -> None:
        async with serving(file, **QUICK) as house, house.session.get(house.base + path) as answer:
            for name, value in SAFETY.items():
                assert answer.headers[name] == value
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'self'" in policy
            assert "unsafe" not in policy
            assert "http" not in policy

    run(ask())


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "POST", "OPTIONS"])
def test_a_wrong_method_is_refused_with_a_reason(method: str, file: Path) -> None:
    async def ask() -> None:
        async with (
            serving(file, **QUICK) as house,
            house.session.request(method, house.base + "/api/games") as answer,
        ):
            assert answer.status == 405
            assert (await answer.json())["error"] == "not_found"
            assert answer.headers["X-Content-Type-Options"] == "nosniff"

    run(ask())


TRAVELS = [
    "/../app.py", "/..%2fapp.py", "/%2e%2e/app.py", "/%2e%2e%2f%2e%2e%2fclient.py", "/....//app.py",
    "//etc/passwd", "/%2fetc%2fpasswd", "/assets/../../app.py", "/assets/%2e%2e/%2e%2e/app.py",
    "/art/..%2f..%2fgames/lantern.svg", "/art/lantern/en/..%2f..%2frules.svg", "/%00", "/a%00.js",
    "/api/games/..%2fkolpa", "/api/games/kolpa%00", "/api/games/lantern/texts/..%2fen",
    "/api/games/lantern/rules/..%2f..%2fen", "/api/tables/%00", "/api/tables/..%2f..%2fx",
    "/" + "a" * 300, "/" + "a/" * 2000, "/art/lantern/en/%ff.svg", "/%ff%fe",
    "/api/tables/" + "x" * 5000, "/api/tables/%F0%9F%83%8F/history",
]  # fmt: skip


def ask_raw(port: int, path: str) -> bytes:
    """A request with a path exactly as it is, which no client would tidy up."""
    with socket.create_connection(("127.0.0.1", port), 10) as door:
        door.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        got = b""
        while piece := door.recv(1 << 16):
            got += piece
    return got


def test_no_path_leads_out_of_the_page(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def travel() -> None:
        async with serving(file, **QUICK) as house:
            port = int(house.base.rpartition(":")[2])
            for path in TRAVELS:
                got = await asyncio.to_thread(ask_raw, port, path)
                status = int(got.split(b" ", 2)[1])
                # A name without a dot is one of the page's own addresses.
                page = status == 200 and b"<html" in got.lower()
                assert page or status in (400, 404), (path[:40], status)
                for leak in (b"root:", b"class Server", b"import ", b"Traceback"):
                    assert leak not in got, path

    run(travel())
    assert "Traceback" not in caplog.text


NOTHING = [
    "/art/lantern/en/{n}.svg", "/art/{n}/en/back.svg", "/art/lantern/{n}/back.svg",
    "/api/games/{n}", "/api/games/{n}/texts/en",
    "/api/games/lantern/texts/{n}", "/api/games/lantern/rules/{n}", "/assets/{n}.js",
    "/api/tables/{n}", "/api/tables/{n}/history",
]  # fmt: skip


def remembered() -> int:
    """How much the server keeps of what it was asked for."""
    kept = [thing for module in (catalogue, static) for thing in vars(module).values()]
    return sum(thing.cache_info().currsize for thing in kept if hasattr(thing, "cache_info"))


@pytest.mark.parametrize("path", NOTHING)
def test_asking_for_what_there_is_not_leaves_nothing_behind(path: str, file: Path) -> None:
    async def ask() -> None:
        async with serving(file, **QUICK) as house:
            await house.get(path.format(n="nothing"))
            before = remembered(), len(house.server.tables.rooms)
            for n in range(20):
                assert (await house.get(path.format(n=f"nothing{n}")))[0] == 404
            assert (remembered(), len(house.server.tables.rooms)) == before

    run(ask())


@pytest.mark.parametrize(
    "header", ["Bearer \xff\xfe", "Bearer ", "Basic x", "Bearer a b c", "\xe9"]
)
def test_an_odd_authorization_is_no_fault(header: str, file: Path) -> None:
    async def ask() -> bytes:
        async with serving(file, **QUICK) as house:
            players = await house.started("lantern", people=1, players=2, bots=[None, "easy"])
            port = int(house.base.rpartition(":")[2])

            def request() -> bytes:
                with socket.create_connection(("127.0.0.1", port), 10) as door:
                    head = f"GET /api/tables/{players[0].table}/history HTTP/1.1\r\nHost: x\r\n"
                    head += f"Authorization: {header}\r\nConnection: close\r\n\r\n"
                    door.sendall(head.encode("latin-1"))
                    return door.recv(100)

            return await asyncio.to_thread(request)

    assert int(run(ask()).split(b" ", 2)[1]) in (200, 400, 403)


# ---- bodies over HTTP


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        (b"", 400, "malformed"),
        (b"{", 400, "malformed"),
        (b"[]", 400, "malformed"),
        (b"null", 400, "malformed"),
        (b'"kolpa"', 400, "malformed"),
        (b"\xff\xfe\x00", 400, "malformed"),
        (b'{"game": "\\ud800"}', 400, "malformed"),
        (b"[" * 8000, 400, "malformed"),
        (b'{"game": ' + b"[" * 8000, 400, "malformed"),
        (b'{"game": "lantern", "name": "' + b"x" * LONGEST_MESSAGE + b'"}', 413, "too_long"),
    ],
    ids=lambda value: repr(value)[:24],
)
def test_a_body_that_is_no_wish_is_refused(
    body: bytes, status: int, error: str, file: Path
) -> None:
    async def post() -> tuple[int, Any]:
        async with serving(file, **QUICK) as house:
            return await house.post("/api/tables", body)

    found, answer = run(post())
    assert (found, answer["error"]) == (status, error)


# ---- messages on the WebSocket


WRONG = [
    "", "hello", "{", "[]", "null", "5", '"x"', "{}", '{"do": "ping"}', '{"id": "1"}',
    '{"do": "dance", "id": "1"}', '{"do": "ping", "id": ""}', '{"do": "ping", "id": 5}',
    '{"do": "ping", "id": "' + "x" * 41 + '"}', '{"do": 5, "id": "1"}',
    '{"do": "play", "id": "1", "table": "x"}',
    '{"do": "play", "id": "1", "table": "x", "actions": []}',
    '{"do": "play", "id": "1", "table": "x", "actions": "draw"}',
    '{"do": "play", "id": "1", "table": "x", "actions": [1]}',
    '{"do": "play", "id": "1", "table": "x", "actions": ["' + "a" * 101 + '"]}',
    '{"do": "play", "id": "1", "table": "x", "actions": [' + '"a",' * 40 + '"a"]}',
    '{"do": "enter", "id": "1", "table": "x", "version": "1"}',
    '{"do": "enter", "id": "1", "table": {}, "version": 1}',
    '{"do": "enter", "id": "1", "table": "x", "version": 1, "token": 5}',
    '{"do": "stand_in", "id": "1", "table": "x", "seat": 1, "how": "forever"}',
    '{"do": "bot", "id": "1", "table": "x", "seat": -1, "level": null}',
    '{"do": "bot", "id": "1", "table": "x", "seat": 1.5, "level": null}',
    '{"do": "next_round", "id": "1"}', '{"do": "next_round", "id": "1", "table": 5}',
    '{"do": "nextround", "id": "1", "table": "x"}',
    '{"do": "lobby", "id": "1", "on": "yes"}', '{"do": "ping", "id": "\\ud800"}',
    '{"do": "ping", "id": "a\\u0000b"}',
    '{"do": "say", "id": "1", "table": "a\\u0000", "text": ""}',
    '{"do": "ping", "id": "1", "more": ' + "[" * 9000, "[" * 9000,
]  # fmt: skip


@pytest.mark.parametrize("message", WRONG, ids=lambda text: text[:60])
def test_what_is_no_command_is_answered_with_malformed(
    message: str, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def send() -> Data:
        async with serving(file, **QUICK) as house:
            guest = await house.guest()
            await guest.socket.send_str(message)
            answer = await guest.hears(lambda f: f["t"] == "no")
            assert (await guest.ask("ping"))["t"] == "ok"
            return answer

    answer = run(send())
    assert answer["error"] == "malformed"
    assert answer["text"]
    if message.startswith("{") and '"id": "1"' in message and message.endswith("}"):
        assert answer["re"] == "1"
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("version", [0, VERSION - 1, VERSION + 1, -1, 10**12])
def test_another_version_is_refused_as_that(version: int, file: Path) -> None:
    async def enter() -> Data:
        async with serving(file, **QUICK) as house:
            made = await house.make("lantern")
            guest = await house.guest()
            return await guest.ask("enter", table=made["table"], version=version)

    assert run(enter())["error"] == "version"


def test_binary_messages_are_refused_and_an_oversize_one_as_too_long(file: Path) -> None:
    async def send() -> None:
        async with serving(file, **QUICK) as house:
            guest = await house.guest()
            await guest.socket.send_bytes(b'{"do":"ping","id":"1"}')
            assert (await guest.hears(lambda f: f["t"] == "no"))["error"] == "malformed"
            long = json.dumps({"do": "ping", "id": "1", "more": "x" * LONGEST_MESSAGE})
            await guest.socket.send_str(long)
            answer = await guest.hears(lambda f: f["t"] == "no" and f["error"] == "too_long")
            assert answer["text"]
            assert (await guest.ask("ping"))["t"] == "ok"
            await guest.socket.send_str("x" * (1 << 21))
            assert await guest.is_closed() == 1009

    run(send())


# ---- what is posted


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "GZIP", "x", "gzip, gzip"])
def test_a_compressed_body_is_refused_and_not_unpacked(
    coding: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unpacked: list[object] = []
    unpack = ZLibDecompressor.decompress_sync

    def unpacking(self: ZLibDecompressor, *args: Any, **more: Any) -> bytes:
        unpacked.append(args)
        return unpack(self, *args, **more)

    monkeypatch.setattr(ZLibDecompressor, "decompress_sync", unpacking)

    async def post() -> None:
        async with serving(file, games_offered=["lantern"]) as house:
            body = gzip.compress(b" " * 10_000_000)
            headers = {"Content-Encoding": coding, "Accept-Encoding": "identity"}
            where = house.base + "/api/tables"
            async with house.session.post(where, data=body, headers=headers) as answer:
                assert answer.status == 415
                assert (await answer.json())["error"] == "encoding"
            plain = json.dumps({"game": "lantern", "name": "Ada"})
            headers |= {"Content-Encoding": "identity"}
            async with house.session.post(where, data=plain, headers=headers) as answer:
                assert answer.status == 201

    run(post())
    assert not unpacked


@pytest.mark.parametrize(
    "origin", ["https://elsewhere.example", "null", "http://127.0.0.1", "file://"]
)
@pytest.mark.parametrize("path", ["/api/tables", "/api/tables/x/seats", "/api/mine"])
def test_a_page_of_another_site_cannot_post(origin: str, path: str, file: Path) -> None:
    async def post() -> None:
        async with serving(file, origins=["https://friend.example"]) as house:
            for said, allowed in (
                (origin, False), (house.base, True), ("https://friend.example", True)
            ):  # fmt: skip
                headers = {"Origin": said}
                async with house.session.post(
                    house.base + path, data=b"{}", headers=headers
                ) as answer:
                    error = (await answer.json(content_type=None))["error"]
                    assert (error != "origin") is allowed
                    assert (answer.status == 403) is not allowed

    run(post())


@pytest.mark.parametrize(
    "body",
    [b"\xff\xfe", b'{"game": "\xff", "name": "x"}', b'{"game": "lantern", "name": "\xc3"}',
     b'{"game": "lantern", "name": "\\ud800"}', b'{"tokens": ["\xff"], "name": "\xff"}'],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/api/tables", "/api/mine"])
def test_a_body_that_is_no_text_is_malformed(body: bytes, path: str, file: Path) -> None:
    async def post() -> None:
        async with serving(file) as house:
            status, answer = await house.post(path, body)
            assert (status, answer["error"]) == (400, "malformed")

    run(post())
