"""Runs and controls an exchange in a test. One file, with only the standard library of Python 3.8 or newer.

    from pricetime_lab import start_exchange

    with start_exchange(seed=7) as exchange:
        exchange.send("bob", "POST /api/v3/order", symbol="BTCUSDT", side="SELL", type="LIMIT",
                      timeInForce="GTC", quantity="1", price="20000")
        exchange.clock.advance(60_000)

Starts a Pricetime node (it requires Node and the package `pricetime`) and controls it over HTTP. The node stops when this
process exits, however it exits. Copy the file, or add its folder to the path: PYTHONPATH=node_modules/pricetime/python.
As a pytest plugin (`-p pricetime_lab`, or `pytest_plugins = "pricetime_lab"` in conftest.py), it adds to the report of a
failed test how to repeat it.
"""

import hashlib
import hmac
import http.client
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from pathlib import Path

__all__ = ["start_exchange", "Exchange", "LabError"]

SEED_VARIABLE = "PRICETIME_LAB_SEED"
# How long a start may take, seconds.
START_TIMEOUT_S = 30
STOP_TIMEOUT_S = 10
# A long advance responds when it has finished.
ANSWER_TIMEOUT_S = 3600
# Interval between requests for the progress of validating large files.
LOOK_S = 0.1
# The maximum that the exchange accepts. Interface 5.6.
RECV_WINDOW_MS = 60_000
# Every right that a key can have. Interface 5.4.
LISTING_FIELDS = ["symbol", "status", "baseAsset", "quoteAsset", "orderTypes", "filters",
                  "icebergAllowed", "ocoAllowed", "quoteOrderQtyMarketAllowed"]
PERMISSIONS = ["MARKET_DATA", "USER_STREAM", "TRADE", "USER_DATA", "WITHDRAW"]
# Endpoints that take a key and no signature. Interface 5.2.
KEY_ALONE = ("/api/v3/userDataStream", "/api/v1/userDataStream", "/api/v3/historicalTrades")
LAB_OPTIONS = {"clock_start": "clockStart", "clock_speed": "clockSpeed"}


class LabError(Exception):
    """The node rejected a request, or did not respond.

    `status`: HTTP status, 0 without a response. `code`: an error word, or the exchange's error number.
    """

    def __init__(self, status, code, message, origin):
        super().__init__("{}: {}\n{}".format(code, message, origin))
        self.status = status
        self.code = str(code)


def start_exchange(symbols=None, accounts=(), seed=None, clock="manual", command=None, **options):
    """Starts an exchange on free ports, with a manual clock; returns an `Exchange` that is ready.

    symbols: the listed symbols, by name of the demo or as exchangeInfo describes them. accounts: names, or
    {"name": …, "balances": {"USDT": "1000"}}. options: bots, limits, timing, history, clock_start, clock_speed, data, as
    the flags of `pricetime serve --lab`. command: the command that runs the node, as a list; None finds it.
    """
    if seed is None:
        seed = int(os.environ.get(SEED_VARIABLE) or 1)
    flags = {LAB_OPTIONS.get(name, name): value for name, value in options.items() if value is not None}
    flags.update(clock=clock, seed=seed)
    started = time.monotonic()
    exchange = Exchange(list(command or _command()) + [json.dumps(flags)], seed)
    try:
        if symbols is not None:
            exchange._keep_symbols(list(symbols))
        for account in accounts:
            exchange.open_account(account)
        if symbols is not None or accounts:
            exchange.take_start()
    except BaseException:
        exchange.stop()
        raise
    exchange.ready_ms = (time.monotonic() - started) * 1000
    return exchange


