/**
 * A venue that an earlier release wrote, with open orders of all kinds, order lists, and deposits and withdrawals in
 * progress, opens under today's rules: its journal leads where it led, it answers as it did, and it goes on.
 */
import assert from "node:assert/strict";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { type OrderRecord } from "@pricetime/engine";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import {
  type DemoAccount,
  type Exchange,
  operate,
  pricetime,
  readiness,
  ROOT,
  startExchange,
} from "@pricetime/testkit/venue";
import { Client, type Parameters } from "@pricetime/testkit/client";
import { askGoldenVenue, GOLDEN_VENUE_YAML, type GoldenVenue } from "./golden-venue.ts";

interface Written {
  /** A folder of `test/golden-data`. */
  readonly by: string;
  /** The rules version that its journal follows. */
  readonly rules: number;
}
const WRITTEN: readonly Written[] = [
  { by: "0.2.0", rules: 2 },
  { by: "rules-3", rules: 3 },
];

/** Fields that an answer may have today and had not then are no difference. */
function assertContains(now: unknown, then: unknown, path = ""): void {
  if (typeof then !== "object" || then === null) return assert.deepEqual(now, then, path);
  assert.ok(typeof now === "object" && now !== null, path);
  if (Array.isArray(then)) assert.equal((now as unknown[]).length, then.length, path);
  for (const [key, value] of Object.entries(then)) {
    assertContains((now as Record<string, unknown>)[key], value, `${path}.${key}`);
  }
}

function verify(folder: string): void {
  for (const what of ["journal", "history"] as const) {
    const { code, stdout, stderr } = pricetime(what, "verify", "--data", folder);
    assert.equal(code, 0, `${what} verify: ${stdout}${stderr}`);
  }
}

const ON = { symbol: "BTCEUR" };

class Trader {
  readonly #client: Client;
  readonly #account: DemoAccount;

  constructor(t: TestContext, { rest }: Exchange, account: DemoAccount) {
    this.#account = account;
    this.#client = new Client(rest, account);
    t.after(() => this.#client.close());
  }

  async send<T>(method: string, path: string, parameters: Parameters): Promise<T> {
    const answer = await this.#client.signed<T>(method, path, parameters);
    assert.equal(answer.status, 200, `${this.#account.name}: ${JSON.stringify(parameters)}: ${answer.text}`);
    return answer.json;
  }

  async limit(side: "BUY" | "SELL", price: string, quantity: string): Promise<void> {
    const order = { ...ON, side, type: "LIMIT", timeInForce: "GTC", price, quantity };
    await this.send("POST", "/api/v3/order", order);
  }

  async status(origClientOrderId: string): Promise<string> {
    const order = await this.send<Pick<OrderRecord, "status">>("GET", "/api/v3/order", { ...ON, origClientOrderId });
    return order.status;
  }
}

/** Each kind of open order does what it waited for. */
async function goOn(t: TestContext, exchange: Exchange, { accounts, withdrawals }: GoldenVenue): Promise<void> {
  const [alice, bob] = accounts.map((account) => new Trader(t, exchange, account)) as [Trader, Trader];
  // The bid is taken, then the price falls through the list's stop, then through the two single stops.
  await alice.limit("SELL", "29000", "0.1");
  assert.equal(await bob.status("maker"), "FILLED");
  await bob.limit("BUY", "25900", "0.3");
  await alice.limit("SELL", "25900", "0.05");
  const list = await alice.send<{ listOrderStatus: string }>("GET", "/api/v3/orderList", {
    origClientOrderId: "list",
  });
  assert.equal(list.listOrderStatus, "ALL_DONE");
  await alice.limit("SELL", "25900", "0.05");
  await bob.limit("BUY", "24000", "0.5");
  await alice.limit("SELL", "24000", "0.01");
  assert.equal(await alice.status("stop"), "FILLED");
  await bob.limit("BUY", "23900", "0.5");
  assert.equal(await alice.status("stop-limit"), "FILLED");
  // And rises again: what is left of the first ask, part of the iceberg.
  const grant = { account: "bob@example.com", asset: "EUR", amount: "30000", reference: "more" };
  await operate(exchange, "POST", "/v1/deposits", grant);
  await bob.send("POST", "/api/v3/order", { ...ON, side: "BUY", type: "MARKET", quantity: "0.8" });
  assert.equal(await alice.status("part"), "FILLED");
  assert.equal(await alice.status("iceberg"), "PARTIALLY_FILLED");
  await alice.send("DELETE", "/api/v3/openOrders", ON);
  assert.equal(await alice.status("take"), "CANCELED");

  const before = await balance(alice, "EUR");
  await operate(exchange, "POST", `/v1/withdrawals/${withdrawals.processing}/complete`, { txId: "paid-1" });
  await operate(exchange, "POST", `/v1/withdrawals/${withdrawals.waits}/approve`);
  await operate(exchange, "POST", `/v1/withdrawals/${withdrawals.waits}/fail`, { why: "the bank sent it back" });
  const after = await balance(alice, "EUR");
  assert.deepEqual([after.free - before.free, before.locked - after.locked], [1500, 1600]);
  const pending = { txId: "pending", asset: "EUR", amount: "70", account: "alice@example.com", status: "success" };
  await operate(exchange, "POST", "/v1/networks/BANK/deposits", pending);
  assert.equal((await balance(alice, "EUR")).free - after.free, 70);
}

async function balance(trader: Trader, asset: string): Promise<{ free: number; locked: number }> {
  const account = await trader.send<{ balances: { asset: string; free: string; locked: string }[] }>(
    "GET",
    "/api/v3/account",
    {},
  );
  const found = account.balances.find((each) => each.asset === asset) ?? { free: "0", locked: "0" };
  return { free: Number(found.free), locked: Number(found.locked) };
}

for (const { by, rules } of WRITTEN) {
  test(`a venue of ${by} (rules version ${rules}) opens and goes on`, async (t) => {
    const home = temporaryFolder();
    t.after(() => rmSync(home, { recursive: true, force: true }));
    const golden = join(ROOT, "test/golden-data", by, "venue");
    const [dataFolder, config] = [join(home, "data"), join(home, "venue.yaml")];
    cpSync(join(golden, "data"), dataFolder, { recursive: true });
    writeFileSync(config, GOLDEN_VENUE_YAML);
    const venue = JSON.parse(readFileSync(join(golden, "venue.json"), "utf8")) as GoldenVenue;
    verify(dataFolder);

    const exchange = await startExchange({ dataFolder, args: ["--no-demo", "--config", config] });
    t.after(() => exchange.kill());
    assertContains(await askGoldenVenue(exchange, venue.accounts), venue.answers);
    const { status, body } = await readiness(exchange);
    assert.equal(status, 200);
    // What the new rules would not list, and two accounts whose addresses differ in case alone, go on with a warning.
    const warnings = JSON.stringify(body.warnings);
    assert.match(warnings, /BTCEUR/);
    assert.match(warnings, /1 email address is shared/);
    assert.match(JSON.stringify(await operate(exchange, "GET", "/v1/shared-emails")), /Carl@example\.com/);
    await goOn(t, exchange, venue);
    const ends = "/v1/accounts/eve@example.com/open-orders/end";
    // Rules 3 let the orders of a locked account stay; an operator ends them now.
    const { ended } = await operate<{ ended: number }>(exchange, "POST", ends, { why: "left by an older release" });
    assert.equal(ended, 1);
    assert.equal(await exchange.stop(), 0);
    verify(dataFolder);
  });
}
