/** The clock of a lab from the command line: shown, set, and advanced to all possible conditions. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import { doneIn, jsonIn, runIn } from "../../program/cli/command-line.ts";
import { type RunningLab, startLab } from "../checkpoints/running-lab.ts";

const START_MS = 1_767_225_600_000;

interface Shown {
  readonly mode: string;
  readonly nowMs: number;
  readonly speed: number;
  readonly reached?: boolean;
}

async function started(
  t: TestContext,
): Promise<{ readonly lab: RunningLab; readonly json: (words: string) => Promise<Shown> }> {
  const lab = await startLab(t);
  return { lab, json: (words) => jsonIn<Shown>(lab.folder, `lab ${words}`) };
}

test("the clock is shown, leaps, is scaled, and stands again", async (t) => {
  const { lab, json } = await started(t);
  assert.deepEqual(await json("clock"), { mode: "manual", nowMs: START_MS, speed: 1 });
  assert.match(await doneIn(lab.folder, "lab clock"), /^mode +manual\nnow +2026-01-01 00:00:00Z\nspeed +1$/);
  assert.equal((await json("clock manual --at 2026-01-01T01:00:00Z")).nowMs, START_MS + 3_600_000);
  const scaled = await json("clock scaled --speed 1000");
  assert.deepEqual([scaled.mode, scaled.speed], ["scaled", 1000]);
  await until("a second of the lab has passed", async () => (await json("clock")).nowMs > scaled.nowMs + 1000);
  const stands = await json("clock manual");
  assert.equal((await json("clock")).nowMs, stands.nowMs);
});

test("an advance goes by a span, to a moment, and until nothing is under way", async (t) => {
  const { json } = await started(t);
  let atMs = START_MS;
  for (const [words, byMs] of [
    ["250ms", 250],
    ["90s", 90_000],
    ["15m", 900_000],
    ["1h30m", 5_400_000],
    ["7", 7],
  ] as const) {
    atMs += byMs;
    assert.equal((await json(`advance ${words}`)).nowMs, atMs, words);
  }
  assert.equal((await json("advance --to 2026-01-01T02:00:00Z")).nowMs, START_MS + 7_200_000);
  assert.equal((await json(`advance --to ${START_MS + 7_200_001}`)).nowMs, START_MS + 7_200_001);
  assert.equal((await json("advance --until-idle --at-most 1h")).reached, true);
});

test("an advance ends at a fill, a price or a deposit, at its own moment, or gives up", async (t) => {
  const { lab, json } = await started(t);
  const [alice, bob] = lab.clients;
  assert.ok(alice !== undefined && bob !== undefined);
  const [aliceMail = "", bobMail = "", carolMail = ""] = lab.accounts.map(({ email }) => email);
  /** Alice trades with bob when her order has been on its way for so long. */
  const wayMs = 30_000;
  const tradeIn = async (price: string): Promise<void> => {
    const { nowMs } = await json("clock");
    const terms = { symbol: "BTCUSDT", type: "LIMIT", timeInForce: "GTC", quantity: "0.001", price, timestamp: nowMs };
    await bob.signed("POST", "/api/v3/order", { ...terms, side: "SELL" });
    const where = { endpoint: "order.place", account: aliceMail };
    const { id } = await lab.ask("POST", "/v1/lab/faults", { fault: "delay", ms: wayMs, where, count: 1 });
    void alice.signed("POST", "/api/v3/order", { ...terms, side: "BUY", recvWindow: 60_000 }).catch(() => {});
    await until("the order is on its way", async () => {
      const faults = await lab.ask<{ id: unknown; struck: number }[]>("GET", "/v1/lab/faults");
      return faults.find((fault) => fault.id === id)?.struck === 1;
    });
  };
  const reaches = async (words: string, price: string): Promise<void> => {
    await tradeIn(price);
    const { nowMs } = await json("clock");
    const advanced = await json(`advance ${words} --at-most 5m`);
    assert.deepEqual([advanced.reached, advanced.nowMs], [true, nowMs + wayMs], words);
  };
  const misses = async (words: string, price: string): Promise<void> => {
    await tradeIn(price);
    const { nowMs } = await json("clock");
    const advanced = await json(`advance ${words} --at-most 1m`);
    assert.deepEqual([advanced.reached, advanced.nowMs], [false, nowMs + 60_000], words);
  };
  await reaches("--until-fill", "70000");
  await reaches("--until-fill btc/usdt", "70000");
  await reaches(`--until-fill --account ${aliceMail}`, "70000");
  await reaches(`--until-fill BTCUSDT --account ${bobMail}`, "70000");
  await misses("--until-fill ETHUSDT", "70000");
  await misses(`--until-fill --account ${carolMail}`, "70000");
  await reaches("--until-rise BTCUSDT=70000", "70000");
  await reaches("--until-rise btc/usdt=70000", "70001");
  await misses("--until-rise BTCUSDT=70000", "69999");
  await reaches("--until-fall BTCUSDT=70000", "70000");
  await reaches("--until-fall BTCUSDT=70000", "69999");
  await misses("--until-fall BTCUSDT=70000", "70001");

  const faucet = (): Promise<unknown> =>
    lab.ask("POST", "/v1/networks/BTC/sandbox/faucet", { asset: "BTC", amount: "1", account: aliceMail });
  for (const [words, reached] of [
    ["--until-deposit", true],
    ["--until-deposit btc", true],
    [`--until-deposit --account ${aliceMail}`, true],
    [`--until-deposit BTC --account ${bobMail}`, false],
    ["--until-deposit ETH", false],
  ] as const) {
    await faucet();
    assert.equal((await json(`advance ${words} --at-most 2h`)).reached, reached, words);
    await json("advance --until-idle");
  }
});