def _command():
    """The command that runs a node: from this package, from the folder's node_modules, or by npx."""
    override = os.environ.get("PRICETIME_LAB_COMMAND")
    if override:
        return shlex.split(override)
    here = Path(__file__).resolve().parent
    source = here.parent / "src" / "start" / "lab-process.ts"
    if source.exists():
        nodes = [parent / "node_modules" / ".bin" / "node" for parent in here.parents]
        node = next((str(path) for path in nodes if path.exists()), "node")
        return [node, "--disable-warning=ExperimentalWarning", str(source)]
    launchers = [here.parent / "bin" / "pricetime.cjs"]
    launchers += [folder / "node_modules" / "pricetime" / "bin" / "pricetime.cjs" for folder in [Path.cwd(), *Path.cwd().parents]]
    launcher = next((path for path in launchers if path.exists()), None)
    if launcher is not None:
        return ["node", str(launcher), "lab-process"]
    npx = shutil.which("npx")
    if npx is None:
        raise FileNotFoundError("Neither the package pricetime nor npx was found. Run npm install pricetime, or pass command=.")
    return [npx, "--yes", "pricetime", "lab-process"]


class _Line:
    """HTTP requests to one address, over a kept-alive connection per thread, or a new connection per request."""

    def __init__(self, url, stays):
        self._netloc = urllib.parse.urlsplit(url).netloc
        self._stays = stays
        self._threads = threading.local()
        self._opened = []

    def ask(self, method, path, body=None, headers=None):
        """Returns status and body. Reconnects if the connection was closed while it was idle."""
        while True:
            connection = getattr(self._threads, "connection", None)
            is_new = connection is None
            if is_new:
                connection = self._open()
            try:
                connection.request(method, path, body, headers or {})
                answer = connection.getresponse()
                return answer.status, answer.read()
            except (http.client.RemoteDisconnected, ConnectionError):
                self._forget(connection)
                if is_new:
                    raise
            except BaseException:
                self._forget(connection)
                raise
            finally:
                if not self._stays:
                    self._forget(connection)

    def hold(self, method, path, headers):
        """Sends a request over a separate connection, without waiting for the response."""
        connection = http.client.HTTPConnection(self._netloc)
        connection.request(method, path, headers=headers)
        self._opened.append(connection)
        return connection

    def close(self):
        """Closes the connections of all threads."""
        for connection in self._opened:
            connection.close()

    def _open(self):
        connection = http.client.HTTPConnection(self._netloc, timeout=ANSWER_TIMEOUT_S)
        self._threads.connection = connection
        self._opened.append(connection)
        return connection

    def _forget(self, connection):
        connection.close()
        self._threads.connection = None
        if connection in self._opened:
            self._opened.remove(connection)


