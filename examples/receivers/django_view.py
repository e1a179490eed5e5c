"""A webhook receiver in Django, beside receiver.py. Add to your urls: path("webhooks", receive)"""

import json

from django.http import HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from receiver import is_bounded, is_genuine, seen


@csrf_exempt
@require_POST
def receive(request):
    if not is_bounded(request.headers):
        return HttpResponse(status=413)
    body = request.body  # the raw bytes, before anything parses them
    if not is_genuine(request.headers.get("X-Partner-Signature", ""), body):
        return HttpResponse(status=400)
    event = json.loads(body)
    if seen.setdefault(event["id"], body) is body:
        print(event["id"], event["type"], flush=True)
    return HttpResponse(status=204)
