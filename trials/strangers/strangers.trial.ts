/**
 * Bots that someone else has written, unchanged but for addresses and what their users set, in lock step through an hour in
 * which orders fail and a flash crash: twice, and the journals are equal byte for byte.
 */
import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, suite, test, type TestContext } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type FaultRule } from "@pricetime/lab";
import { BOTS, type StrangersBot } from "./bots.ts";
import { fetchBot } from "./fetched.ts";
import { type Life, live, type Scene } from "./life.ts";

const orders = { account: "alice", endpoint: "order.place" };
const FAULTS: readonly FaultRule[] = [
  { fault: "fail-after", where: orders, every: 7 },
  { fault: "fail-before", where: orders, every: 11 },
  { fault: "delay", medianMs: 80, sigma: 0.7, where: { account: "alice" }, every: 2 },
];

/** A tenth of the usual rate of trades. */
const QUIETLY = 0.1;

const HOUR = "an hour of 5XX";
const SCENES: Readonly<Record<string, Scene>> = {
  [HOUR]: {
    minutes: 60,
    prepare: async (exchange) => {
      // Who follows trades lives a moment for each: fewer of them, so that an hour costs a minute.
      await exchange.market("BTCUSDT").move({ tradeRate: QUIETLY });
      for (const fault of FAULTS) await exchange.faults.add(fault);
    },
  },
  "a flash crash": {
    minutes: 10,
    prepare: (exchange) =>
      exchange.market("BTCUSDT").crash({ percent: 20, overMs: 30_000, recoverMs: 120_000, inMs: 120_000 }),
  },
};

const folder = temporaryFolder();
after(() => rmSync(folder, { recursive: true, force: true }));

async function twice(t: TestContext, bot: StrangersBot, scene: Scene): Promise<Life> {
  const lives: Life[] = [];
  for (const go of [1, 2]) {
    const data = join(folder, `data-${bot.name}-${go}`);
    lives.push(await live(bot, scene, join(folder, bot.name), data));
    rmSync(data, { recursive: true });
  }
  const [first, second] = lives as [Life, Life];
  const filled = first.orders.filter(({ status }) => status === "FILLED").length;
  t.diagnostic(
    `${first.orders.length} orders, ${filled} filled; faults struck ${first.struck.join(", ")}; ended ${first.endedWith}; ${Math.round(first.tookMs)} ms`,
  );
  assert.equal(second.journal, first.journal, "the journals differ");
  assert.deepEqual(second.struck, first.struck);
  assert.equal(second.endedWith, first.endedWith);
  return first;
}

/** Each kind of fault struck, and the bot lived to the end of the hour, placing orders after one whose outcome it was not told. */
function assertOutlived({ struck, endedWith, orders, unknownAtMs }: Life, said: string): void {
  for (const [n, fault] of FAULTS.entries()) assert.ok((struck[n] ?? 0) > 0, `${fault.fault} never struck\n${said}`);
  assert.equal(endedWith, null, said);
  const [firstMs] = unknownAtMs;
  assert.ok(firstMs !== undefined, said);
  assert.ok(
    orders.some(({ time }) => time > firstMs),
    `no order after ${firstMs}\n${said}`,
  );
}

for (const bot of BOTS) {
  suite(`${bot.name}, through ${bot.client}`, () => {
    const home = join(folder, bot.name);
    let missing: Promise<string | undefined> | undefined;
    for (const [name, scene] of Object.entries(SCENES)) {
      test(name, async (t) => {
        mkdirSync(home, { recursive: true });
        const why = await (missing ??= fetchBot(bot, home));
        if (why !== undefined) {
          // Also where nothing may be missing: their repositories are not ours to install.
          t.skip(why);
          return;
        }
        const life = await twice(t, bot, scene);
        const said = life.output.slice(-2000);
        assert.ok(life.orders.length > 0, said);
        if (name === HOUR)
          assert.ok(
            life.struck.some((count) => count > 0),
            `no fault struck\n${said}`,
          );
        if (name === HOUR && bot.keepsPlacing) assertOutlived(life, said);
      });
    }
  });
}
