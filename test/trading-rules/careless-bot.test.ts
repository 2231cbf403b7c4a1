/** The real program: a bot that takes every order back at once is locked, and let go. Interface 3.8. */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "../client.ts";
import { type Exchange, startExchange, temporaryFolder } from "../exchange.ts";

/** As in the interface, but quicker and sooner. */
const CONFIG = `
tradingRules:
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
before(async () => {
  folder = temporaryFolder();
  const config = join(folder, "pricetime.yaml");
  writeFileSync(config, CONFIG);
  const args = ["--config", config, "--limits", "off", "--bots", "off"];
  exchange = await startExchange({ dataFolder: join(folder, "data"), args });
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

async function until(client: Client, isDone: (status: TradingStatus) => boolean): Promise<TradingStatus> {
  for (;;) {
    const status = await statusOf(client);
    if (isDone(status)) return status;
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
  const lockedForMs = locked.plannedRecoverTime - Date.now();
  assert.ok(lockedForMs > 0 && lockedForMs <= 5 * 60_000, `locked for ${lockedForMs} ms`);
  // Indicators are made anew, and then tell of all that the bot did.
  const { indicators } = await until(bot, ({ updateTime }) => updateTime > locked.updateTime);
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
  const headers = { authorization: `Bearer ${exchange.adminToken}` };
  const found = await fetch(`${exchange.admin}/v1/accounts/${encodeURIComponent(account!.email)}/api-trading/lock`, {
    method: "DELETE",
    headers,
  });
  assert.ok(found.ok, await found.text());
  assert.equal((await statusOf(bot)).isLocked, false);
  const again = await place(bot, "kept");
  assert.equal(again.status, 200, again.text);
  assert.equal((await cancel("BTCUSDT", "kept")).status, 200);
  bot.close();
  other.close();
});
