"""
pytest. Run it with PYTHONPATH=node_modules/pricetime/python python3 -m pytest -p pricetime_lab test_bot.py
With the plugin, a failing test prints the seed, the version and the command that repeats it.
"""
import hashlib
import hmac
import json
import urllib.error
import urllib.parse
import urllib.request

import pytest
from pricetime_lab import start_exchange

SYMBOL = "ETHUSDT"


@pytest.fixture(scope="session")
def lab():
    """One exchange for all tests, on which Bob offers one ether at 3000."""
    with start_exchange() as exchange:
        exchange.send(
            "bob",
            "POST /api/v3/order",
            symbol=SYMBOL, side="SELL", type="LIMIT", timeInForce="GTC", price="3000", quantity="1",
        )
        exchange.checkpoint("offered")
        yield exchange


@pytest.fixture
def exchange(lab):
    """Restores the exchange to its initial state for each test."""
    lab.restore("offered")
    return lab


class BuyCheap:
    """The bot under test: buys for 100 USDT when the best offer is at most `limit`."""

    def __init__(self, rest, account, limit):
        self.rest, self.account, self.limit = rest, account, limit

    def look(self):
        asks = self._ask("GET", "/api/v3/depth", {"symbol": SYMBOL, "limit": 5})["asks"]
        if not asks or float(asks[0][0]) > self.limit:
            return None
        price = float(asks[0][0])
        order = dict(symbol=SYMBOL, side="BUY", type="LIMIT", timeInForce="IOC", price=asks[0][0])
        order["quantity"] = "{:.4f}".format(100 / price)
        order["newClientOrderId"] = "cheap-{}".format(asks[0][0])
        try:
            return self._signed("POST", "/api/v3/order", order)
        except urllib.error.HTTPError as error:
            if error.code < 500:
                raise
        # An order without an answer may exist: query it by its client order id.
        asked = {"symbol": SYMBOL, "origClientOrderId": order["newClientOrderId"]}
        return self._signed("GET", "/api/v3/order", asked)

    def _signed(self, method, path, parameters):
        query = dict(parameters, timestamp=self._ask("GET", "/api/v3/time", {})["serverTime"])
        secret, signed = self.account["secretKey"].encode(), urllib.parse.urlencode(query).encode()
        query["signature"] = hmac.new(secret, signed, hashlib.sha256).hexdigest()
        return self._ask(method, path, query)

    def _ask(self, method, path, query):
        url = "{}{}?{}".format(self.rest, path, urllib.parse.urlencode(query))
        request = urllib.request.Request(url, method=method, headers={"X-MBX-APIKEY": self.account["apiKey"]})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)


def test_bot_does_not_buy_above_its_limit(exchange):
    assert BuyCheap(exchange.rest, exchange.account("alice"), 2900).look() is None


def test_bot_spends_100_usdt_below_its_limit(exchange):
    order = BuyCheap(exchange.rest, exchange.account("alice"), 3100).look()
    assert order["status"] == "FILLED"


def test_each_test_starts_with_the_complete_offer(exchange):
    asks = exchange.send(None, "GET /api/v3/depth", symbol=SYMBOL)["asks"]
    assert [(float(price), float(quantity)) for price, quantity in asks] == [(3000, 1)]


def test_bot_finds_an_executed_order_after_a_504(exchange):
    exchange.faults.add("fail-after", where={"endpoint": "order.place"}, count=1)
    order = BuyCheap(exchange.rest, exchange.account("alice"), 3100).look()
    assert order["status"] == "FILLED"
    assert exchange.faults.list()[0]["struck"] == 1
