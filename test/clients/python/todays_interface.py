"""What clients of today's interface use: the WebSocket API with the account's events, and the orders of today.

Each order is placed by a signed request and over the WebSocket API.
"""

import base64
import collections
import time

CANCEL_ALL = ("DELETE", "/api/v3/openOrders", "openOrders.cancelAll")
ORDER = ("POST", "/api/v3/order", "order.place")
AMEND = ("PUT", "/api/v3/order/amend/keepPriority", "order.amend.keepPriority")
CANCEL_REPLACE = ("POST", "/api/v3/order/cancelReplace", "order.cancelReplace")
OTO = ("POST", "/api/v3/orderList/oto", "orderList.place.oto")
OTOCO = ("POST", "/api/v3/orderList/otoco", "orderList.place.otoco")
OPO = ("POST", "/api/v3/orderList/opo", "orderList.place.opo")
OPOCO = ("POST", "/api/v3/orderList/opoco", "orderList.place.opoco")

# The last order of each kind: its report shows that all reports before it have arrived.
END = "end-of-kind"
# Fields of an executionReport: execution type, status, order type, quantity, trailing delta, self-trade prevention, peg.
REPORTED = ("x", "X", "o", "q", "d", "V", "gP")


class WebSocketApi:
    """Requests on one connection, and the account's events, which arrive between the responses.

    With an Ed25519 key the connection logs on, and its requests need no signature. Otherwise each is signed (HMAC).
    """

    def __init__(self, client, ed25519):
        self.client = client
        self.connection = client.open("/ws-api/v3")
        self.sent = 0
        self.events = collections.deque()
        self.is_logged_on = False
        if ed25519 is None:
            self.request("userDataStream.subscribe.signature")
        else:
            self._send("session.logon", signed(sign_ed25519(ed25519["privateKey"]), apiKey=ed25519["apiKey"]))
            self.is_logged_on = True
            # Without a timestamp: on a connection that is logged on, this request takes no parameters.
            self._send("userDataStream.subscribe", {})

    def request(self, method, **parameters):
        """Raises RuntimeError with the exchange's error."""
        if self.is_logged_on:
            return self._send(method, {**parameters, "timestamp": now()})
        return self._send(method, signed(self.client.sign, apiKey=self.client.key, **parameters))

    def next(self):
        """The next event of the account."""
        while not self.events:
            self._read()
        return self.events.popleft()

    def close(self):
        self.connection.close()

    def _send(self, method, parameters):
        self.sent += 1
        self.connection.send({"id": self.sent, "method": method, "params": parameters})
        while (response := self._read()) is None:
            pass
        if response["id"] != self.sent or response["status"] != 200:
            raise RuntimeError(f"{method}: {response}")
        return response["result"]

    def _read(self):
        """A response; None for an event, which is kept for `next`."""
        message = self.connection.next()
        if "event" not in message:
            return message
        self.events.append(message["event"])
        return None


def now():
    return int(time.time() * 1000)


def signed(sign, **parameters):
    """The signature is of the parameters in the order of their names."""
    parameters["timestamp"] = now()
    text = "&".join(f"{name}={parameters[name]}" for name in sorted(parameters))
    return {**parameters, "signature": sign(text)}


def sign_ed25519(pem):
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    key = load_pem_private_key(pem.encode(), password=None)
    return lambda text: base64.b64encode(key.sign(text.encode())).decode()


def run(client, api, task):
    """The reports of each kind, by signed requests and over the WebSocket API."""
    symbol = task["symbol"]

    def by_rest(kind, **parameters):
        return client.call(kind[0], kind[1], symbol=symbol, **parameters)

    def by_socket(kind, **parameters):
        return api.request(kind[2], symbol=symbol, **parameters)

    found = {}
    for way, call in {"rest": by_rest, "socket": by_socket}.items():
        orders = Orders(call, task)
        found[way] = {}
        for kind in (
            orders.trailing_stop,
            orders.trailing_from,
            orders.pegged,
            orders.oto,
            orders.otoco,
            orders.opo,
            orders.opoco,
            orders.amended,
            orders.self_trade,
            orders.decremented,
            orders.replaced,
        ):
            kind()
            orders.end()
            found[way][kind.__name__] = reports_until_end(api)
    return found


def reports_until_end(api):
    found = []
    while True:
        event = api.next()
        if event["e"] != "executionReport":
            continue
        if event["c"] != END:
            found.append({name: event[name] for name in REPORTED if name in event})
        elif event["X"] == "EXPIRED":
            return found