class Exchange:
    """A running lab. Stop it with `stop()`, or use it in a `with` statement."""

    def __init__(self, command, seed):
        self.seed = seed
        self.ready_ms = 0.0
        self._log = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, close_fds=True
        )
        try:
            address = self._address()
        except BaseException:
            self._close()
            raise
        self.rest, self.ws, self.admin = address["rest"], address["ws"], address["admin"]
        self.admin_token, self.version = address["adminToken"], address["version"]
        self.accounts = {account["name"]: account for account in address["accounts"]}
        # What becomes of a request to the exchange is told as it is: it may be a fault that a test asked for.
        self._rest_line, self._admin_line = _Line(self.rest, stays=False), _Line(self.admin, stays=True)
        self.clock = Clock(self)
        self.faults = Faults(self)
        self.latency = Latency(self)
        self.agents = Agents(self)
        self.replays = Replays(self)
        self.watch = Watch(self)
        self.scenario = Scenario(self)
        self.checkpoints = Checkpoints(self)
        _running.append(self)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    @property
    def repeat(self):
        """The command that runs this program again with the same seed."""
        if "pytest" in sys.modules and "PYTEST_CURRENT_TEST" in os.environ:
            return _again(self.seed, _pytest_arguments(os.environ["PYTEST_CURRENT_TEST"].rsplit(" ", 1)[0]))
        program = os.path.relpath(sys.argv[0]) if os.path.exists(sys.argv[0]) else sys.argv[0]
        return _again(self.seed, [program, *sys.argv[1:]])

    @property
    def origin(self):
        """The text added to failures: seed, version, and the command to repeat it."""
        return _origin(self, self.repeat)

    def account(self, name):
        """The account's name, email, apiKey and secretKey."""
        if name not in self.accounts:
            raise KeyError("There is no account {}. Use one of {}.".format(name, ", ".join(self.accounts)))
        return self.accounts[name]

    def market(self, symbol):
        """Controls the market of one symbol."""
        return Market(self, symbol)

    def markets(self):
        """Returns for each symbol {"symbol", "status", "driver", "price", "holds", "scheduled"}."""
        return self.ask("GET", "/v1/lab/markets")

    def checkpoint(self, name, replace=False):
        """Takes a checkpoint with this name. Returns {"name", "seq", "nowMs", "hash"}."""
        return self.ask("POST", "/v1/lab/checkpoints", {"name": name, **({"replace": True} if replace else {})})

    def restore(self, name, **options):
        """Restores a checkpoint, which is kept. Options: keepKeys, keepConnections."""
        return self.ask("POST", "/v1/lab/checkpoints/{}/restore".format(_part(name)), options)

    def reset(self, **options):
        """Restores the state at the start, or at the last `take_start`. Options: as `restore`."""
        return self.ask("POST", "/v1/lab/reset", options)

    def take_start(self):
        """Makes the current state the target of later resets. Returns {"seq", "nowMs", "hash"}."""
        return self.ask("PUT", "/v1/lab/reset")

    def send(self, account, what, **parameters):
        """Sends one request to the exchange, signed for the account if required: send("bob", "GET /api/v3/account")."""
        method, path = what.split(" ", 1)
        query = {name: _text(value) for name, value in parameters.items() if value is not None}
        headers = {}
        if account is not None:
            keys = self.account(account)
            headers["X-MBX-APIKEY"] = keys["apiKey"]
            if path not in KEY_ALONE:
                query.setdefault("recvWindow", str(RECV_WINDOW_MS))
                query.setdefault("timestamp", str(self.clock.now()))
                signed = urllib.parse.urlencode(query).encode()
                query["signature"] = hmac.new(keys["secretKey"].encode(), signed, hashlib.sha256).hexdigest()
        target = path + "?" + urllib.parse.urlencode(query) if query else path
        status, body = self._answer(self._rest_line, method, target, None, headers)
        if status < 300:
            return json.loads(body)
        refused = _parsed(body)
        text = refused.get("msg", body[:500].decode("utf-8", "replace"))
        raise LabError(status, refused.get("code", "HTTP_{}".format(status)), "{}: {}".format(what, text), self.origin)

    def ask(self, method, path, body=None):
        """Sends one request to the admin API; returns the parsed response."""
        data = None if body is None else json.dumps(body).encode()
        return json.loads(self.ask_bytes(method, path, data, "application/json") or b"null")

    def ask_bytes(self, method, path, data=None, content_type="application/octet-stream"):
        headers = {"Authorization": "Bearer " + self.admin_token}
        if data is not None:
            headers["Content-Type"] = content_type
        status, body = self._answer(self._admin_line, method, path, data, headers)
        if status < 300:
            return body
        refused = _parsed(body)
        text = refused.get("message", body[:500].decode("utf-8", "replace"))
        code = refused.get("error", "HTTP_{}".format(status))
        raise LabError(status, code, "{} {}: {}".format(method, path, text), self.origin)

    def _hold(self, path):
        """Opens a request that stays open while this program runs; close it to end it."""
        return self._admin_line.hold("GET", path, {"Authorization": "Bearer " + self.admin_token})

    def environment(self, client):
        """The environment for a Node bot in another process, started with `node --import pricetime/lab/hold`."""
        return {
            "PRICETIME_LAB": self.admin,
            "PRICETIME_LAB_TOKEN": self.admin_token,
            "PRICETIME_LAB_CLIENT": client,
            "PRICETIME_LAB_SEED": str(self.seed),
            "EXCHANGE": self.rest,
            "EXCHANGE_WS": self.ws,
        }

    def stop(self):
        """Stops the node; returns when it has exited. Later calls have no effect."""
        if self in _running:
            _running.remove(self)
            if _pytest_config is not None:
                _ended.append(self)
            self._rest_line.close()
            self._admin_line.close()
        self._close()

    def _close(self):
        if self._process.poll() is None:
            self._process.stdin.close()
            try:
                self._process.wait(STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._log):
            stream.close()

    def _answer(self, line, method, path, data, headers):
        try:
            return line.ask(method, path, data, headers)
        except (http.client.HTTPException, OSError) as error:
            why = "{} {}: {}".format(method, path.split("?")[0], error or type(error).__name__)
            if self._process.poll() is not None:
                why += "\nthe node has ended: " + self._said()
            raise LabError(0, "NO_ANSWER", why, self.origin) from error

    def _address(self):
        """The first line that the node prints, with its addresses and accounts."""
        late = threading.Timer(START_TIMEOUT_S, self._process.kill)
        late.start()
        try:
            line = self._process.stdout.readline()
        finally:
            late.cancel()
        if line:
            return json.loads(line)
        self._process.wait()
        raise RuntimeError("The lab did not start: {}\n{}".format(self._said(), self.origin))

    def _said(self):
        self._log.seek(0)
        return self._log.read()[-4000:].decode("utf-8", "replace").strip()

    def _with_addresses(self, value):
        """Replaces account names by the email addresses that the admin API uses."""
        if not isinstance(value, dict):
            return value
        return {
            name: self.accounts[inner]["email"]
            if name == "account" and inner in self.accounts
            else self._with_addresses(inner)
            for name, inner in value.items()
        }

    def _list_symbol(self, wanted):
        """Lists a symbol as exchangeInfo describes it, and its assets if they are not listed."""
        assets = [each["asset"] for each in self.ask("GET", "/v1/assets")]
        for asset, precision in (("baseAsset", "baseAssetPrecision"), ("quoteAsset", "quoteAssetPrecision")):
            if wanted[asset] not in assets:
                name = wanted[asset]
                self.ask("POST", "/v1/assets", {"asset": name, "name": name, "precision": wanted.get(precision, 8)})
        self.ask("POST", "/v1/symbols", {name: wanted[name] for name in LISTING_FIELDS if name in wanted})

    def _keep_symbols(self, wanted):
        for each in wanted:
            if not isinstance(each, str):
                self._list_symbol(each)
        wanted = [each if isinstance(each, str) else each["symbol"] for each in wanted]
        listed = {each["symbol"]: each["status"] for each in self.ask("GET", "/v1/symbols")}
        unknown = [symbol for symbol in wanted if symbol not in listed]
        if unknown:
            raise ValueError("{} is not listed. Use one of {}.".format(", ".join(unknown), ", ".join(listed)))
        for symbol, status in listed.items():
            if symbol not in wanted and status == "TRADING":
                self.ask("PUT", "/v1/symbols/{}/status".format(_part(symbol)), {"status": "BREAK"})

    def open_account(self, wanted):
        """Opens an account, unless it exists, and sets its balances: "erin", or {"name", "balances"}."""
        wanted = {"name": wanted} if isinstance(wanted, str) else wanted
        name = wanted["name"]
        before = self.accounts.get(name, {"email": name + "@lab.pricetime", "apiKey": None})
        email = before["email"]
        try:
            keys = [key["apiKey"] for key in self.ask("GET", "/v1/accounts/{}/keys".format(_part(email)))]
        except LabError as error:
            if error.code != "UNKNOWN_ACCOUNT":
                raise
            self.ask("POST", "/v1/accounts", {"email": email, "name": name})
            keys = []
        # The lab may have gone back to before the account, or its key.
        if before["apiKey"] not in keys:
            self.accounts[name] = {"name": name, "email": email, **self._new_key(email)}
        if wanted.get("balances"):
            self.set_balances(name, wanted["balances"])
        return self.accounts[name]

    def set_balances(self, account, free):
        """Sets available balances of the account: {"USDT": "1000"}. Amounts locked by its orders stay locked."""
        path = "/v1/lab/accounts/{}/balances".format(_part(self.account(account)["email"]))
        return self.ask("POST", path, free)["balances"]

    def new_key(self, account):
        """Creates another API key of the account: {"apiKey", "secretKey"}."""
        return self._new_key(self.account(account)["email"])

    def _new_key(self, email):
        key = self.ask("POST", "/v1/accounts/{}/keys".format(_part(email)), {"permissions": PERMISSIONS})
        return {"apiKey": key["apiKey"], "secretKey": key["secretKey"]}


