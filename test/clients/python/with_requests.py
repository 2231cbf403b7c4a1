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
        self.rest, self.ws, self.key, self.secret = rest, ws, key, secret
        self.session = requests.Session()
        self.session.trust_env = False
        self.session.headers["X-MBX-APIKEY"] = key

    def call(self, method, path, signed=True, **parameters):
        """In the body of POST and PUT, else in the query. Raises RuntimeError with the exchange's words."""
        if signed:
            parameters["timestamp"] = int(time.time() * 1000)
            text = "&".join(f"{name}={value}" for name, value in parameters.items())
            parameters["signature"] = self.sign(text)
        where = "data" if method in ("POST", "PUT") else "params"
        answer = self.session.request(method, self.rest + path, timeout=TIMEOUT_S, **{where: parameters})
        if answer.status_code != 200:
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text}")
        return answer.json()

    def sign(self, text):
        return hmac.new(self.secret.encode(), text.encode(), hashlib.sha256).hexdigest()

    def open(self, path):
        return Socket(self.ws + path)


class Socket:
    """`websockets` is for asyncio: each connection has a loop of its own, which runs while the client waits for it."""

    def __init__(self, url):
        self.loop = asyncio.new_event_loop()
        self.socket = self._wait(self._connect(url))

    async def _connect(self, url):
        return await websockets.connect(url)

    def next(self):
        """The next message. Raises asyncio.TimeoutError when none comes in time."""
        return json.loads(self._wait(self.socket.recv()))

    def send(self, message):
        self._wait(self.socket.send(json.dumps(message)))

    def close(self):
        self._wait(self.socket.close())
        self.loop.close()

    def _wait(self, work):
        return self.loop.run_until_complete(asyncio.wait_for(work, TIMEOUT_S))


if __name__ == "__main__":
    scenario.main(Client)
