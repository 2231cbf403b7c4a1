/**
 * The campaign can fail, by its verdict on made-up measurements. `npm run attack` is the real one; attack.campaign.ts shows
 * its verdict on a real node that is stopped and killed.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Attack, Row } from "../../attack/attack.ts";
import { ATTACKS } from "../../attack/attacks/list.ts";
import { attackAll } from "../../attack/campaign.ts";
import { isPlainRefusal } from "../../attack/starts.ts";
import { table } from "../../attack/table.ts";
import { judge, type Measured, type Seen } from "../../attack/verdict.ts";

const seen = (delaysMs: readonly number[], more: Partial<Seen> = {}): Seen => ({
  ...{ delaysMs, failures: {}, healthAsked: 10, healthAnswered: 10, ...more },
});
const same = (ms: number): number[] => Array.from({ length: 200 }, () => ms);
const SOUND: Measured = {
  ...{ usual: seen(same(5)), during: seen(same(99)), ended: null, isReadyAfter: true },
  ...{ usualMiB: 400, peakMiB: 900, booksFault: null },
};

function breaks(change: Partial<Measured>, what: RegExp): void {
  const broken = judge({ ...SOUND, ...change });
  assert.equal(broken.length, 1, broken.join("; "));
  assert.match(broken[0] ?? "", what);
}

test("what others may see is held, and each promise can be broken", () => {
  assert.deepEqual(judge(SOUND), []);
  breaks({ during: seen(same(100)) }, /quiet client's p99 is 20 times/);
  breaks({ during: seen([...same(5), 150, 150, 150]) }, /quiet client's p99 is 30 times/);
  assert.deepEqual(
    judge({ ...SOUND, during: seen([...same(5), 150, 150]) }),
    [],
    "what is rarer than one in a hundred",
  );
  breaks({ during: seen(same(5), { failures: { "503 -1008": 2 } }) }, /2 x 503 -1008/);
  breaks({ during: seen(same(5), { healthAnswered: 9 }) }, /healthz: 1 of 10/);
  breaks({ during: seen(same(5), { healthAsked: 0, healthAnswered: 0 }) }, /healthz/);
  breaks({ ended: "the process ended" }, /ended/);
  breaks({ isReadyAfter: false }, /not ready/);
  breaks({ peakMiB: 913 }, /memory grew by 513 MiB/);
  breaks({ booksFault: "BTC does not sum to zero" }, /books: BTC/);
});

test("no measurement is no success, and a fast disk no yardstick", () => {
  assert.ok(judge({ ...SOUND, during: seen([]) }).length > 0);
  assert.ok(judge({ ...SOUND, usual: seen([]) }).length > 0);
  assert.ok(judge({ ...SOUND, peakMiB: Number.NaN }).length > 0);
  assert.deepEqual(judge({ ...SOUND, usual: seen(same(0.1)), during: seen(same(99)) }), []);
  assert.equal(judge({ ...SOUND, usual: seen(same(0.1)), during: seen(same(100)) }).length, 1);
});

test("a refusal to start is one line and code 1, and nothing that looks like a crash", () => {
  const start = (code: number | null, said: string) => ({ exchange: undefined, code, said }) as const;
  assert.ok(isPlainRefusal(start(1, '{"level":"warn"}\npricetime: the master key is another\n')));
  assert.ok(!isPlainRefusal(start(13, "pricetime: the master key is another\n")));
  assert.ok(!isPlainRefusal(start(null, "pricetime: the master key is another\n")));
  assert.ok(!isPlainRefusal(start(1, "")));
  assert.ok(!isPlainRefusal(start(1, "Error: no\n    at start (main.ts:1:1)\npricetime: no\n")));
});

const SMALL = { symbols: 5, asks: 10, hoard: 10 };
const quietly = { isShort: true, seconds: 3, size: SMALL, say: () => {} };

test("an attack that cannot be carried out counts as broken", async () => {
  const broken: Attack = { name: "broken", run: () => Promise.reject(new Error("no such thing")) };
  const [row] = await attackAll({ ...quietly, attacks: [broken] });
  assert.match(row?.broken.join() ?? "", /no such thing/);
  assert.match(table([row as Row]).join("\n"), /\| broken \|.*\*\*BROKEN\*\*/);
});

test("attacks have names of their own, and those of the issue are all there", () => {
  const names = ATTACKS.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const name of ["pipelining", "unread", "incomplete", "expensive", "disk", "clock", "keys", "races"]) {
    assert.ok(names.includes(name), name);
  }
});
