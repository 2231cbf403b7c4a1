"""Python's published HTTP clients, each as its manual has it. Takes its task as JSON on standard input.

Run by lane.trial.ts; fails when an answer is not 200.
"""

import json
import sys


def check(status, text):
    if status != 200:
        raise RuntimeError(f"{status} {text}")


def http_client(task, headers):
    import http.client
    import urllib.parse

    connection = http.client.HTTPConnection(urllib.parse.urlsplit(task["rest"]).netloc)
    for request in task["requests"]:
        connection.request(task["method"], request["target"], request.get("body"), headers)
        answer = connection.getresponse()
        check(answer.status, answer.read())


def urllib_request(task, headers):
    import urllib.request

    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for request in task["requests"]:
        body = request["body"].encode() if "body" in request else None
        url = task["rest"] + request["target"]
        with opener.open(urllib.request.Request(url, body, headers, method=task["method"])) as answer:
            check(answer.status, answer.read())


def requests_session(task, headers):
    import requests

    session = requests.Session()
    session.trust_env = False
    for request in task["requests"]:
        url = task["rest"] + request["target"]
        answer = session.request(task["method"], url, data=request.get("body"), headers=headers)
        check(answer.status_code, answer.text)


def aiohttp_session(task, headers):
    import asyncio

    import aiohttp

    async def run():
        connector = aiohttp.TCPConnector(force_close=not task["keepsAlive"])
        headers.pop("Connection", None)
        async with aiohttp.ClientSession(connector=connector, headers=headers) as session:
            for request in task["requests"]:
                url = task["rest"] + request["target"]
                async with session.request(task["method"], url, data=request.get("body")) as answer:
                    check(answer.status, await answer.text())

    asyncio.run(run())


RUNS = {
    "http.client": http_client,
    "urllib": urllib_request,
    "requests": requests_session,
    "aiohttp": aiohttp_session,
}


def main():
    task = json.load(sys.stdin)
    headers = {"X-MBX-APIKEY": task["apiKey"]}
    if task["method"] == "POST":
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    if not task["keepsAlive"]:
        headers["Connection"] = "close"
    RUNS[sys.argv[1]](task, headers)


main()
