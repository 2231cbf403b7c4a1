"""The Python file against a real node: run by python.campaign.ts, or by hand with PYTHONPATH=packages/lab/python."""
import os
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.request

from pricetime_lab import LabError, start_exchange

SYMBOL = "BTCUSDT"


def limit(side, quantity, price):
    return dict(symbol=SYMBOL, side=side, type="LIMIT", timeInForce="GTC", quantity=quantity, price=price)


def is_there(address):
    try:
        urllib.request.urlopen(address + "/api/v3/ping", timeout=5).read()
        return True
    except OSError:
        return False


class OneExchange(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.exchange = start_exchange(
            seed=3, symbols=[SYMBOL], accounts=["erin", {"name": "frank", "balances": {"USDT": "1000"}}]
        )
        print("ready after {:.0f} ms".format(cls.exchange.ready_ms))

    @classmethod
    def tearDownClass(cls):
        cls.exchange.stop()

    def test_clock_and_trades(self):
        clock, send = self.exchange.clock, self.exchange.send
        begin = clock.now()
        self.assertEqual(clock.state()["mode"], "manual")
        self.assertEqual(send(None, "GET /api/v3/time"), {"serverTime": begin})
        send("bob", "POST /api/v3/order", **limit("SELL", "1", "20000"))
        self.assertEqual(clock.advance(60_000)["nowMs"], begin + 60_000)
        self.assertEqual(clock.advance(to_ms=begin + 61_000)["nowMs"], begin + 61_000)
        order = send("frank", "POST /api/v3/order", **limit("BUY", "0.01", "20000"))
        self.assertEqual((order["status"], order["transactTime"]), ("FILLED", begin + 61_000))
        self.assertEqual(clock.set(now_ms=begin + 70_000)["nowMs"], begin + 70_000)

    def test_symbols_and_accounts(self):
        listed = self.exchange.send(None, "GET /api/v3/exchangeInfo")["symbols"]
        self.assertEqual([each["symbol"] for each in listed if each["status"] == "TRADING"], [SYMBOL])
        self.assertEqual(self.exchange.account("erin")["name"], "erin")
        with self.assertRaises(KeyError):
            self.exchange.account("mallory")

    def test_refusals_say_how_to_see_them_again(self):
        with self.assertRaises(LabError) as refused:
            self.exchange.clock.advance(to_ms=0)
        self.assertEqual((refused.exception.status, refused.exception.code), (409, "TIME_GOES_BACK"))
        self.assertRegex(str(refused.exception), r"\[seed 3, pricetime \d+\.\d+\.\d+; repeat with: PRICETIME_LAB_SEED=3 PYTHONPATH=\S+ \S*python\S* ")
        with self.assertRaises(LabError) as refused:
            self.exchange.send("erin", "POST /api/v3/order", **limit("BUY", "1", "20000"))
        self.assertEqual((refused.exception.status, refused.exception.code), (400, "-2010"))

    def test_market_faults_latency_and_checkpoints(self):
        exchange = self.exchange
        exchange.checkpoint("before", replace=True)
        begin = exchange.clock.now()
        open_orders = exchange.send("bob", "GET /api/v3/openOrders", symbol=SYMBOL)
        move = exchange.market(SYMBOL).halt(inMs=60_000)
        exchange.market(SYMBOL).clear(move["id"])
        exchange.faults.add("fail-after", where={"account": "bob", "endpoint": "order.place"}, count=1)
        with self.assertRaises(LabError) as refused:
            exchange.send("bob", "POST /api/v3/order", **limit("SELL", "1", "40000"))
        self.assertEqual((refused.exception.status, refused.exception.code), (504, "-1007"))
        self.assertEqual(exchange.faults.list()[0]["struck"], 1)
        exchange.faults.remove()
        self.assertEqual(exchange.latency.set(marketData={"ms": 20}), {"marketData": {"ms": 20}})
        self.assertEqual(exchange.latency.set(), {})
        exchange.clock.advance(1000)
        exchange.restore("before")
        self.assertEqual(exchange.clock.now(), begin)
        self.assertEqual(exchange.send("bob", "GET /api/v3/openOrders", symbol=SYMBOL), open_orders)
        data = exchange.checkpoints.export("before")
        self.assertEqual(exchange.checkpoints.import_file("again", data)["hash"], exchange.checkpoints.show("before")["hash"])
        exchange.checkpoints.delete("again")
        self.assertNotIn("again", [each["name"] for each in exchange.checkpoints.list()])

    def test_until_event(self):
        self.exchange.send("bob", "POST /api/v3/order", **limit("SELL", "1", "30000"))
        with self.assertRaises(LabError) as refused:
            self.exchange.clock.until_event({"fill": {"account": "erin"}}, max_ms=1000)
        self.assertEqual(refused.exception.code, "NOT_REACHED")

    def test_watch(self):
        exchange, watch = self.exchange, self.exchange.watch
        last = watch.begin(accounts=["alice"], symbols=[SYMBOL])["last"]
        self.assertEqual(len(watch.look()["records"]), last)
        exchange.send("bob", "POST /api/v3/order", **limit("SELL", "1", "19000"))
        exchange.send("alice", "POST /api/v3/order", **limit("BUY", "0.5", "19000"))
        told = watch.look(last)
        fills = [each for each in told["records"] if each["kind"] == "fill"]
        self.assertEqual([(each["account"], each["side"], float(each["price"]), float(each["quantity"])) for each in fills],
                         [(exchange.account("alice")["email"], "BUY", 19000, 0.5)])
        self.assertEqual(watch.look(told["last"]), {"records": [], "last": told["last"], "lost": 0})
        watch.end()
        self.assertEqual(watch.look(), {"records": [], "last": 0, "lost": 0})
        with self.assertRaises(LabError) as refused:
            watch.begin(accounts=["mallory"])
        self.assertEqual(refused.exception.code, "UNKNOWN_ACCOUNT")

    def test_a_client_that_leads_and_one_that_is_dismissed(self):
        clock = self.exchange.clock
        begin = clock.now()
        leader, other = clock.join("leader", leads=True), clock.join("other")
        self.assertEqual(sorted(clock.clients()), ["leader", "other"])
        clock.dismiss(other.name)
        self.assertEqual(clock.clients(), ["leader"])
        self.assertEqual(leader.until(begin + 5000)["nowMs"], begin + 5000)
        leader.leave()
        self.assertEqual(clock.clients(), [])

    def test_lock_step(self):
        clock = self.exchange.clock
        begin = clock.now()
        one, other = clock.join("one"), clock.join("other")
        moments = []

        def live():
            for step in range(1, 6):
                moments.append(one.done(until_ms=begin + step * 1000)["nowMs"])
            one.leave()

        thread = threading.Thread(target=live)
        thread.start()
        seen = 0
        while thread.is_alive() and seen < begin + 5000:
            seen = other.done(until_ms=begin + 5000)["nowMs"]
        thread.join()
        other.leave()
        self.assertEqual(moments, [begin + step * 1000 for step in range(1, 6)])


TRADES = [
    "7001,95000.01,0.25000,23750.0025,1768392000000,False,True",
    "7002,95000.02,0.10000,9500.0020,1768392000000,False,True",
    "7003,95000.00,0.05000,4750.0000,1768392000750,True,True",
    "7004,94999.50,0.75000,71249.6250,1768392002000,True,True",
    "7005,95000.00,0.00001,0.9500,1768392004500,False,True",
]


class Others(unittest.TestCase):
    """Who else trades: agents, and a recording."""

    def test_agents_trade_until_they_are_told_to_stand_still(self):
        with start_exchange(bots="on", symbols=[SYMBOL], seed=2) as exchange:
            agents = exchange.agents
            makers = ["bids", "bids2", "bids3", "bids4", "asks", "asks2", "asks3", "asks4"]
            exchange.watch.begin(accounts=[name + "-btcusdt@bots.pricetime" for name in makers])
            made = agents.add("noise", SYMBOL, count=3, everyMs=2000)
            self.assertEqual((made["type"], made["count"], made["isOn"], made["trades"]), ("noise", 3, True, 0))
            exchange.clock.advance(300_000)
            self.assertGreater(agents.list()[0]["trades"], 20)
            told = exchange.watch.look()
            self.assertGreater(told["last"], 10_000, "more than one answer holds")
            self.assertEqual([each["number"] for each in told["records"]], list(range(1, told["last"] + 1)))
            still = agents.turn_off(made)
            exchange.clock.advance(300_000)
            self.assertEqual((agents.list()[0]["trades"], agents.list()[0]["isOn"]), (still["trades"], False))
            self.assertTrue(agents.turn_on(made["id"])["isOn"])
            agents.remove(made)
            self.assertEqual(agents.list(), [])
            with self.assertRaises(LabError) as refused:
                agents.remove(made)
            self.assertEqual((refused.exception.status, refused.exception.code), (404, "UNKNOWN_AGENT"))

    def test_a_recording_is_played_paused_and_played_by_hand(self):
        with start_exchange(symbols=[SYMBOL]) as exchange, tempfile.TemporaryDirectory() as folder:
            clock, replays = exchange.clock, exchange.replays
            file = os.path.join(folder, "trades.csv")
            with open(file, "w") as written:
                written.write("".join(line + "\n" for line in TRADES))
            replay = replays.play(SYMBOL, [os.path.relpath(file)])
            self.assertEqual((replay["layout"], replay["files"]), ("trades", [file]))
            clock.advance(1000)
            self.assertEqual((replays.pause(replay)["state"], replays.list()[0]["rows"]), ("paused", 3))
            clock.advance(60_000)
            self.assertEqual(replays.step(replay)["rows"], 4)
            self.assertEqual([each["driver"] for each in exchange.markets() if each["symbol"] == SYMBOL], ["replay"])
            self.assertEqual(replays.resume(replay)["state"], "playing")
            self.assertEqual(replays.set_speed(replay["id"], 100)["speed"], 100)
            clock.advance(100)
            self.assertEqual([(each["state"], each["trades"]) for each in replays.list()], [("ended", 5)])
            printed = exchange.send(None, "GET /api/v3/trades", symbol=SYMBOL)
            recorded = [line.split(",") for line in TRADES]
            self.assertEqual([(float(each["price"]), float(each["qty"])) for each in printed],
                             [(float(row[1]), float(row[2])) for row in recorded])
            replays.remove(replay)
            self.assertEqual(replays.list(), [])
            with open(file, "w") as written:
                written.write(TRADES[3] + "\n" + TRADES[0] + "\n")
            with self.assertRaises(LabError) as refused:
                replays.play(SYMBOL, [file])
            self.assertEqual(refused.exception.code, "BAD_FILE")
            self.assertRegex(str(refused.exception), r"trades\.csv, line 2: ")


class Starts(unittest.TestCase):
    def test_equal_seeds_are_equal_exchanges(self):
        def seen(seed):
            with start_exchange(seed=seed, accounts=["erin"]) as exchange:
                return exchange.account("erin"), exchange.send("bob", "POST /api/v3/order", **limit("SELL", "1", "21000"))

        self.assertEqual(seen(5), seen(5))
        self.assertNotEqual(seen(5), seen(6))

    def test_a_start_that_fails_says_why(self):
        with self.assertRaisesRegex(RuntimeError, "clockStart"):
            start_exchange(clock_start="yesterday")
        with self.assertRaisesRegex(ValueError, r"NOSUCH is not listed\. Use one of .*BTCUSDT"):
            start_exchange(symbols=["NOSUCH"])

    def test_the_node_ends_with_its_parent(self):
        code = "import os; from pricetime_lab import start_exchange; print(start_exchange().rest, flush=True); os._exit(0)"
        done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True, env=os.environ)
        address = done.stdout.decode().strip()
        for _ in range(600):
            if not is_there(address):
                return
            threading.Event().wait(0.05)
        self.fail(address + " is still there")


if __name__ == "__main__":
    unittest.main()
