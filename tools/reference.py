"""How the documents' pages write down arguments and outputs: an extension of griffe, which mkdocs.yml names."""

import re

import griffe

__all__ = ["Readable"]

# What each argument and each output of a resource is wrapped in.
_WRAPPED = re.compile(r"pulumi\.(?:Input|Output)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]")
_NAMED = (
    (r"client\.records\.|pulumi\.(?=ResourceOptions)", ""),
    (r"\bOnConflict\b", '"fail" | "take_over" | "accept"'),
    (r"\bOnDestroy\b", '"unprotect" | "keep"'),
    (r"\bOnMissing\b", '"fail" | "warn"'),
    (r"\bAdopt\b", '"keep" | "own"'),
    (r"\bDecimal\b", "int"),
    (r"^(?:Annotated\[)?Timestamp\b.*", "datetime | None"),
    (r"^Annotated\[([^,]*), .*", r"\1"),
    (r"\bItems\b", "list"),
    (r"\bOpen\[(\w+)\]", r"\1 | None"),
)

_FIELDS = "fields (Mapping[str, object]): everything that the service sent, as it came."


class Readable(griffe.Extension):
    """Types without the words that are the same for all of them, and outputs as a section of the docstring."""

    def on_function(self, *, func: griffe.Function, **_: object) -> None:
        """Write the types and defaults of a function's arguments for readers."""
        for parameter in func.parameters:
            annotation = _readable(parameter.annotation)
            if parameter.default is not None:
                parameter.default = _value(str(parameter.default), func.module).replace("'", '"')
            # The page calls an argument optional if its default is None.
            if annotation is not None and parameter.default == "None":
                annotation = annotation.removesuffix(" | None")
            parameter.annotation = annotation

    def on_attribute(self, *, attr: griffe.Attribute, **_: object) -> None:
        """Write the type of an output for readers."""
        attr.annotation = _readable(attr.annotation)

    def on_class(self, *, cls: griffe.Class, **_: object) -> None:
        """Collect the outputs of a resource, which are described one by one, and what open records have in common."""
        if cls.docstring and any(str(base) == "DeclaredResource" for base in cls.bases):
            outputs = [
                f"    {one.name}: {_inside(one.docstring.value)}" for one in cls.attributes.values() if one.docstring
            ]
            cls.docstring.value = "\n".join([cls.docstring.value, "", "Attributes:", *outputs])
        elif cls.docstring and any(str(base) == "OpenRecord" for base in cls.bases):
            head = "" if "Attributes:" in cls.docstring.value else "\n\nAttributes:"
            cls.docstring.value += f"{head}\n    {_FIELDS}"


def _value(default: str, module: griffe.Module) -> str:
    """Return a default with the values of the constants of its module."""
    for name in re.findall(r"\b_[A-Z_]+\b", default):
        if isinstance(constant := module.members.get(name), griffe.Attribute):
            default = default.replace(name, _value(str(constant.value), module))
    return default


def _inside(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _readable(annotation: str | griffe.Expr | None) -> str | None:
    if annotation is None:
        return None
    text = str(annotation)
    while (shorter := _WRAPPED.sub(r"\1", text)) != text:
        text = shorter
    for pattern, name in _NAMED:
        text = re.sub(pattern, name, text)
    return text
