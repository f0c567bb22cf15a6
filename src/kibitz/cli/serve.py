"""The table on the network, from the shell."""

import argparse
import gc
import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Awaitable, Callable

import msgspec
from aiohttp import web

from kibitz.engine.errors import KibitzError
from kibitz.games import sound
from kibitz.server.app import Server
from kibitz.server.event_loop import new_event_loop
from kibitz.server.readiness import Readiness
from kibitz.server.settings import Settings, read_settings
from kibitz.server.static import PAGE

log = logging.getLogger(__name__)
FLAGS = ("host", "port", "store", "bus", "log_level")
EVERYWHERE = ("0.0.0.0", "::")
# New objects before the garbage collector looks at them, which holds up everyone. A server leaves
# nothing to it (tests/server/test_garbage.py): it is there for what nobody has thought of.
COLLECT = (5_000_000, 10, 10)
STOP_SECONDS = 9.0  # from the signal to the end, at most
SWITCH_SECONDS = 0.0005  # how long a thinking thread may keep others waiting


def serve(args: argparse.Namespace) -> int:
    """Run a server until it is stopped."""
    settings = read_settings(args.config, {name: getattr(args, name) for name in FLAGS})
    logging.basicConfig(
        level=settings.log_level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    logging.getLogger("aiohttp.access").setLevel(logging.WARNING)
    if not (PAGE / "index.html").is_file():
        print("kibitz: the page has not been built; `make web` builds it", file=sys.stderr)
    listening = _listen(settings)
    if not settings.games_offered:
        found, wrong = sound()
        for problem in wrong:
            print(f"kibitz: {problem}; it is not offered", file=sys.stderr)
        settings = msgspec.structs.replace(settings, games_offered=found)
    port = listening.getsockname()[1]
    settings = msgspec.structs.replace(
        settings, address=settings.address or _address_for_others(settings.host, port)
    )
    readiness = Readiness(tuple(settings.games_offered))
    app = Server(settings, readiness).app
    readiness.load()
    app.on_startup.append(_welcome(settings, port, readiness, open_page=args.open))
    app.on_shutdown.append(_end_soon)
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.set_threshold(*COLLECT)
    web.run_app(
        app,
        sock=listening,
        print=lambda *_: None,
        access_log=None,
        shutdown_timeout=3.0,
        loop=new_event_loop(),
    )
    return 0


async def _end_soon(_: web.Application) -> None:
    """Whatever hangs, a store or a thinking thread: a server that was asked to stop ends."""

    def end() -> None:
        log.error("something did not end in time; what was acknowledged is stored")
        os._exit(1)

    last_resort = threading.Timer(STOP_SECONDS, end)
    last_resort.daemon = True
    last_resort.start()


def _welcome(
    settings: Settings, port: int, readiness: Readiness, *, open_page: bool
) -> Callable[[web.Application], Awaitable[None]]:
    """Says where the table is, once it can be reached and stopped."""

    async def welcome(_: web.Application) -> None:
        here = f"http://{_own_host(settings.host)}:{port}/"
        print(f"The table is set: {here}   (stop with Ctrl-C)", flush=True)
        if settings.address:
            print(f"For others on your network: {settings.address}/", flush=True)
        if not readiness.is_complete:
            print("The games are getting ready: a minute or two, the first time only.", flush=True)
        if open_page:
            threading.Timer(0.3, webbrowser.open, (here,)).start()

    return welcome


def _listen(settings: Settings) -> socket.socket:
    """Bind first, so that a busy port fails at once."""
    try:
        listening = socket.create_server((settings.host, settings.port), backlog=4096)
    except OSError as error:
        where = f"{settings.host}:{settings.port}"
        reason = (error.strerror or str(error)).lower()
        raise KibitzError(f"cannot listen on {where}: {reason}; try --port 0") from None
    listening.setblocking(False)
    return listening


def _own_host(host: str) -> str:
    """The host to type on this machine."""
    return "127.0.0.1" if host in EVERYWHERE else host


def _address_for_others(host: str, port: int) -> str:
    """The address to type on another machine, where the server listens on all."""
    if host not in EVERYWHERE:
        return ""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: it only picks an interface
        except OSError:
            return ""
        return f"http://{probe.getsockname()[0]}:{port}"
