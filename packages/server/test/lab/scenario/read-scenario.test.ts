/** Scenario files: what is read, and the error for one that cannot be played, always with the line. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { durationMs, durationText } from "../../../src/lab/scenario/duration.ts";
import { readScenario } from "../../../src/lab/scenario/read-scenario.ts";
import type { Scenario } from "../../../src/lab/scenario/scenario.ts";

const KNOWN = { symbols: ["BTCUSDT", "ETHUSDT"], assets: ["BTC", "ETH", "USDT"] };

function read(t: TestContext, text: string): Scenario {
  const path = join(scratchFolder(t), "file.yaml");
  writeFileSync(path, text);
  return readScenario(path, "file.yaml", KNOWN);
}

const HEAD = `duration: 10m
symbols: [BTCUSDT]
accounts: [maker]
`;

test("points are in the order of time, repeated ones among them, and assertions have their kinds", (t) => {
  const {
    timeline,
    assert: asserts,
    accounts,
    bot,
    hash,
    name,
  } = read(
    t,
    `${HEAD}timeline:
  - { at: 1m, market: BTCUSDT, crash: { percent: 20, overMs: 30s } }
  - { in: 30s, repeat: { every: 10s, times: 3 }, order: bob, symbol: BTCUSDT, side: BUY, type: MARKET, quantity: 1.50 }
  - { at: 95000, fault: delay, ms: 2s, where: { account: maker }, for: 1h }
  - { in: 1s, heal: delay }
assert:
  always: [{ position: { asset: BTC, max: 1 } }]
  finally: [{ name: none is open, openOrders: { max: 0 } }]
`,
  );
  assert.deepEqual(
    timeline.map(({ afterMs, act }) => [afterMs, act.kind]),
    [
      [60_000, "market"],
      [90_000, "order"],
      [95_000, "fault"],
      [96_000, "heal"],
      [100_000, "order"],
      [110_000, "order"],
    ],
  );
  assert.deepEqual(timeline[0]?.act, {
    kind: "market",
    subject: "BTCUSDT",
    fields: { crash: { percent: 20, overMs: 30_000 } },
  });
  assert.deepEqual(timeline[2]?.act, {
    ...{ kind: "fault", subject: "delay", name: "delay", forMs: 3_600_000 },
    fields: { ms: 2000, where: { account: "maker" } },
  });
  assert.deepEqual(
    asserts.map(({ kind, condition }) => [kind, condition.is]),
    [
      ["always", "position"],
      ["finally", "openOrders"],
    ],
  );
  assert.deepEqual(accounts, [{ name: "maker", balances: {} }]);
  assert.equal(bot.mustRun, false);
  assert.match(hash, /^[0-9a-f]{64}$/);
  assert.equal(name, "file");
});

const WRONG: Readonly<Record<string, readonly [text: string, told: RegExp]>> = {
  "a misspelt key that must be there": [
    "accounts: [maker]\ndurationn: 1m\n",
    /^file\.yaml:2: unknown key durationn; did you mean duration\?$/,
  ],
  "a misspelt key within": [
    `${HEAD}agents:\n  - type: noise\n    symbl: BTCUSDT\n`,
    /^file\.yaml:6: unknown key agents\[0\]\.symbl; did you mean symbol\?$/,
  ],
  "an unknown key": [`${HEAD}timline: []\n`, /^file\.yaml:4: unknown key timline; did you mean timeline\?$/],
  "no duration": ["accounts: [maker]\n", /duration: is missing/],
  "a bad time": [
    `${HEAD}timeline:\n  - at: 10 minutes\n    halt: BTCUSDT\n`,
    /^file\.yaml:5: at: 10 minutes is no span/,
  ],
  "a time after the end": [
    `${HEAD}timeline:\n  - { at: 11m, halt: BTCUSDT }\n`,
    /^file\.yaml:1: .*at 11m, after the end at 10m$/,
  ],
  "no time": [`${HEAD}timeline:\n  - halt: BTCUSDT\n`, /^file\.yaml:5: say when/],
  "an unknown act": [
    `${HEAD}timeline:\n  - at: 1m\n    markt: BTCUSDT\n`,
    /^file\.yaml:6: unknown key markt; did you mean market\?$/,
  ],
  "two acts": [
    `${HEAD}timeline:\n  - at: 1m\n    halt: BTCUSDT\n    mine: BTC\n`,
    /^file\.yaml:7: a point does one thing: halt and mine/,
  ],
  "an unknown fault": [
    `${HEAD}timeline:\n  - at: 1m\n    fault: fail-afer\n`,
    /^file\.yaml:6: unknown fault fail-afer; did you mean fail-after\?$/,
  ],
  "a fault's key": [
    `${HEAD}timeline:\n  - at: 1m\n    fault: drop\n    bytes: 3\n`,
    /^file\.yaml:7: unknown key bytes/,
  ],
  "a fault's moment": [
    `${HEAD}timeline:\n  - at: 1m\n    fault: drop\n    toMs: 3\n`,
    /^file\.yaml:7: toMs: a fault begins at its point/,
  ],
  "a move's value": [
    `${HEAD}timeline:\n  - at: 1m\n    market: BTCUSDT\n    crash:\n      percent: 200\n      overMs: 1s\n`,
    /^file\.yaml:8: .*percent: must be at most 99/,
  ],
  "an agent's key": [
    `${HEAD}agents:\n  - type: noise\n    symbol: BTCUSDT\n    evryMs: 500\n`,
    /^file\.yaml:7: unknown key agents\[0\]\.evryMs; did you mean everyMs\?$/,
  ],
  "a replay's key": [
    `${HEAD}replays:\n  - symbol: BTCUSDT\n    files: [a.csv]\n    sped: 2\n`,
    /^file\.yaml:7: unknown key replays\[0\]\.sped; did you mean speed\?$/,
  ],
  "a key of agents in the time line": [
    `${HEAD}timeline:\n  - at: 1m\n    agents: { type: noise, symbol: BTCUSDT, evryMs: 500 }\n`,
    /^file\.yaml:6: unknown key evryMs; did you mean everyMs\?$/,
  ],
  "a key of a replay in the time line": [
    `${HEAD}timeline:\n  - at: 1m\n    replay: { symbol: BTCUSDT, files: [a.csv], sped: 2 }\n`,
    /^file\.yaml:6: unknown key sped; did you mean speed\?$/,
  ],
  "a side of a book without what it is to be": [
    `${HEAD}assert:\n  sometimes:\n    - book: { symbol: BTCUSDT, side: BUY }\n`,
    /^file\.yaml:6: .*empty: is missing/,
  ],
  "a key of a book": [
    `${HEAD}assert:\n  sometimes:\n    - book:\n        symbol: BTCUSDT\n        side: BUY\n        empty: true\n        sid: 1\n`,
    /^file\.yaml:10: unknown key assert\.sometimes\[0\]\.book\.sid; did you mean side\?$/,
  ],
  "a side of a book that is none": [
    `${HEAD}assert:\n  sometimes:\n    - book:\n        symbol: BTCUSDT\n        side: bids\n        empty: true\n`,
    /^file\.yaml:8: .*side: /,
  ],
  "a book of a symbol that does not trade": [
    `${HEAD}assert:\n  sometimes:\n    - book: { symbol: ETHUSDT, side: BUY, empty: true }\n`,
    /^file\.yaml:6: unknown symbol ETHUSDT/,
  ],
  "an unlisted symbol": [
    "duration: 1m\naccounts: [maker]\nsymbols:\n  - BTCUSDT\n  - BTCUSD\n",
    /^file\.yaml:5: unknown symbol BTCUSD; did you mean BTCUSDT\?$/,
  ],
  "a symbol that does not trade": [
    `${HEAD}timeline:\n  - at: 1m\n    halt: ETHUSDT\n`,
    /^file\.yaml:6: unknown symbol ETHUSDT/,
  ],
  "an account twice": [
    "duration: 1m\naccounts:\n  - maker\n  - maker\n",
    /^file\.yaml:4: account maker is there twice$/,
  ],
  "the demo's account": [
    "duration: 1m\naccounts: [bob]\n",
    /^file\.yaml:2: account bob: every lab has one, take another name$/,
  ],
  "an unknown asset": [
    "duration: 1m\naccounts:\n  - name: maker\n    balances:\n      XYZ: 1\n",
    /^file\.yaml:5: unknown asset XYZ/,
  ],
  "an unknown account": [
    `${HEAD}assert:\n  never:\n    - balance: { account: makr, asset: BTC }\n`,
    /^file\.yaml:6: unknown account makr; did you mean maker\?$/,
  ],
  "an unknown condition": [
    `${HEAD}assert:\n  never:\n    - positon: { asset: BTC }\n`,
    /^file\.yaml:6: unknown key .*positon/,
  ],
  "a strike of no fault": [
    `${HEAD}assert:\n  never:\n    - struck: { fault: drop }\n`,
    /^file\.yaml:6: unknown fault drop; there are none$/,
  ],
  "an order with latency": [
    `${HEAD}latency: { answer: { ms: 5 } }\ntimeline:\n  - at: 1m\n    order: bob\n    symbol: BTCUSDT\n`,
    /^file\.yaml:7: order: not together with latency$/,
  ],
  "no YAML": [`${HEAD}timeline: [\n`, /^file\.yaml:\d+: /],
};

for (const [what, [text, told]] of Object.entries(WRONG)) {
  test(`${what} is told before anything starts`, (t) => {
    assert.throws(() => read(t, text), { name: "ConfigError", message: told });
  });
}

test("spans of time are read and written", () => {
  for (const [text, ms] of [
    ["250ms", 250],
    ["10m", 600_000],
    ["1h30m", 5_400_000],
    ["1.1s", 1100],
    ["1d", 86_400_000],
  ] as const) {
    assert.equal(durationMs(text), ms);
    if (text !== "1.1s") assert.equal(durationText(ms), text);
  }
  for (const text of ["", "10", "m", "-1s", "1s 2m", "0.0001s"]) assert.equal(durationMs(text), null, text);
});
