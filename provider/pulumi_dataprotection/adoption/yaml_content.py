"""The content of data files: YAML of a model, with the line of each error."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar, cast

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError
from yaml.constructor import ConstructorError
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from pulumi_dataprotection._printable import printable
from pulumi_dataprotection.client.errors import DataProtectionError
from pulumi_dataprotection.core.protection_set.inputs import text_problem

__all__ = ["DataFileError", "FileContent", "Text", "compose", "load"]

# libyaml needs a second for 100,000 members, the loader in Python twenty.
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class DataFileError(DataProtectionError):
    """A data file of the project cannot be used; the text names the file and the line."""


def _usable(text: str) -> str:
    if problem := text_problem(text):
        raise ValueError(problem)
    return text


Text = Annotated[str, AfterValidator(_usable)]
"""A name or an id as resources accept it."""


class FileContent(BaseModel):
    """The base of the contents of data files: nothing is converted, and unknown fields are errors."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


Content = TypeVar("Content", bound=FileContent)


def compose(text: str) -> Node | None:
    """Return the nodes of a valid text, with their positions."""
    loader = _Loader(text)
    try:
        return cast("Node | None", loader.get_single_node())
    finally:
        loader.dispose()


def load(text: str, source: str, model: type[Content]) -> Content:
    """Read and validate the content of a data file.

    Args:
        text: the content.
        source: the file, as errors name it.
        model: the expected content.

    Raises:
        DataFileError: The text is not YAML, or it has another content.
    """
    loader = _Loader(text)
    try:
        node = cast("Node | None", loader.get_single_node())
        if node is None:
            raise DataFileError(f"Cannot read {printable(source)}: it is empty. Restore the file.")
        _reject_duplicates(node)
        content = cast("object", loader.construct_document(node))
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise DataFileError(f"Cannot read {printable(source)}{_place(error)}: {_cause(error)}.") from None
    finally:
        loader.dispose()
    try:
        return model.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        line, path = _line(node, first["loc"])
        message = first["msg"].removeprefix("Value error, ")
        hint = " Put a text in quotes." if first["type"] == "string_type" else ""
        where = f"{printable(source)}, line {line}"
        raise DataFileError(f"Cannot read {where}: {printable(path)}: {printable(message)}.{hint}") from None


def _reject_duplicates(node: Node) -> None:
    nodes: list[Node] = [node]
    for one in nodes:
        if isinstance(one, MappingNode):
            seen: set[str] = set()
            for key, value in cast("list[tuple[Node, Node]]", one.value):
                if isinstance(key, ScalarNode) and key.value in seen:
                    raise ConstructorError(None, None, f'"{key.value}" is there twice', key.start_mark)
                seen |= {key.value} if isinstance(key, ScalarNode) else set()
                if not isinstance(value, ScalarNode):
                    nodes.append(value)
        elif isinstance(one, SequenceNode):
            nodes += [child for child in one.value if not isinstance(child, ScalarNode)]


def _place(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    return f", line {mark.line + 1}" if mark else ""


def _cause(error: Exception) -> str:
    return printable(getattr(error, "problem", None) or error)


def _line(node: Node, location: tuple[int | str, ...]) -> tuple[int, str]:
    """Return the line of a value, and its path."""
    path: list[str] = []
    for step in location:
        if isinstance(node, MappingNode):
            entries = cast("list[tuple[ScalarNode, Node]]", node.value)
            found = [value for key, value in entries if key.value == str(step)]
        else:
            items = cast("list[Node]", node.value) if isinstance(node, SequenceNode) else []
            found = items[step : step + 1] if isinstance(step, int) else []
        if not found:
            break
        node = found[0]
        path.append(str(step))
    missing = [str(step) for step in location[len(path) :] if step != "[key]"]
    return node.start_mark.line + 1, ".".join([*path, *missing]) or "the file"
