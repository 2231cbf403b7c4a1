"""A client with `requests` and `websockets`, that signs as python-binance does: the plain text, sent percent-encoded.

Run by other-languages.test.ts; see scenario.py for what it does.
"""

import asyncio
import hashlib
import hmac
import json
import time

import requests
import websockets

import scenario

TIMEOUT_S = 30


class Client:
    def __init__(self, rest, ws, key, secret):
        self.rest, self.ws, self.secret = rest, ws, secret
        self.session = requests.Session()
        self.session.trust_env = False
        self.session.headers["X-MBX-APIKEY"] = key

    def call(self, method, path, signed=True, **parameters):
        """In the body of POST and PUT, else in the query. Raises RuntimeError with the exchange's words."""
        if signed:
            parameters["timestamp"] = int(time.time() * 1000)
            text = "&".join(f"{name}={value}" for name, value in parameters.items())
            parameters["signature"] = hmac.new(self.secret.encode(), text.encode(), hashlib.sha256).hexdigest()
        where = "data" if method in ("POST", "PUT") else "params"
        answer = self.session.request(method, self.rest + path, timeout=TIMEOUT_S, **{where: parameters})
        if answer.status_code != 200:
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text}")
        return answer.json()

    def stream(self, name):
        return Stream(f"{self.ws}/ws/{name}")


class Stream:
    """`websockets` is for asyncio: each stream has a loop of its own, which runs while somebody waits for an event."""

    def __init__(self, url):
        self.loop = asyncio.new_event_loop()
        self.socket = self._wait(self._connect(url))

    async def _connect(self, url):
        return await websockets.connect(url)

    def next(self):
        """The next event. Raises asyncio.TimeoutError when none comes in time."""
        return json.loads(self._wait(self.socket.recv()))

    def close(self):
        self._wait(self.socket.close())
        self.loop.close()

    def _wait(self, work):
        return self.loop.run_until_complete(asyncio.wait_for(work, TIMEOUT_S))


if __name__ == "__main__":
    scenario.main(Client)
