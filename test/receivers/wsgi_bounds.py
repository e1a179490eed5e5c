"""Checks that the recipe for Flask or Django refuses bodies without a bound, and reads no more than the limit."""

import os
import sys
from wsgiref.util import setup_testing_defaults

os.environ["WEBHOOK_SECRET"] = "of the test"
RECEIVERS = os.environ.setdefault("RECEIVERS", os.getcwd())
sys.path.insert(0, RECEIVERS)
from receiver import MAX_BYTES  # in that folder


class Endless:
    taken = 0

    def read(self, size=-1):
        if size < 0 or self.taken > MAX_BYTES:
            raise SystemExit("The recipe reads without end.")
        self.taken += min(size, MAX_BYTES)
        return b"x" * min(size, MAX_BYTES)


def app_of(name):
    if name == "flask":
        from flask_app import app

        return app
    import django_site  # configures Django
    from django.core.wsgi import get_wsgi_application

    return get_wsgi_application()


app = app_of(sys.argv[1])
for headers in [{"CONTENT_LENGTH": length} for length in ("-1", "ten", "1e3", "10000000000", "9" * 5000)] + [
    {"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input_terminated": True},
    {"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input_terminated": True, "CONTENT_LENGTH": "9"},
]:
    environ = {"REQUEST_METHOD": "POST", "PATH_INFO": "/webhooks", "wsgi.input": Endless(), **headers}
    setup_testing_defaults(environ)
    statuses = []
    b"".join(app(environ, lambda status, headers, exc_info=None: statuses.append(status)))
    if not statuses[0].startswith("413"):
        raise SystemExit(f"{headers} gets {statuses[0]}")
