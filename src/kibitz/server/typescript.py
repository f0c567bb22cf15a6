"""The protocol as TypeScript types: `python -m kibitz.server.typescript > web/src/protocol.ts`."""

import types
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
from msgspec import UnsetType

from kibitz.server import describe, protocol

# In the page a view is a view, and what the server says are frames.
NAMES = {
    "ZoneData": "ZoneView", "ViewData": "View", "SeatData": "Seat", "ChatLine": "Said",
    "OpinionData": "Opinion", "OptionData": "Option", "FamilyData": "Family", "VerbData": "Verb",
    "KindData": "Kind", "FieldData": "Field", "BlockData": "Block", "Ok": "OkFrame",
    "No": "NoFrame", "Table": "TableFrame", "Moved": "MovedFrame", "Seats": "SeatsFrame",
    "Said": "SaidFrame", "Previewed": "PreviewFrame", "Hinted": "HintFrame", "Barred": "BarsFrame",
    "LobbyNews": "LobbyFrame", "Again": "RematchFrame", "Bye": "ByeFrame", "Enter": "EnterCommand",
}  # fmt: skip
PLAIN = {int: "number", float: "number", str: "string", bool: "boolean", Any: "unknown"}


class Writer:
    """Interfaces, each written once, those it is made of before it."""

    def __init__(self) -> None:
        self.written: dict[str, str] = {}

    def struct(self, struct: Any) -> str:
        """The name of a struct's interface; it is written if it is new."""
        name: str = NAMES.get(struct.__name__, struct.__name__)
        if struct.__module__ == protocol.__name__ and issubclass(struct, protocol.Command):
            name = NAMES.get(struct.__name__, f"{struct.__name__}Command")
        if name not in self.written:
            self.written[name] = ""
            lines = [f"/** {(struct.__doc__ or '').strip()} */", f"export interface {name} {{"]
            config = struct.__struct_config__
            if config.tag_field:
                lines.append(f"  {config.tag_field}: '{config.tag}';")
            for field in msgspec.structs.fields(struct):
                kinds = [k for k in _parts(field.type) if k is not UnsetType]
                mark = "" if field.required else "?"
                lines.append(f"  {field.name}{mark}: {self.union(kinds)};")
            self.written.pop(name)
            self.written[name] = "\n".join([*lines, "}"])
        return name

    def union(self, kinds: list[Any]) -> str:
        """One type, or several."""
        return " | ".join(dict.fromkeys(self.type(kind) for kind in kinds))

    def type(self, kind: Any) -> str:
        """A type of Python's as one of TypeScript's."""
        origin, inside = get_origin(kind), get_args(kind)
        if kind in PLAIN:
            return PLAIN[kind]
        if kind is None or kind is type(None):
            return "null"
        if origin is Annotated:
            return self.type(inside[0])
        if origin is Literal:
            return " | ".join(f"'{word}'" for word in inside)
        if origin is list:
            item = self.union(_parts(inside[0]))
            return f"({item})[]" if " " in item else f"{item}[]"
        if origin is tuple:
            return f"[{', '.join(self.type(k) for k in inside)}]"
        if origin is dict:
            return f"Record<string, {self.union(_parts(inside[1]))}>"
        if origin in (Union, types.UnionType):
            return self.union(_parts(kind))
        return self.struct(kind)


def _parts(kind: Any) -> list[Any]:
    return list(get_args(kind)) if get_origin(kind) in (Union, types.UnionType) else [kind]


def typescript() -> str:
    """The whole module."""
    writer = Writer()
    for struct in (describe.Games, describe.Description, describe.Rulebook, protocol.Mine):
        writer.struct(struct)
    frames = [writer.struct(frame) for frame in get_args(protocol.AnyFrame)]
    commands = [writer.struct(command) for command in get_args(protocol.AnyCommand)]
    return "\n\n".join(
        [
            "// Made by `python -m kibitz.server.typescript` from what the server speaks.",
            f"export const VERSION = {protocol.VERSION};",
            *writer.written.values(),
            f"export type Frame = {' | '.join(frames)};",
            f"export type Command = {' | '.join(commands)};",
            "",
        ]
    )


if __name__ == "__main__":
    print(typescript(), end="")
