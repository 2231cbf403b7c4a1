"""Calls what the Python file has, on the lab whose address LAB_ADDRESS holds: run by every-route.test.ts.

every_route.py TRADES: a file of recorded trades. Without it, prints the names of all methods, as JSON.
"""
import json
import sys

import pricetime_lab
from pricetime_lab import start_exchange

SYMBOL = "BTCUSDT"
# Says where that lab is, as a lab's node does, and ends when its input does.
THE_SAME_LAB = ["sh", "-c", 'printf "%s\\n" "$LAB_ADDRESS"; exec cat']


def call_all(exchange, file):
    clock, faults, latency = exchange.clock, exchange.faults, exchange.latency
    agents, replays, watch = exchange.agents, exchange.replays, exchange.watch
    scenario, checkpoints = exchange.scenario, exchange.checkpoints
    clock.set(mode="manual")
    clock.advance(60_000)
    clock.interrupt()
    client = clock.join("one")
    assert clock.clients() == ["one"]
    client.until(clock.now() + 1000)
    client.leave()

    exchange.set_balances("alice", {"USDT": "5"})
    market = exchange.market(SYMBOL)
    market.clear(market.halt(inMs=60_000)["id"])
    market.halt(inMs=70_000)
    market.clear()
    assert market.state()["status"] == "TRADING"
    assert [each for each in exchange.markets() if each["symbol"] == SYMBOL and each["driver"] is not None]

    group = agents.add("noise", SYMBOL)
    agents.turn_off(group)
    assert len(agents.list()) == 1
    agents.remove(group)
    replay = replays.play(SYMBOL, [file])
    replays.pause(replay)
    replays.step(replay)
    assert len(replays.list()) == 1
    replays.remove(replay)

    faults.remove(faults.add("delay", ms=5))
    assert faults.list() == []
    faults.remove()
    latency.set(answer={"ms": 1})
    latency.set()
    assert latency.state() == {}

    exchange.checkpoint("one")
    exchange.restore("one")
    checkpoints.import_file("two", checkpoints.export("one"))
    checkpoints.show("two")
    checkpoints.delete("two")
    assert [each["name"] for each in checkpoints.list()] == ["one"]
    exchange.take_start()
    exchange.reset()

    watch.begin(accounts=["alice"], symbols=[SYMBOL])
    assert watch.look()["records"] != []
    watch.end()
    scenario.tell({"name": "mine", "hash": "0123abcd", "startMs": 0, "endMs": 1, "timeline": [], "asserts": []})
    assert scenario.state()["name"] == "mine"
    scenario.end()
    assert scenario.state() is None


def names():
    """Exchange.checkpoint, for one."""
    classes = [(name, value) for name, value in vars(pricetime_lab).items() if isinstance(value, type)]
    return ["{}.{}".format(name, each) for name, value in classes for each in vars(value) if not each.startswith("_")]


if len(sys.argv) > 1:
    with start_exchange(command=THE_SAME_LAB) as the_exchange:
        call_all(the_exchange, sys.argv[1])
else:
    print(json.dumps(names()))
