"""The protocol as TypeScript types: `python -m kibitz.server.typescript > web/src/protocol.ts`."""

import dataclasses
import types
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UnsetType

from kibitz.server import protocol as p

# What is asked and answered over HTTP; frames and commands are found by themselves.
SPOKEN_OVER_HTTP = (
    p.Games, p.Description, p.Rulebook, p.LessonData, p.PuzzleData, p.NewTable,
    p.MadeTable, p.TakeSeat, p.TakenSeat, p.TableInfo, p.MineRequest, p.Mine, p.HistoryData,
    p.ReviewData, p.Progress, p.Preparation, p.RefusalData,
)  # fmt: skip
PLAIN = {int: "number", float: "number", str: "string", bool: "boolean", Any: "unknown"}


class Writer:
    """Interfaces, each written once, those it is made of before it."""

    def __init__(self) -> None:
        self.written: dict[str, str] = {}

    def struct(self, struct: Any) -> str:
        """The name of a struct's interface; it is written if it is new."""
        name: str = struct.__name__
        if dataclasses.is_dataclass(struct):
            return self._interface(name, struct, self._dataclass(struct))
        if struct.__struct_config__.array_like:
            return self._tuple(name, struct)
        if issubclass(struct, p.Command):
            name += "Command"
        lines = []
        config = struct.__struct_config__
        if config.tag_field:
            lines.append(f"  {config.tag_field}: '{config.tag}';")
        for field in msgspec.structs.fields(struct):
            kinds = [k for k in _parts(field.type) if k is not UnsetType]
            mark = "" if field.required else "?"
            lines.append(f"  {field.name}{mark}: {self.union(kinds)};")
        return self._interface(name, struct, lines)

    def _interface(self, name: str, struct: Any, lines: list[str]) -> str:
        if name not in self.written:
            head = [f"/** {_first_line(struct)} */", f"export interface {name} {{"]
            self.written[name] = "\n".join([*head, *lines, "}"])
        return name

    def _dataclass(self, struct: Any) -> list[str]:
        hints = get_type_hints(struct)
        return [
            f"  {field.name}: {self.union(_parts(hints[field.name]))};"
            for field in dataclasses.fields(struct)
        ]

    def _tuple(self, name: str, struct: Any) -> str:
        if name not in self.written:
            parts = [
                f"{field.name}: {self.union(_parts(field.type))}"
                for field in msgspec.structs.fields(struct)
            ]
            self.written[name] = (
                f"/** {_first_line(struct)} */\nexport type {name} = [{', '.join(parts)}];"
            )
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
        if origin is tuple and inside[-1] is Ellipsis:
            return self.type(list[inside[0]])  # type: ignore[valid-type]
        if origin is tuple:
            return f"[{', '.join(self.type(k) for k in inside)}]"
        if origin is dict:
            return f"Record<string, {self.union(_parts(inside[1]))}>"
        if origin in (Union, types.UnionType):
            return self.union(_parts(kind))
        return self.struct(kind)


def _parts(kind: Any) -> list[Any]:
    return list(get_args(kind)) if get_origin(kind) in (Union, types.UnionType) else [kind]


def _first_line(struct: Any) -> str:
    return (struct.__doc__ or "").strip().partition("\n")[0]


def typescript() -> str:
    """The whole module."""
    writer = Writer()
    for struct in SPOKEN_OVER_HTTP:
        writer.struct(struct)
    frames = [writer.struct(frame) for frame in get_args(p.AnyFrame)]
    commands = [writer.struct(command) for command in get_args(p.AnyCommand)]
    return "\n\n".join(
        [
            "// Made by `python -m kibitz.server.typescript` from what the server speaks.",
            f"export const VERSION = {p.VERSION};",
            *writer.written.values(),
            f"export type Frame = {' | '.join(frames)};",
            f"export type Command = {' | '.join(commands)};",
            "",
        ]
    )


if __name__ == "__main__":
    print(typescript(), end="")
