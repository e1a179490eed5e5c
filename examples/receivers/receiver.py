"""A webhook receiver. Run: WEBHOOK_SECRET=whsec_… PORT=4000 python3 receiver.py"""

import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import SHUT_RD
from threading import Timer

SECRETS = os.environ["WEBHOOK_SECRET"].replace(",", " ").split()  # one or several
MAX_BYTES = 1_048_576
seen: dict[str, bytes] = {}  # yours is a table with a unique column


def is_genuine(header: str, body: bytes) -> bool:
    entries = [entry.strip().partition("=") for entry in header.split(",")]
    t = next((value for name, _, value in entries if name == "t"), "")
    if not (t.isascii() and t.isdecimal()) or abs(time.time() - int(t[:20])) > 300:
        return False
    macs = [hmac.new(secret.encode(), t.encode() + b"." + body, hashlib.sha256) for secret in SECRETS]
    given = [value.encode() for name, _, value in entries if name == "v1"]
    return any([hmac.compare_digest(value, mac.hexdigest().encode()) for value in given for mac in macs])


def is_bounded(headers) -> bool:
    length = headers.get("Content-Length", "") if "Transfer-Encoding" not in headers else ""
    return bool(re.fullmatch("[0-9]{1,7}", length)) and int(length) <= MAX_BYTES


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # keeps connections open

    def handle_one_request(self):
        deadline = Timer(30, self.connection.shutdown, [SHUT_RD])  # seconds for the whole request
        deadline.start()
        try:
            super().handle_one_request()
        finally:
            deadline.cancel()

    def do_POST(self):
        if not is_bounded(self.headers):
            return self.send_error(413)
        body = self.rfile.read(int(self.headers["Content-Length"]))  # the raw bytes, before anything parses them
        is_signed = is_genuine(self.headers.get("X-Partner-Signature", ""), body)
        if is_signed and (event := json.loads(body)) and seen.setdefault(event["id"], body) is body:
            print(event["id"], event["type"], flush=True)
        self.send_response_only(200 if is_signed else 400)
        self.send_header("Content-Length", "0")
        self.end_headers()


if __name__ == "__main__":
    ThreadingHTTPServer((os.environ.get("HOST", ""), int(os.environ["PORT"])), Receiver).serve_forever()
