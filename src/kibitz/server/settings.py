"""What the person who runs a server can set: by flags, by KIBITZ_… variables, by a file."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from kibitz.engine.errors import KibitzError
from kibitz.server.addresses import networks

PREFIX = "KIBITZ_"
_LISTS = ("origins", "trusted_proxies", "games_offered")


def data_folder() -> Path:
    """Where matches are kept if nothing else is said."""
    home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return home / "kibitz"


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """All settings of a server, with their defaults. docs/operators.md explains each."""

    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8020
    address: str = ""  # where others reach this server, for the links that the page shows
    store: str = ""  # a file, or postgresql://…
    bus: str = ""  # redis://…, or nothing
    origins: list[str] = []  # other origins whose pages may connect
    trusted_proxies: list[str] = []  # addresses or networks whose X-Forwarded-For is believed
    connections_per_address: int = 200
    messages_per_second: float = 20.0
    tables_per_hour: float = 120.0
    bot_pace: float = 1.0
    round_pause: float = 30.0  # seconds until the next round is dealt if nobody says go on
    games_offered: list[str] = []  # all that are found, if empty
    keep_days: Annotated[float, Meta(ge=0)] = 0  # finished tables; 0: for ever
    keep_chat_days: Annotated[float, Meta(ge=0)] = 0  # what was said; 0: as long as its table
    metrics: str = ""  # HOST:PORT at which figures for Prometheus are shown
    metrics_token: str = ""  # with which they are shown at /metrics of the server itself
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    def __post_init__(self) -> None:
        networks(self.trusted_proxies)

    @property
    def store_file(self) -> Path:
        """The file of the store, where it is one."""
        return Path(self.store) if self.store else data_folder() / "tables.db"


def read_settings(file: str | None, flags: Mapping[str, object]) -> Settings:
    """The settings: a flag counts before a variable, a variable before the file."""
    given: dict[str, Any] = {}
    if file is not None:
        given |= _read_file(Path(file))
    for name in Settings.__struct_fields__:
        value = os.environ.get(PREFIX + name.upper())
        if value is not None:
            given[name] = value.split() if name in _LISTS else value
    given |= {name: value for name, value in flags.items() if value is not None}
    try:
        return msgspec.convert(given, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise KibitzError(f"a setting is wrong: {error}") from None


def _read_file(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise KibitzError(f"cannot read {file}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise KibitzError(f"{file} is no TOML file: {error}") from None