class Orders:
    """The new kinds of orders; the account trades with itself, on a market of its own."""

    def __init__(self, call, task):
        self.call = call
        self.quantity, self.price, self.low = task["quantity"], task["price"], task["low"]
        self.working = {"workingType": "LIMIT", "workingSide": "BUY", "workingTimeInForce": "GTC"}
        self.working.update(workingPrice=self.low, workingQuantity=self.quantity)
        self.pending = {"pendingType": "LIMIT", "pendingSide": "SELL", "pendingTimeInForce": "GTC"}
        self.pending.update(pendingPrice=self.price)

    def trailing_stop(self):
        self.call(ORDER, side="SELL", type="STOP_LOSS", quantity=self.quantity, trailingDelta=100)
        self.call(CANCEL_ALL)

    def trailing_from(self):
        """It trails once the market has risen to the stop price, twice the price of all trades."""
        stop = {"stopPrice": f"{2 * float(self.price):.8f}", "trailingDelta": 100}
        self.call(ORDER, side="SELL", type="TAKE_PROFIT", quantity=self.quantity, **stop)
        self.call(CANCEL_ALL)

    def pegged(self):
        self.limit("BUY", self.low)
        order = self.limit("BUY", self.price, pegPriceType="PRIMARY_PEG")
        check(float(order["peggedPrice"]), float(self.low))
        self.call(CANCEL_ALL)

    def oto(self):
        self._list(OTO, **self.pending, pendingQuantity=self.quantity)

    def otoco(self):
        self._list(OTOCO, pendingQuantity=self.quantity, **self.pair())

    def opoco(self):
        self._list(OPOCO, **self.pair())

    def pair(self):
        above = {"pendingAboveType": "LIMIT_MAKER", "pendingAbovePrice": self.price}
        below = {"pendingBelowType": "STOP_LOSS", "pendingBelowTrailingDelta": 100}
        return {"pendingSide": "SELL", **above, **below}

    def opo(self):
        self._list(OPO, **self.pending)

    def amended(self):
        order = self.limit("BUY", self.low)
        half = f"{float(self.quantity) / 2:.2f}"
        amended = self.call(AMEND, orderId=order["orderId"], newQty=half)["amendedOrder"]
        check([float(amended["qty"]), amended["status"]], [float(half), "NEW"])
        self.call(CANCEL_ALL)

    def self_trade(self):
        self.limit("SELL", self.price)
        order = self.limit("BUY", self.price, timeInForce="IOC", selfTradePreventionMode="EXPIRE_MAKER")
        check(order["selfTradePreventionMode"], "EXPIRE_MAKER")

    def decremented(self):
        self.limit("SELL", self.price, selfTradePreventionMode="DECREMENT")
        order = self.limit("BUY", self.price, selfTradePreventionMode="DECREMENT")
        check([order["status"], float(order["preventedQuantity"])], ["EXPIRED_IN_MATCH", float(self.quantity)])

    def replaced(self):
        order = self.limit("BUY", self.low)
        terms = {"side": "BUY", "type": "LIMIT", "timeInForce": "GTC", "quantity": self.quantity, "price": self.low}
        answer = self.call(
            CANCEL_REPLACE, cancelReplaceMode="STOP_ON_FAILURE", cancelOrderId=order["orderId"], **terms
        )
        check([answer["cancelResult"], answer["newOrderResult"]], ["SUCCESS", "SUCCESS"])
        self.call(CANCEL_ALL)

    def limit(self, side, price, timeInForce="GTC", selfTradePreventionMode="NONE", **more):
        terms = {"type": "LIMIT", "timeInForce": timeInForce, "quantity": self.quantity}
        mode = {"selfTradePreventionMode": selfTradePreventionMode}
        return self.call(ORDER, side=side, price=price, **terms, **mode, **more)

    def end(self):
        self.limit("BUY", self.low, timeInForce="IOC", newClientOrderId=END)

    def _list(self, kind, **pending):
        """Places a list, fills its working order, and cancels what it has placed."""
        answer = self.call(kind, selfTradePreventionMode="NONE", **self.working, **pending)
        statuses = [report["status"] for report in answer["orderReports"]]
        check(statuses, ["NEW"] + ["PENDING_NEW"] * (len(statuses) - 1))
        self.limit("SELL", self.low)
        self.call(CANCEL_ALL)


def check(found, expected):
    if found != expected:
        raise RuntimeError(f"{found} instead of {expected}")
