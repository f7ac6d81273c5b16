"""The usual code in Python."""

import json
import os
import sys

import requests

session = requests.Session()
session.headers["Authorization"] = "Bearer " + os.environ["SITECTL_TOKEN"]
url = os.environ["SITECTL_BASE_URL"] + "/clients"
clients, page, pages = [], 0, 1
while page < pages:
    page += 1
    response = session.get(url, params={"page": page, "perPage": 100})
    response.raise_for_status()
    body = response.json()
    clients += body["clients"]
    pages = body["meta"]["pagination"]["totalPages"]
json.dump(clients, sys.stdout)
