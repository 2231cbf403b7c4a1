/** The real program: a bot that takes every order back at once is locked, and let go. Interface 3.8. */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "@pricetime/testkit/client";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, operate, startExchange } from "@pricetime/testkit/venue";
import { untilAnswer } from "@pricetime/testkit/waiting";

/** As in the interface, but quicker and sooner; the limits are on, as the rules need, and wide. */
const CONFIG = `
limits:
  rules: [{ rateLimitType: ORDERS, interval: SECOND, intervalNum: 1, limit: 100000 }]
tradingRules:
  enabled: true
  everyMs: 100
  gcr: { trigger: 0.99, orders: 30 }
`;
const ORDER = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: 0.01 };

interface TradingStatus {
  readonly isLocked: boolean;
  readonly plannedRecoverTime: number;
  readonly triggerCondition: Record<string, number>;
  readonly indicators: Record<string, { i: string; c: number; v: number; t: number }[]>;
  readonly updateTime: number;
}

let folder: string;
let exchange: Exchange;
const start = async (...more: readonly string[]): Promise<void> => {
  const args = ["--config", join(folder, "pricetime.yaml"), "--bots", "off", ...more];
  exchange = await startExchange({ dataFolder: join(folder, "data"), args });
};
before(async () => {
  folder = temporaryFolder();
  writeFileSync(join(folder, "pricetime.yaml"), CONFIG);
  await start();
});
after(async () => {
  await exchange.stop();
  rmSync(folder, { recursive: true, force: true });
});

const clientOf = (name: string): Client =>
  new Client(
    exchange.rest,
    exchange.accounts.find((account) => account.name === name),
  );

async function statusOf(client: Client): Promise<TradingStatus> {
  const answer = await client.signed<{ success: boolean; status: TradingStatus }>(
    "GET",
    "/wapi/v3/apiTradingStatus.html",
  );
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.json.success, true);
  return answer.json.status;
}

/** Its log comes by a pipe of its own, and may be behind its answers. */
async function said(what: RegExp): Promise<void> {
  for (let tries = 0; !what.test(exchange.output()); tries++) {
    assert.ok(tries < 600, `it never said ${what}`);
    await pause(50);
  }
}

test("a careless bot is locked out, may still cancel, and trades again when it is let go", {
  timeout: 120_000,
}, async () => {
  const bot = clientOf("alice");
  const other = clientOf("bob");
  const place = (client: Client, id: string) =>
    client.signed<{ code?: number; msg?: string }>("POST", "/api/v3/order", {
      ...ORDER,
      price: 10_000,
      newClientOrderId: id,
    });
  const cancel = (symbol: string, origClientOrderId: string) =>
    bot.signed<{ status: string }>("DELETE", "/api/v3/order", { symbol, origClientOrderId });

  const free = await statusOf(bot);
  assert.deepEqual([free.isLocked, free.plannedRecoverTime, free.indicators], [false, 0, {}]);
  assert.deepEqual(free.triggerCondition, { UFR: 300, IFER: 150, GCR: 30 });

  const resting = { ...ORDER, symbol: "ETHUSDT", price: 1_000, newClientOrderId: "resting" };
  assert.equal((await bot.signed("POST", "/api/v3/order", resting)).status, 200);
  // Thirty will do on a machine that takes none of them longer than 2.5 s.
  for (let n = 0; !(await statusOf(bot)).isLocked; n++) {
    if ((await place(bot, `quick${n}`)).status === 200) {
      assert.equal((await cancel("BTCUSDT", `quick${n}`)).status, 200);
    }
  }
  const locked = await statusOf(bot);
  // The log and the newer answer name the rule; the log says until when, in words too.
  await said(/may not trade by API until 2\d{3}-[^"]+: GCR on BTCUSDT \(tradingRules\.gcr\)/);
  const newer = await bot.signed<{ data: { lockedBy?: string } }>("GET", "/sapi/v1/account/apiTradingStatus");
  assert.equal(newer.json.data.lockedBy, "GCR");
  const lockedForMs = locked.plannedRecoverTime - Date.now();
  assert.ok(lockedForMs > 0 && lockedForMs <= 5 * 60_000, `locked for ${lockedForMs} ms`);
  // Indicators are made anew, and then tell of all that the bot did.
  const isNewer = ({ updateTime }: TradingStatus): boolean => updateTime > locked.updateTime;
  const { indicators } = await untilAnswer("newer indicators", () => statusOf(bot), isNewer);
  assert.deepEqual(
    indicators["BTCUSDT"]?.map(({ i, t }) => [i, t]),
    [
      ["UFR", 0.995],
      ["IFER", 0.99],
      ["GCR", 0.99],
    ],
  );
  const gcr = indicators["BTCUSDT"]?.[2];
  assert.ok(gcr !== undefined && gcr.c >= 30 && gcr.v >= 0.99, JSON.stringify(gcr));

  const refused = await place(bot, "late");
  assert.equal(refused.status, 400, refused.text);
  assert.deepEqual(refused.json, { code: -2010, msg: "This action disabled is on this account." });
  assert.equal((await place(other, "free")).status, 200, "others trade on");
  const cancelled = await cancel("ETHUSDT", "resting");
  assert.deepEqual([cancelled.status, cancelled.json.status], [200, "CANCELED"]);

  const account = exchange.accounts.find(({ name }) => name === "alice");
  await operate(exchange, "DELETE", `/v1/accounts/${encodeURIComponent(account!.email)}/api-trading/lock`);
  assert.equal((await statusOf(bot)).isLocked, false);
  const again = await place(bot, "kept");
  assert.equal(again.status, 200, again.text);
  assert.equal((await cancel("BTCUSDT", "kept")).status, 200);
  bot.close();
  other.close();
});

test("an account that is locked when the node stops trades at once where the limits are off at the next start", {
  timeout: 120_000,
}, async () => {
  const lock = async (bot: Client): Promise<void> => {
    for (let n = 0; !(await statusOf(bot)).isLocked; n++) {
      const order = { ...ORDER, price: 10_000, newClientOrderId: `again${n}` };
      await bot.signed("POST", "/api/v3/order", order);
      await bot.signed("DELETE", "/api/v3/order", { symbol: "BTCUSDT", origClientOrderId: `again${n}` });
    }
  };
  const first = clientOf("carol");
  await lock(first);
  first.close();
  await exchange.stop();
  await start();
  const still = clientOf("carol");
  assert.equal((await statusOf(still)).isLocked, true, "a restart alone ends no lock");
  still.close();
  await exchange.stop();
  await start("--limits", "off");
  await said(/tradingRules: disabled because limits are disabled/);
  await said(/API trading unlocked: the rules no longer apply to these accounts/);
  const free = clientOf("carol");
  const status = await statusOf(free);
  assert.deepEqual([status.isLocked, status.plannedRecoverTime], [false, 0]);
  assert.equal((await free.signed("POST", "/api/v3/order", { ...ORDER, price: 10_000 })).status, 200);
  free.close();
});
