"""A key server for the secrets of stacks, as Pulumi's secrets provider `hashivault` asks for one.

With a passphrase each command derives a key, which takes a third of the time of a small command. The tests of the
plugin and of the wheel use passphrases.
"""

import json
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

__all__ = ["PROVIDER", "vault_variables"]

PROVIDER = "hashivault://tests"
_PREFIX = "vault:v1:"


class _Transit(BaseHTTPRequestHandler):
    """Marks a stack's data key in place of encrypting it: the tests look at the values that the data key encrypts."""

    def do_PUT(self) -> None:
        """Encrypt or decrypt."""
        body: dict[str, str] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "plaintext" in body:
            data = {"ciphertext": f"{_PREFIX}{body['plaintext']}"}
        else:
            data = {"plaintext": body["ciphertext"].removeprefix(_PREFIX)}
        answer = json.dumps({"data": data}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@cache
def vault_variables() -> dict[str, str]:
    """Start the server; return the variables by which a command finds it."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Transit)
    Thread(target=server.serve_forever, name="vault", daemon=True).start()
    return {"VAULT_SERVER_URL": f"http://127.0.0.1:{server.server_port}", "VAULT_SERVER_TOKEN": "tests"}