class Clock:
    """The exchange's clock. Times are milliseconds since 1970."""

    def __init__(self, exchange):
        self._ask = exchange.ask
        self._exchange = exchange

    def state(self):
        """{"mode", "nowMs", "speed"}."""
        return self._ask("GET", "/v1/lab/clock")

    def now(self):
        return self.state()["nowMs"]

    def set(self, mode=None, speed=None, now_ms=None):
        """Changes the given values. The time cannot be set back."""
        change = {"mode": mode or self.state()["mode"], "speed": speed, "nowMs": now_ms}
        return self._ask("POST", "/v1/lab/clock", {name: value for name, value in change.items() if value is not None})

    def advance(self, ms=None, to_ms=None):
        """Advances the clock; returns when everything due in that time has happened: {"nowMs", "seq"}."""
        return self._advance({"ms": ms} if to_ms is None else {"toMs": to_ms})

    def interrupt(self):
        """Stops an advance in another thread, after the current instant."""
        return self._ask("DELETE", "/v1/lab/clock/advance")

    def until_idle(self, max_ms=None):
        return self._advance({"untilIdle": True, **({} if max_ms is None else {"maxMs": max_ms})})

    def until_event(self, event, max_ms=None):
        """Advances until an event, such as {"fill": {"account": "alice"}}. Raises LabError NOT_REACHED if it did not occur."""
        event = self._exchange._with_addresses(event)
        advanced = self._advance({"untilEvent": event, **({} if max_ms is None else {"maxMs": max_ms})})
        if advanced.get("reached") is False:
            raise LabError(200, "NOT_REACHED", "{} did not occur.".format(event), self._exchange.origin)
        return advanced

    def join(self, name, leads=False):
        """Makes the clock wait for a client: lock step. A client that leads is woken only at its own times, and first."""
        self._ask("POST", "/v1/lab/clock/clients", {"name": name, "leads": leads})
        return ClockClient(self._exchange, name, self._exchange._hold("/v1/lab/clock/clients/" + _part(name)))

    def clients(self):
        """Returns the names of the clients for which the clock waits."""
        return self._ask("GET", "/v1/lab/clock/clients")

    def dismiss(self, name):
        """Releases a client from lock step: the clock no longer waits for it."""
        self._ask("DELETE", "/v1/lab/clock/clients/" + _part(name))

    def _advance(self, how):
        return self._ask("POST", "/v1/lab/clock/advance", how)