test("clients in lock step are listed and released: the clock does not wait for them", async (t) => {
  const { lab } = await started(t);
  assert.match(await doneIn(lab.folder, "lab clients"), /\(none\)$/);
  for (const name of ["one", "other", "third"]) await lab.ask("POST", "/v1/lab/clock/clients", { name });
  assert.deepEqual(await jsonIn(lab.folder, "lab clients"), [{ name: "one" }, { name: "other" }, { name: "third" }]);
  const done = lab.ask<Shown>("POST", "/v1/lab/clock/done", { name: "one", untilMs: START_MS + 5000 });
  assert.match(await doneIn(lab.folder, "lab release other third"), /other\nthird$/);
  assert.equal((await done).nowMs, START_MS + 5000);
  assert.deepEqual(await jsonIn(lab.folder, "lab clients"), [{ name: "one" }]);
});

test("what is wrong is said, and the clock stands", async (t) => {
  const { lab, json } = await started(t);
  for (const [words, why] of [
    ["clock slow", /^pricetime: 'slow' is not a clock mode\. Use real, scaled, manual\.$/],
    ["clock --speed 2", /^pricetime: Specify the mode, for example: clock manual\.$/],
    ["clock manual --at yesterday", /it must be a time such as 2026-01-01T00:00:00Z/],
    ["clock manual --at 0", /Time goes back only when a checkpoint is restored/],
    ["clock real --speed 2", /speed: only for a scaled clock/],
    ["advance", /^pricetime: Specify exactly one of: a time, --to, /],
    ["advance 1s --until-idle", /^pricetime: Specify exactly one of: a time, --to, /],
    ["advance --until-fill --until-deposit", /^pricetime: Specify exactly one of: a time, --to, /],
    ["advance soon", /[Ii]t must be a time such as 250ms/],
    ["advance 1s --account alice@demo.pricetime", /^pricetime: --account needs --until-fill or --until-deposit\.$/],
    ["advance 1s --at-most 1s", /^pricetime: --at-most needs an --until option\.$/],
    ["advance --until-rise BTCUSDT", /it must be a symbol and a price, such as BTCUSDT=70000/],
    ["advance --until-fall NOSUCH=1", /NOSUCH/],
    ["advance --until-rise BTCUSDT=0.001", /BTCUSDT cannot have it/],
    ["advance --until-fill --account nobody@demo.pricetime", /nobody@demo\.pricetime/],
    ["release nobody", /^pricetime: No client nobody is registered\.$/],
  ] as const) {
    const { code, err } = await runIn(lab.folder, `lab ${words}`);
    assert.notEqual(code, 0, words);
    assert.match(err, why, words);
  }
  assert.equal((await json("clock")).nowMs, START_MS);
  await json("clock real");
  assert.match((await runIn(lab.folder, "lab advance 1s")).err, /The clock runs on its own/);
});
