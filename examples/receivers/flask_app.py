"""A webhook receiver in Flask, beside receiver.py. Run: WEBHOOK_SECRET=whsec_… flask --app flask_app run"""

import json

from flask import Flask, request
from receiver import is_bounded, is_genuine, seen

app = Flask(__name__)


@app.post("/webhooks")
def receive():
    if not is_bounded(request.headers):
        return "", 413
    body = request.get_data()  # the raw bytes, before anything parses them
    if not is_genuine(request.headers.get("X-Partner-Signature", ""), body):
        return "", 400
    event = json.loads(body)
    if seen.setdefault(event["id"], body) is body:
        print(event["id"], event["type"], flush=True)
    return "", 204
