"""Written from docs/webhooks.md alone. Reads lines of base64: secret, header, body, and the clock. Prints true or false."""

import base64
import hashlib
import hmac
import sys


def is_genuine(secret: bytes, header: str, body: bytes, now: int) -> bool:
    entries = [entry.strip().partition("=") for entry in header.split(",")]
    t = next((value for name, _, value in entries if name == "t"), "")
    if not (t.isascii() and t.isdecimal()) or abs(now - int(t)) > 300:
        return False
    digest = hmac.new(secret, t.encode() + b"." + body, hashlib.sha256).hexdigest()
    given = [value for name, _, value in entries if name == "v1"]
    return any(hmac.compare_digest(value.encode(), digest.encode()) for value in given)


for line in sys.stdin:
    secret, header, body, now = line.rstrip("\n").split(" ")
    given = [base64.b64decode(part) for part in (secret, header, body)]
    print("true" if is_genuine(given[0], given[1].decode(), given[2], int(now)) else "false")