class ClockClient:
    """A client in lock step: the clock passes an instant only when the client is done with it."""

    def __init__(self, exchange, name, life_line):
        self._exchange = exchange
        self.name = name
        self._life_line = life_line

    def done(self, until_ms=None, took_ms=None, quiet_ms=None):
        """Returns at the client's next instant: {"nowMs", "seq"}.

        until_ms: its time; by default when anything is due. took_ms: the client's processing time, by the lab's clock.
        quiet_ms: it is done when no message was sent for this long, by the machine's clock; not with took_ms.
        """
        said = {"name": self.name, "untilMs": until_ms, "tookMs": took_ms, "quietMs": quiet_ms}
        body = {name: value for name, value in said.items() if value is not None}
        return self._exchange.ask("POST", "/v1/lab/clock/done", body)

    def until(self, to_ms):
        """Is done with every instant until this time: for a test in which only bots trade for a while."""
        moment = self.done(until_ms=to_ms)
        while moment["nowMs"] < to_ms:
            moment = self.done(until_ms=to_ms)
        return moment

    def leave(self):
        """Leaves lock step. This also happens when the program exits."""
        self._exchange.clock.dismiss(self.name)
        self._life_line.close()


class Market:
    """Controls the market of one symbol. Each move accepts `at` or `inMs` to schedule it."""

    def __init__(self, exchange, symbol):
        self._ask = exchange.ask
        self._path = "/v1/lab/markets/" + _part(symbol)

    def state(self):
        return self._ask("GET", self._path)

    def move(self, **move):
        return self._ask("POST", self._path, move)

    def fair_price(self, price, **when):
        return self.move(fairPrice=price, **when)

    def crash(self, percent, over_ms, recover_ms=None, **when):
        return self.move(crash=_swing(percent, over_ms, recover_ms), **when)

    def spike(self, percent, over_ms, recover_ms=None, **when):
        return self.move(spike=_swing(percent, over_ms, recover_ms), **when)

    def dry_up(self, side, for_ms, **when):
        return self.move(dryUp={"side": side, "forMs": for_ms}, **when)

    def halt(self, **when):
        return self.move(halt=True, **when)

    def resume(self, **when):
        return self.move(resume=True, **when)

    def clear(self, move_id=None):
        """Cancels scheduled moves: all of them, or one."""
        return self._ask("DELETE", self._path if move_id is None else "{}/{}".format(self._path, int(move_id)))


