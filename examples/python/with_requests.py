"""Trades with `requests` and receives reports with `websockets` (Debian: python3-requests, python3-websockets).

    python3 examples/python/with_requests.py            on the demo whose keys are in data/demo.json
    EXCHANGE=http://… API_KEY=… SECRET_KEY=… python3 …   with another exchange
"""

import asyncio
import hashlib
import hmac
import json
import os
import time
import urllib.parse

import requests
import websockets

SYMBOL = "BNBUSDT"
PATIENCE_S = 20


def settings():
    """Returns address and keys from the environment, or from the demo's file."""
    environment = os.environ
    if "API_KEY" in environment:
        exchange = environment.get("EXCHANGE", "http://127.0.0.1:8080")
        return exchange, environment["API_KEY"], environment["SECRET_KEY"]
    with open(environment.get("DEMO_JSON", "data/demo.json"), encoding="utf-8") as file:
        demo = json.load(file)
    account = demo["accounts"][0]
    return environment.get("EXCHANGE", demo["rest"]), account["apiKey"], account["secretKey"]


EXCHANGE, API_KEY, SECRET_KEY = settings()
SESSION = requests.Session()
SESSION.headers["X-MBX-APIKEY"] = API_KEY


def call(method, path, signed=False, **parameters):
    """Sends one request; raises requests.HTTPError with the exchange's message."""
    if signed:
        parameters["timestamp"] = int(time.time() * 1000)
        text = urllib.parse.urlencode(parameters)
        parameters["signature"] = hmac.new(SECRET_KEY.encode(), text.encode(), hashlib.sha256).hexdigest()
    answer = SESSION.request(method, EXCHANGE + path, params=parameters, timeout=10)
    if not answer.ok:
        raise requests.HTTPError(f"{method} {path}: {answer.status_code} {answer.text}", response=answer)
    return answer.json()


async def reports(stream, wanted):
    """Prints reports of our orders until one of them has the given status."""
    while True:
        event = json.loads(await asyncio.wait_for(stream.recv(), PATIENCE_S))
        if event["e"] != "executionReport":
            continue
        print(f"report: order {event['i']} is {event['X']}, {event['z']} of {event['q']} filled")
        if event["X"] == wanted:
            return


async def main():
    # A listen key expires after an hour; a bot that runs longer renews it with PUT every half hour.
    listen_key = call("POST", "/api/v3/userDataStream")["listenKey"]
    async with websockets.connect(f"{EXCHANGE.replace('http', 'ws', 1)}/ws/{listen_key}") as stream:
        ticker = call("GET", "/api/v3/ticker/bookTicker", symbol=SYMBOL)
        print(f"{SYMBOL}: bid {ticker['bidPrice']}, ask {ticker['askPrice']}")

        call("POST", "/api/v3/order", signed=True, symbol=SYMBOL, side="BUY", type="MARKET", quoteOrderQty="50")
        await reports(stream, "FILLED")

        low = f"{float(ticker['bidPrice']) * 0.9:.2f}"
        terms = {"symbol": SYMBOL, "side": "BUY", "type": "LIMIT", "timeInForce": "GTC", "quantity": "1", "price": low}
        resting = call("POST", "/api/v3/order", signed=True, **terms)
        await reports(stream, "NEW")
        call("DELETE", "/api/v3/order", signed=True, symbol=SYMBOL, orderId=resting["orderId"])
        await reports(stream, "CANCELED")
    call("DELETE", "/api/v3/userDataStream", listenKey=listen_key)


if __name__ == "__main__":
    asyncio.run(main())
