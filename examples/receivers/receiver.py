"""A webhook receiver. Run: WEBHOOK_SECRET=whsec_… PORT=4000 python3 receiver.py"""

import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRETS = os.environ["WEBHOOK_SECRET"].replace(",", " ").split()  # one or several
MAX_BYTES = 1_048_576
seen: dict[str, bytes] = {}  # yours is a table with a unique column


def is_genuine(header: str, body: bytes) -> bool:
    entries = [entry.partition("=") for entry in header.split(",")]
    t = next((value for name, _, value in entries if name == "t"), "")
    if not (t.isascii() and t.isdecimal()) or abs(time.time() - int(t[:20])) > 300:
        return False
    macs = [hmac.new(secret.encode(), t.encode() + b"." + body, hashlib.sha256) for secret in SECRETS]
    given = [value.encode() for name, _, value in entries if name == "v1"]
    return any([hmac.compare_digest(value, mac.hexdigest().encode()) for value in given for mac in macs])


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # keeps connections open
    timeout = 30  # seconds
    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        self.close_connection |= length > MAX_BYTES
        body = self.rfile.read(min(length, MAX_BYTES))  # the raw bytes, before anything parses them
        is_signed = is_genuine(self.headers.get("X-Partner-Signature", ""), body)
        if is_signed and (event := json.loads(body)) and seen.setdefault(event["id"], body) is body:
            print(event["id"], event["type"], flush=True)
        self.send_response_only(200 if is_signed else 400)
        self.send_header("Content-Length", "0")
        self.end_headers()


if __name__ == "__main__":
    ThreadingHTTPServer((os.environ.get("HOST", ""), int(os.environ["PORT"])), Receiver).serve_forever()