class Faults:
    """Injects faults."""

    def __init__(self, exchange):
        self._ask = exchange.ask
        self._exchange = exchange

    def add(self, fault, **rule):
        """Injects a fault: add("fail-after", where={"endpoint": "order.place"}, count=1). Returns {"id": …}."""
        return self._ask("POST", "/v1/lab/faults", self._exchange._with_addresses({"fault": fault, **rule}))

    def list(self):
        return self._ask("GET", "/v1/lab/faults")

    def remove(self, fault=None):
        """Removes a fault returned by `add`, or the one with this id; without an argument, all faults."""
        return self._ask("DELETE", "/v1/lab/faults" if fault is None else _named("/v1/lab/faults", fault))


class Latency:
    """Latency of requests, responses and stream messages, by the lab's clock."""

    def __init__(self, exchange):
        self._ask = exchange.ask

    def state(self):
        return self._ask("GET", "/v1/lab/latency")

    def set(self, **setting):
        """Replaces the latency: set(marketData={"ms": 20}, orderEntry={"medianMs": 40, "sigma": 0.5}); without arguments: none."""
        return self._ask("POST", "/v1/lab/latency", setting)


class Agents:
    """Trading agents. docs/guides/lab-agents.md describes the types. A group can be given by its id."""

    def __init__(self, exchange):
        self._ask = exchange.ask

    def add(self, type, symbol, **settings):
        """Adds agents: add("momentum", "BTCUSDT", count=3, lookbackMs=60_000). Raises LabError NOT_DRIVEN if no bots trade the symbol.

        Returns {"id", "type", "symbol", "count", "settings", "isOn", "accounts", "trades", "volumeQuote",
        "positionBase", "profitQuote"}.
        """
        return self._ask("POST", "/v1/lab/agents", {"type": type, "symbol": symbol, **settings})

    def list(self):
        """Returns all groups, in the order of their creation."""
        return self._ask("GET", "/v1/lab/agents")

    def turn_off(self, group):
        """Stops their trading and cancels their open orders."""
        return self._ask("POST", _named("/v1/lab/agents", group), {"isOn": False})

    def turn_on(self, group):
        return self._ask("POST", _named("/v1/lab/agents", group), {"isOn": True})

    def remove(self, group):
        """Removes the group and cancels its open orders; its accounts are kept."""
        self._ask("DELETE", _named("/v1/lab/agents", group))


