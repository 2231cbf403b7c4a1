"""Trades through ccxt for Python. Debian has no ccxt package, so Pricetime's tests do not run this example:
its form is that of examples/javascript/ccxt.mjs, which is run.

    pip install ccxt
    python3 examples/python/with_ccxt.py
"""

import json
import urllib.parse

import ccxt

with open("data/demo.json", encoding="utf-8") as file:
    demo = json.load(file)
account = demo["accounts"][0]

exchange = ccxt.binance({"apiKey": account["apiKey"], "secret": account["secretKey"]})
for name, address in exchange.urls["api"].items():
    if isinstance(address, str):
        exchange.urls["api"][name] = demo["rest"] + urllib.parse.urlsplit(address).path

bought = exchange.create_order("BTC/USDT", "market", "buy", 0.01)
print(f"bought {bought['filled']} BTC for {bought['average']} each")
resting = exchange.create_order("BTC/USDT", "limit", "buy", 0.01, bought["average"] * 0.9)
print([order["id"] for order in exchange.fetch_open_orders("BTC/USDT")])
exchange.cancel_order(resting["id"], "BTC/USDT")
