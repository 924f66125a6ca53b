"""Services over https, with certificates of a test's own authority."""

import ssl
from collections.abc import Generator
from contextlib import contextmanager

import trustme

from support.scripted import Scripted

__all__ = ["certificate_of", "encrypted"]


def certificate_of(authority: trustme.CA) -> ssl.SSLContext:
    """Return the server's side of encryption, with a certificate of the authority."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.tempfile() as path:
        context.load_cert_chain(path)
    return context


@contextmanager
def encrypted(authority: trustme.CA) -> Generator[Scripted]:
    """Run a service over https without a script, with a certificate of the authority."""
    with Scripted(certificate_of(authority)) as server:
        yield server
