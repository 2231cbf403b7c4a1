"""Trades with only Python's standard library.

    python3 examples/python/standard_library.py         on the demo whose keys are in data/demo.json
    EXCHANGE=http://… API_KEY=… SECRET_KEY=… python3 …   with another exchange
"""

import hashlib
import hmac
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request

SYMBOL = "LTCUSDT"


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


class Refused(Exception):
    """The exchange rejected the request, with its code and message."""


def call(method, path, signed=False, **parameters):
    """Sends one request. All parameters are in the query; the signature covers them and comes last."""
    if signed:
        parameters["timestamp"] = int(time.time() * 1000)
    query = urllib.parse.urlencode(parameters)
    if signed:
        signature = hmac.new(SECRET_KEY.encode(), query.encode(), hashlib.sha256).hexdigest()
        query += "&signature=" + signature
    request = urllib.request.Request(f"{EXCHANGE}{path}?{query}", method=method, headers={"X-MBX-APIKEY": API_KEY})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        refusal = json.load(error)
        raise Refused(f"{refusal['code']} {refusal['msg']}") from None


def balance(asset):
    """Returns the account's balance of an asset, free plus locked."""
    for each in call("GET", "/api/v3/account", signed=True)["balances"]:
        if each["asset"] == asset:
            return float(each["free"]) + float(each["locked"])
    return 0.0


def main():
    ticker = call("GET", "/api/v3/ticker/bookTicker", symbol=SYMBOL)
    print(f"{SYMBOL}: bid {ticker['bidPrice']}, ask {ticker['askPrice']}")
    before = balance("LTC")

    bought = call("POST", "/api/v3/order", signed=True, symbol=SYMBOL, side="BUY", type="MARKET", quantity="0.5")
    print(f"order {bought['orderId']} is {bought['status']}: bought {bought['executedQty']}")

    low = f"{float(ticker['bidPrice']) * 0.9:.2f}"
    terms = {"symbol": SYMBOL, "side": "BUY", "type": "LIMIT", "timeInForce": "GTC", "quantity": "1", "price": low}
    resting = call("POST", "/api/v3/order", signed=True, **terms)
    print(f"order {resting['orderId']} at {low} is {resting['status']}")
    canceled = call("DELETE", "/api/v3/order", signed=True, symbol=SYMBOL, orderId=resting["orderId"])
    print(f"order {canceled['orderId']} is {canceled['status']}")

    try:
        call("POST", "/api/v3/order", signed=True, **{**terms, "price": "0.001"})
    except Refused as refused:
        print(f"below the minimum notional: {refused}")

    for trade in call("GET", "/api/v3/myTrades", signed=True, symbol=SYMBOL, limit=3):
        print(f"trade {trade['id']}: {trade['qty']} at {trade['price']}, commission {trade['commission']}")
    print(f"LTC: {before:.8f} -> {balance('LTC'):.8f}")


if __name__ == "__main__":
    main()