class Replays:
    """Replays of recorded markets. docs/guides/lab-replay.md describes the files. A replay can be given by its id."""

    def __init__(self, exchange):
        self._ask = exchange.ask
        self._exchange = exchange

    def play(self, symbol, files, **settings):
        """Replays a recording on a symbol, whose bots pause until it is removed; returns when its files are validated.

        files: paths on the node's machine, oldest first. settings: layout, impact, speed, band, check, fromMs, toMs,
        startAtMs. Returns {"id", "symbol", "state", "rows", "trades", …}. LabError BAD_FILE names file and line.
        """
        files = [os.path.abspath(file) for file in files]
        replay = self._ask("POST", "/v1/lab/replays", {"symbol": symbol, "files": files, **settings})
        while replay["state"] == "checking":
            time.sleep(LOOK_S)
            replay = next((each for each in self.list() if each["id"] == replay["id"]), None)
            if replay is None:
                raise LabError(200, "UNKNOWN_REPLAY", "The replay was removed.", self._exchange.origin)
        if replay["state"] == "failed":
            raise LabError(200, "BAD_FILE", replay["error"], self._exchange.origin)
        return replay

    def list(self):
        """Returns all replays, including finished ones."""
        return self._ask("GET", "/v1/lab/replays")

    def pause(self, replay):
        return self._ask("POST", _named("/v1/lab/replays", replay), {"state": "paused"})

    def resume(self, replay):
        return self._ask("POST", _named("/v1/lab/replays", replay), {"state": "playing"})

    def set_speed(self, replay, speed):
        """Sets the speed of the recording, as a multiple of the lab's clock."""
        return self._ask("POST", _named("/v1/lab/replays", replay), {"speed": speed})

    def step(self, replay, rows=1):
        """Replays the next rows now, whatever their time. Raises LabError NOT_PAUSED unless the replay is paused."""
        return self._ask("POST", _named("/v1/lab/replays", replay) + "/step", {"rows": rows})

    def remove(self, replay):
        """Removes the replay and its orders, restores the symbol's filters, and resumes its bots."""
        self._ask("DELETE", _named("/v1/lab/replays", replay))


class Watch:
    """Events of accounts and markets. A lab has one watch; a restore or a reset ends it."""

    def __init__(self, exchange):
        self._ask = exchange.ask
        self._exchange = exchange

    def begin(self, accounts=(), symbols=()):
        """Watches these accounts (by name or email address) and symbols, in place of earlier ones. Returns {"last"}.

        The first records contain the balances of each account and the state of each symbol; events follow after `last`.
        """
        known = self._exchange.accounts
        addresses = [known[account]["email"] if account in known else account for account in accounts]
        return self._ask("PUT", "/v1/lab/watch", {"accounts": addresses, "symbols": list(symbols)})

    def look(self, after=0):
        """Returns all records after this number: {"records", "last", "lost"}.

        Each record has "number", "atMs", "seq" and "kind": order, fill, balance, moved, openOrders, refused, price,
        status or book. "last": pass it as `after` next time; "lost": the number of records that are no longer stored.
        """
        records, lost = [], 0
        # One answer does not hold any number of records.
        while True:
            told = self._ask("GET", "/v1/lab/watch?after={}".format(int(after)))
            records += told["records"]
            lost += told["lost"]
            after = told["records"][-1]["number"] if told["records"] else told["last"]
            if after >= told["last"]:
                return {"records": records, "last": told["last"], "lost": lost}

    def end(self):
        """Stops watching."""
        self._ask("DELETE", "/v1/lab/watch")


