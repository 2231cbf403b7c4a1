"""What each client does: it places and cancels, trades, listens to both kinds of streams, and withdraws.

Takes its task as JSON on standard input, and prints what it saw as JSON.
"""

import json
import sys

import todays_interface


def main(client_class):
    task = json.load(sys.stdin)
    client = client_class(task["rest"], task["ws"], task["apiKey"], task["secretKey"])
    today = task["interface"] == "today"
    account = todays_interface.WebSocketApi(client, task.get("ed25519")) if today else ListenKey(client)
    seen = run(client, account, task)
    if today:
        seen["kinds"] = todays_interface.run(client, account, task)
    account.close()
    print(json.dumps(seen))


class ListenKey:
    """The account's events by a listen key, which today's interface no longer has."""

    def __init__(self, client):
        self.client = client
        self.key = client.call("POST", "/api/v3/userDataStream", signed=False)["listenKey"]
        self.stream = client.open("/ws/" + self.key)

    def next(self):
        return self.stream.next()

    def close(self):
        self.client.call("PUT", "/api/v3/userDataStream", signed=False, listenKey=self.key)
        self.client.call("DELETE", "/api/v3/userDataStream", signed=False, listenKey=self.key)
        self.stream.close()


def run(client, reports, task):
    symbol = task["symbol"]
    trades = client.open("/ws/" + symbol.lower() + "@trade")

    terms = {"symbol": symbol, "type": "LIMIT", "timeInForce": "GTC", "quantity": task["quantity"]}
    if task["interface"] == "today":
        # Today's interface prevents, by default, that an account trades with itself.
        terms["selfTradePreventionMode"] = "NONE"
    placed = client.call("POST", "/api/v3/order", side="BUY", price=task["low"], **terms)
    canceled = client.call("DELETE", "/api/v3/order", symbol=symbol, orderId=placed["orderId"])
    client.call("POST", "/api/v3/order", side="SELL", price=task["price"], **terms)
    taken = client.call("POST", "/api/v3/order", side="BUY", price=task["price"], **terms)

    seen = {
        "statuses": [placed["status"], canceled["status"], taken["status"]],
        "trade": until(trades, "trade", 1)[0]["p"],
        "reports": [report["X"] for report in until(reports, "executionReport", 6)],
        "withdrawal": client.call("POST", "/sapi/v1/capital/withdraw/apply", **task["withdrawal"])["id"],
    }
    if "transfer" in task:
        client.call("POST", "/sapi/v1/sub-account/universalTransfer", **task["transfer"])
    trades.close()
    return seen


def until(stream, kind, count):
    """The next events of a kind."""
    found = []
    while len(found) < count:
        event = stream.next()
        if event["e"] == kind:
            found.append(event)
    return found
