"""Buys when a minute closes above the one before it, and sells when it closes below: on Debian, python3-requests and
python3-websockets.

    python3 examples/lab/follow_candles.py --candles 5     with the demo whose keys are in data/demo.json
    npx pricetime lab run -- python3 examples/lab/follow_candles.py --candles 60     an hour of a lab's market
"""

import argparse
import asyncio
import hashlib
import hmac
import json
import os
import time
import urllib.parse

import requests
import websockets

SYMBOL = "BTCUSDT"
QUANTITY = "0.001"
ATTEMPTS = 3


def settings():
    """Returns addresses and keys from the environment, or from the demo's file."""
    environment = os.environ
    if "API_KEY" in environment:
        return environment["EXCHANGE"], environment["EXCHANGE_WS"], environment["API_KEY"], environment["SECRET_KEY"]
    with open(environment.get("DEMO_JSON", "data/demo.json"), encoding="utf-8") as file:
        demo = json.load(file)
    account = demo["accounts"][0]
    return demo["rest"], demo["ws"], account["apiKey"], account["secretKey"]


EXCHANGE, EXCHANGE_WS, API_KEY, SECRET_KEY = settings()
SESSION = requests.Session()
SESSION.headers["X-MBX-APIKEY"] = API_KEY


def signed(method, path, **parameters):
    parameters["timestamp"] = int(time.time() * 1000)
    text = urllib.parse.urlencode(parameters)
    parameters["signature"] = hmac.new(SECRET_KEY.encode(), text.encode(), hashlib.sha256).hexdigest()
    return SESSION.request(method, EXCHANGE + path, params=parameters, timeout=10)


def trade(side, client_id):
    """Places one order with its own id, and queries it if there is no answer."""
    order = {"symbol": SYMBOL, "side": side, "type": "MARKET", "quantity": QUANTITY, "newClientOrderId": client_id}
    for _ in range(ATTEMPTS):
        try:
            answer = signed("POST", "/api/v3/order", **order)
            if answer.status_code < 500:
                return answer.json().get("status", answer.text)
        except requests.ConnectionError:
            pass
        known = signed("GET", "/api/v3/order", symbol=SYMBOL, origClientOrderId=client_id)
        if known.ok:
            return known.json()["status"] + ", nobody had said so"
    return "given up"


async def closes(stream):
    """Yields each minute's closing price when the minute is over."""
    async for text in stream:
        candle = json.loads(text)["k"]
        if candle["x"]:
            yield candle["t"], float(candle["c"])


async def main(candles):
    before, seen = None, 0
    async with websockets.connect(f"{EXCHANGE_WS}/ws/{SYMBOL.lower()}@kline_1m") as stream:
        async for opened_ms, close in closes(stream):
            if before is not None and close != before:
                side = "BUY" if close > before else "SELL"
                print(f"{opened_ms}: {close:.2f} after {before:.2f}: {side} {trade(side, f'at-{opened_ms}')}", flush=True)
            before, seen = close, seen + 1
            if seen == candles:
                return


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--candles", type=int, default=5)
    asyncio.run(main(parser.parse_args().candles))