class Scenario:
    """The scenario that the terminal and `pricetime lab scenario` show. It does not affect the lab."""

    def __init__(self, exchange):
        self._ask = exchange.ask

    def state(self):
        """{"name", "hash", "startMs", "endMs", "timeline", "asserts"}; None if none is running."""
        return self._ask("GET", "/v1/lab/scenario")

    def tell(self, told):
        """Sets the scenario, for programs that run one: `told` in the form of `state`."""
        return self._ask("PUT", "/v1/lab/scenario", told)

    def end(self):
        """Removes the scenario."""
        self._ask("DELETE", "/v1/lab/scenario")


class Checkpoints:
    """Checkpoints by name: see `Exchange.checkpoint` and `Exchange.restore`."""

    def __init__(self, exchange):
        self._exchange = exchange

    def list(self):
        return self._exchange.ask("GET", "/v1/lab/checkpoints")

    def show(self, name):
        return self._exchange.ask("GET", "/v1/lab/checkpoints/" + _part(name))

    def delete(self, name):
        return self._exchange.ask("DELETE", "/v1/lab/checkpoints/" + _part(name))

    def export(self, name):
        """Returns the bytes of a checkpoint file, for `import_file`, also on another machine."""
        return self._exchange.ask_bytes("GET", "/v1/lab/checkpoints/{}/file".format(_part(name)))

    def import_file(self, name, data):
        return json.loads(self._exchange.ask_bytes("POST", "/v1/lab/checkpoints/{}/file".format(_part(name)), data))


_running = []
# Those that have ended while the test of pytest that runs is not over.
_ended = []


def _origin(exchange, command):
    version = getattr(exchange, "version", "?")
    return "[seed {}, pricetime {}; repeat with: {}]".format(exchange.seed, version, command)


def _again(seed, arguments):
    """A command with this Python interpreter, for a POSIX shell."""
    words = [SEED_VARIABLE + "=" + str(seed)]
    if os.environ.get("PYTHONPATH"):
        words.append("PYTHONPATH=" + shlex.quote(os.environ["PYTHONPATH"]))
    python = "python3" if shutil.which("python3") == sys.executable else sys.executable
    return " ".join([*words, *map(shlex.quote, [python, *arguments])])


def _swing(percent, over_ms, recover_ms):
    swing = {"percent": percent, "overMs": over_ms}
    return swing if recover_ms is None else {**swing, "recoverMs": recover_ms}


def _named(path, thing):
    """The path of a returned object, or of its id."""
    return "{}/{}".format(path, _part(str(thing["id"] if isinstance(thing, dict) else thing)))


def _part(name):
    return urllib.parse.quote(name, safe="")


def _text(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parsed(body):
    try:
        parsed = json.loads(body)
        return parsed if isinstance(parsed, dict) else {}
    except ValueError:
        return {}


# How pytest was called, where this file is its plugin.
_pytest_config = None


def pytest_configure(config):
    """A pytest hook."""
    global _pytest_config
    _pytest_config = config


def _pytest_arguments(test):
    """Arguments of Python that run only this test, with the options of this pytest run."""
    config = _pytest_config
    if config is None:
        return ["-m", "pytest", test]
    file, *inner = test.split("::")
    root = str(getattr(config, "rootpath", None) or config.rootdir)
    named = config.getoption("file_or_dir") or []
    options = [word for word in map(str, config.invocation_params.args) if word not in named]
    path = os.path.relpath(os.path.join(root, file), str(config.invocation_params.dir))
    return ["-m", "pytest", *options, "::".join([path, *inner])]


def pytest_runtest_logreport(report):
    """A pytest hook that adds seed, version and the command to repeat to a failure."""
    if report.failed:
        for exchange in [*_running, *_ended]:
            command = _again(exchange.seed, _pytest_arguments(report.nodeid))
            report.sections.append(("pricetime lab", _origin(exchange, command)))


def pytest_runtest_logfinish():
    """A pytest hook."""
    _ended.clear()
