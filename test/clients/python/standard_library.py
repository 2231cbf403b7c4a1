"""A client on Python's standard library alone. It signs the text as it is sent, percent-encoded.

Run by other-languages.test.ts; see scenario.py for what it does.
"""

import base64
import hashlib
import hmac
import json
import os
import socket
import struct
import time
import urllib.error
import urllib.parse
import urllib.request

import scenario

TIMEOUT_S = 30
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Client:
    def __init__(self, rest, ws, key, secret):
        self.rest, self.ws, self.key, self.secret = rest, ws, key, secret
        # Whatever proxy the machine has: the exchange is near.
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def call(self, method, path, signed=True, **parameters):
        """Everything in the query, the signature last. Raises RuntimeError with the exchange's words."""
        if signed:
            parameters["timestamp"] = int(time.time() * 1000)
        query = urllib.parse.urlencode(parameters)
        if signed:
            query += "&signature=" + self.sign(query)
        url = self.rest + path + ("?" + query if query else "")
        request = urllib.request.Request(url, method=method, headers={"X-MBX-APIKEY": self.key})
        try:
            with self.opener.open(request, timeout=TIMEOUT_S) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.code} {error.read().decode()}") from error

    def sign(self, text):
        return hmac.new(self.secret.encode(), text.encode(), hashlib.sha256).hexdigest()

    def open(self, path):
        return Socket(self.ws, path)


class Socket:
    """A WebSocket (RFC 6455), as far as a client needs it."""

    def __init__(self, ws, path):
        address = urllib.parse.urlsplit(ws)
        self.socket = socket.create_connection((address.hostname, address.port), TIMEOUT_S)
        self.reader = self.socket.makefile("rb")
        nonce = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: {address.netloc}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {nonce}",
        ]
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        status = self.reader.readline().decode()
        if " 101 " not in status:
            raise RuntimeError(f"{path}: {status}")
        while self.reader.readline() not in (b"\r\n", b""):
            pass

    def next(self):
        """The next message. Raises OSError when none comes in time."""
        while True:
            kind, payload = self._frame()
            if kind == TEXT:
                return json.loads(payload)
            if kind == PING:
                self._send(PONG, payload)
            if kind == CLOSE:
                raise RuntimeError("the exchange closed the connection")

    def send(self, message):
        self._send(TEXT, json.dumps(message).encode())

    def close(self):
        self._send(CLOSE, struct.pack("!H", 1000))
        self.socket.close()

    def _frame(self):
        first, second = self._read(2)
        length = second & 127
        if length == 126:
            (length,) = struct.unpack("!H", self._read(2))
        elif length == 127:
            (length,) = struct.unpack("!Q", self._read(8))
        return first & 15, self._read(length)

    def _read(self, count):
        data = self.reader.read(count)
        if len(data) < count:
            raise RuntimeError("the connection ended")
        return data

    def _send(self, kind, payload):
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))
        long = len(payload) > 125
        length = struct.pack("!BH", 128 | 126, len(payload)) if long else bytes([128 | len(payload)])
        self.socket.sendall(bytes([128 | kind]) + length + mask + masked)


if __name__ == "__main__":
    scenario.main(Client)
