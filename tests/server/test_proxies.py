"""Behind the real proxies, with the configurations that deploy/ offers."""

import random
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from server.guests import House, play_on, run
from server.machines import free_port
from server.process import ServerProcess

DEPLOY = Path(__file__).parents[2] / "deploy"
START_SECONDS = 20.0
# A table for each address, and no second one for hours.
LIMITS = {"trusted_proxies": "127.0.0.1", "tables_per_hour": 4}


@contextmanager
def nginx(folder: Path, server: int, port: int) -> Iterator[None]:
    """nginx with the offered site, on another port and with a certificate of its own."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
         "/CN=localhost", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    site = (DEPLOY / "nginx.conf").read_text()
    for ours, theirs in {
        "listen 443 ": f"listen 127.0.0.1:{port} ",
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "127.0.0.1:8020": f"127.0.0.1:{server}",
        "cards.example.org;": "localhost;",
        "/etc/letsencrypt/live/cards.example.org/fullchain.pem": str(certificate),
        "/etc/letsencrypt/live/cards.example.org/privkey.pem": str(key),
    }.items():
        assert ours in site
        site = site.replace(ours, theirs)
    (folder / "site.conf").write_text(site)
    places = "".join(
        f"{name}_temp_path {folder / name};"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    main = folder / "nginx.conf"
    main.write_text(
        f"user root; daemon off; pid {folder / 'pid'}; error_log stderr; events {{}}\n"
        f"http {{ access_log off; {places} include {folder / 'site.conf'}; }}"
    )
    with _running(["nginx", "-c", str(main), "-p", str(folder)], port):
        yield


@contextmanager
def caddy(folder: Path, server: int, port: int) -> Iterator[None]:
    """Caddy with the offered file, on another port and with an authority of its own."""
    site = (DEPLOY / "Caddyfile").read_text()
    for ours, theirs in {
        "cards.example.org {": f"localhost:{port} {{\n\tbind 127.0.0.1\n\ttls internal",
        "127.0.0.1:8020": f"127.0.0.1:{server}",
    }.items():
        assert ours in site
        site = site.replace(ours, theirs)
    options = ["admin off", "skip_install_trust", "auto_https disable_redirects"]
    lines = [*options, f"storage file_system {folder / 'caddy'}"]
    file = folder / "Caddyfile"
    file.write_text("{\n" + "\n".join(lines) + "\n}\n" + site)
    with _running(["caddy", "run", "--adapter", "caddyfile", "--config", str(file)], port):
        yield


@contextmanager
def _running(command: list[str], port: int) -> Iterator[None]:
    if shutil.which(command[0]) is None:
        pytest.skip(f"no {command[0]} on this machine")
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        _wait_for(process, port)
        yield
    finally:
        process.terminate()
        process.communicate(timeout=10)


def _wait_for(process: "subprocess.Popen[bytes]", port: int) -> None:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    until = time.monotonic() + START_SECONDS
    while True:
        try:
            with (
                socket.create_connection(("127.0.0.1", port), 5) as door,
                context.wrap_socket(door, server_hostname="localhost"),
            ):
                return
        except OSError:
            if process.poll() is not None or time.monotonic() > until:
                assert process.stdout is not None
                process.kill()
                raise AssertionError(process.stdout.read().decode()) from None
            time.sleep(0.2)


@contextmanager
def behind(proxy: Any, file: Path, tmp_path: Path) -> Iterator[str]:
    """A server behind a proxy; the address of the proxy."""
    port = free_port()
    with (
        ServerProcess(file, games="kolpa", **LIMITS) as server,
        proxy(tmp_path, server.port, port),
    ):
        yield f"https://localhost:{port}"


def coming_from(address: str) -> aiohttp.ClientSession:
    connector = aiohttp.TCPConnector(local_addr=(address, 0), ssl=False)
    return aiohttp.ClientSession(connector=connector)


@pytest.mark.parametrize("proxy", [nginx, caddy])
def test_the_page_and_a_match_come_through(proxy: Any, file: Path, tmp_path: Path) -> None:
    async def play(base: str) -> None:
        async with coming_from("127.0.0.1") as session:
            nobody: Any = None
            house = House(nobody, base, session)
            assert (await house.get("/health"))[0] == 200
            assert "<html" in (await house.get("/"))[1]
            assert (await house.get("/metrics"))[0] == 404
            session.headers["Origin"] = base
            players = await house.started("kolpa", people=2)
            assert await play_on(players, random.Random(1), 12) == 12
            session.headers["Origin"] = "https://elsewhere.example"
            status, refused = await house.post("/api/tables", {"game": "kolpa", "name": "Eve"})
            assert (status, refused["error"]) == (403, "origin")
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await house.guest()

    with behind(proxy, file, tmp_path) as base:
        run(play(base))


@pytest.mark.parametrize("proxy", [nginx, caddy])
def test_limits_count_the_address_that_the_proxy_saw(
    proxy: Any, file: Path, tmp_path: Path
) -> None:
    """What a client claims to be is not believed."""

    async def make(session: aiohttp.ClientSession, base: str, claim: str | None) -> int:
        headers = {"X-Forwarded-For": claim} if claim else {}
        wish = {"game": "kolpa", "name": "Ada"}
        async with session.post(f"{base}/api/tables", json=wish, headers=headers) as answer:
            return answer.status

    async def ask(base: str) -> None:
        async with coming_from("127.0.0.8") as one, coming_from("127.0.0.9") as other:
            assert await make(one, base, None) == 201
            for claim in (None, "9.9.9.9", "127.0.0.9", "8.8.8.8, 127.0.0.9"):
                assert await make(one, base, claim) == 429
            assert await make(other, base, "127.0.0.8") == 201

    with behind(proxy, file, tmp_path) as base:
        run(ask(base))
