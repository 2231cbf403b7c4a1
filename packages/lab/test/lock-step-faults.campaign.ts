/** The lab decides which faults strike a held bot and how long it waits, so all runs are identical. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FaultRule, LabExchange } from "@pricetime/lab";
import { run } from "./held-run.ts";

/** At no time at which the market sends something by itself. */
const DELAY_MS = 437;

test("delays, 5XX and lost answers come at the lab's time, twice the same; the bot goes on", async (t) => {
  const where = { endpoint: "order.place", account: "alice" };
  const faults: readonly FaultRule[] = [
    { fault: "delay", ms: DELAY_MS, when: "after", where, every: 2 },
    { fault: "fail-after", where, skip: 2, count: 1 },
    { fault: "reset", where, skip: 3, count: 1 },
  ];
  const prepare = async (exchange: LabExchange): Promise<void> => {
    for (const fault of faults) await exchange.faults.add(fault);
  };
  const first = await run(t, { seed: 6 }, 60, prepare);
  assert.deepEqual([first.code, first.errors], [0, ""], first.output.slice(-2000));
  const outcomes = [...first.output.matchAll(/^(\S+) (FILLED|504|-|fetch failed) .*?(\d{13})?$/gm)];
  // Every second answer arrives when it is due, not with the market's next message or the bot's next timer.
  const filled = outcomes.filter(([, , outcome]) => outcome === "FILLED");
  const waitsMs = filled.map(([, time = "", , atMs]) => Date.parse(time) - Number(atMs));
  assert.deepEqual([...new Set(waitsMs)].sort(), [0, DELAY_MS], first.output.slice(-2000));
  const [failures, lost] = [/ 504 /g, / fetch failed/g].map((pattern) => first.output.match(pattern)?.length ?? 0);
  assert.deepEqual([failures, lost], [1, 1], first.output.replaceAll(/^.*heard.*\n/gm, ""));
  assert.match(first.output, /ends after \d+ trades/);
  assert.equal((await run(t, { seed: 6 }, 60, prepare)).output, first.output);
});

test("latencies of order entry and answer are the bot's, to the millisecond", async (t) => {
  const [entryMs, answerMs] = [43, 31];
  const prepare = ({ latency }: LabExchange): Promise<unknown> =>
    latency.set({
      marketData: { ms: 17 },
      orderEntry: { place: { ms: entryMs } },
      answer: { place: { ms: answerMs } },
    });
  const { code, errors, output } = await run(t, { seed: 6 }, 30, prepare);
  assert.deepEqual([code, errors], [0, ""], output.slice(-2000));
  const filled = [...output.matchAll(/^(\S+) FILLED .*?(\d{13})$/gm)];
  assert.equal(filled.length, 3, output.slice(-2000));
  for (const [line, time = "", atMs] of filled) {
    assert.equal(Number(atMs) % 10_000, entryMs, line);
    assert.equal(Date.parse(time) - Number(atMs), answerMs, line);
  }
});
