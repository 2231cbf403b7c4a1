"""What each client does: it places and cancels, trades, listens to both kinds of streams, and withdraws.

Takes its task as JSON on standard input, and prints what it saw as JSON.
"""

import json
import sys


def main(client_class):
    task = json.load(sys.stdin)
    client = client_class(task["rest"], task["ws"], task["apiKey"], task["secretKey"])
    print(json.dumps(run(client, task)))


def run(client, task):
    symbol = task["symbol"]
    listen_key = client.call("POST", "/api/v3/userDataStream", signed=False)["listenKey"]
    trades = client.stream(symbol.lower() + "@trade")
    reports = client.stream(listen_key)

    terms = {"symbol": symbol, "type": "LIMIT", "timeInForce": "GTC", "quantity": task["quantity"]}
    placed = client.call("POST", "/api/v3/order", side="BUY", price=task["low"], **terms)
    canceled = client.call("DELETE", "/api/v3/order", symbol=symbol, orderId=placed["orderId"])
    client.call("POST", "/api/v3/order", side="SELL", price=task["price"], **terms)
    taken = client.call("POST", "/api/v3/order", side="BUY", price=task["price"], **terms)

    seen = {
        "statuses": [placed["status"], canceled["status"], taken["status"]],
        "trade": until(trades, "trade", 1)[0]["p"],
        "reports": [report["X"] for report in until(reports, "executionReport", 5)],
        "withdrawal": client.call("POST", "/sapi/v1/capital/withdraw/apply", **task["withdrawal"])["id"],
    }
    if "transfer" in task:
        client.call("POST", "/sapi/v1/sub-account/universalTransfer", **task["transfer"])
    client.call("PUT", "/api/v3/userDataStream", signed=False, listenKey=listen_key)
    client.call("DELETE", "/api/v3/userDataStream", signed=False, listenKey=listen_key)
    trades.close()
    reports.close()
    return seen


def until(stream, kind, count):
    """The next events of a kind."""
    found = []
    while len(found) < count:
        event = stream.next()
        if event["e"] == kind:
            found.append(event)
    return found
