"""The body of a response, decoded within a limit."""

import zlib
from collections.abc import Iterable

from pulumi_dataprotection._printable import printable

__all__ = ["MAX_BYTES", "BodyError", "read_body"]

MAX_BYTES = 64 * 1024 * 1024
_GZIP_OR_ZLIB = zlib.MAX_WBITS | 32


class BodyError(Exception):
    """A body that cannot be decoded.

    Attributes:
        lasting: whether another attempt would fail in the same way.
    """

    def __init__(self, text: str, *, lasting: bool = False) -> None:
        super().__init__(text)
        self.lasting = lasting


def read_body(chunks: Iterable[bytes], content_encoding: str) -> bytes:
    """Read a body until its end, or until it is longer than 64 MiB.

    Args:
        chunks: the body as it arrives.
        content_encoding: the header. A body has one encoding at most: each further one multiplies its length by up to
            a thousand.

    Raises:
        BodyError: It cannot be decoded.
    """
    encodings = [name for part in content_encoding.lower().split(",") if (name := part.strip()) not in {"", "identity"}]
    if encodings and encodings not in (["gzip"], ["x-gzip"], ["deflate"]):
        text = f'the answer has the content encoding "{printable(content_encoding)}", and only gzip was asked for'
        raise BodyError(text, lasting=True)
    return _read(_decompressed(chunks) if encodings else chunks)


def _read(chunks: Iterable[bytes]) -> bytes:
    body = bytearray()
    for chunk in chunks:
        body += chunk
        if len(body) > MAX_BYTES:
            break
    return bytes(body)


def _decompressed(chunks: Iterable[bytes]) -> Iterable[bytes]:
    stream, begun = zlib.decompressobj(_GZIP_OR_ZLIB), False
    for chunk in chunks:
        begun = True
        try:
            yield stream.decompress(chunk, MAX_BYTES + 1)
        except zlib.error as error:
            raise BodyError(f"the answer cannot be decompressed: {error}") from None
        if stream.unused_data:
            raise BodyError("the answer cannot be decompressed: data follows its end")
    if begun and not stream.eof:
        raise BodyError("the answer cannot be decompressed: its end is missing")
