"""Serves examples/receivers/django_view.py with Django's own server. It needs no project."""

import os
import sys

from django.conf import settings
from django.core.management import execute_from_command_line
from django.urls import path

sys.path.insert(0, os.environ["RECEIVERS"])
settings.configure(DEBUG=True, SECRET_KEY="of the test", ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"])
from django_view import receive  # after the settings

urlpatterns = [path("webhooks", receive)]

if __name__ == "__main__":
    execute_from_command_line(["", "runserver", "--noreload", os.environ["PORT"]])
