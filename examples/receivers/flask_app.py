"""A webhook receiver in Flask, beside receiver.py. Run: WEBHOOK_SECRET=whsec_… flask --app flask_app run"""

import json

from flask import Flask, request
from receiver import MAX_BYTES, is_genuine, seen

app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = MAX_BYTES


@app.post("/webhooks")
def receive():
    body = request.get_data()  # the raw bytes, before anything parses them
    if not is_genuine(request.headers.get("X-Partner-Signature", ""), body):
        return "", 400
    event = json.loads(body)
    if seen.setdefault(event["id"], body) is body:
        print(event["id"], event["type"], flush=True)
    return "", 204
