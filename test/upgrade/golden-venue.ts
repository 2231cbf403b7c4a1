/**
 * A small real venue in the middle of its day, as a release writes it: open orders of all kinds, order lists, deposits
 * and withdrawals in progress, a locked account where the release can lock one. `test/upgrade/golden-venue.test.ts`
 * opens it with every later release. `npm run golden` makes it for a new release.
 */
import assert from "node:assert/strict";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, type Parameters } from "@pricetime/testkit/client";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import {
  type DemoAccount,
  type Exchange,
  openAccount,
  operate,
  STEERED,
  startExchange,
} from "@pricetime/testkit/venue";

const DATA_FILES = ["journal.sqlite", "journal.head", "history.sqlite", "snapshots", "master.key"];

/** EUR has 2 decimals in the ledger, as the guide had it in releases up to 0.2.0. */
export const GOLDEN_VENUE_YAML = `
demo: false
node: venue-1
limits: { enabled: false }
fees: { makerBps: 0, takerBps: 10 }
wallet:
  networks:
    - { network: BANK, kind: manual, addresses: [DE0001, DE0002, DE0003, DE0004] }
    - { network: COLD, kind: manual, addresses: [c1, c2] }
assets:
  - { asset: EUR, name: Euro, precision: 2, networks: [{ network: BANK, isDefault: true, withdrawFee: "1", withdrawMin: "10", approvalAbove: "1000" }] }
  - { asset: BTC, name: Bitcoin, networks: [{ network: COLD, isDefault: true, withdrawFee: "0.0001", withdrawMin: "0.001", approvalAbove: "1" }] }
symbols:
  - symbol: BTCEUR
    baseAsset: BTC
    quoteAsset: EUR
    filters:
      priceFilter: { minPrice: "0.01", maxPrice: "10000000", tickSize: "0.01" }
      lotSize: { minQty: "0.00001", maxQty: "1000", stepSize: "0.00001" }
      minNotional: { minNotional: "10", applyToMarket: true, avgPriceMins: 5 }
      icebergParts: { limit: 10 }
      maxNumOrders: { limit: 200 }
`;

export interface GoldenVenue {
  readonly accounts: readonly DemoAccount[];
  /** Answers of the signed API by account and path. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly withdrawals: Readonly<Record<"waits" | "processing", string>>;
}

/** Each with its parameters; none depends on when it is asked. */
const QUESTIONS: readonly (readonly [path: string, parameters: Parameters])[] = [
  ["/api/v3/account", {}],
  ["/api/v3/openOrders", {}],
  ["/api/v3/allOrders", { symbol: "BTCEUR", orderId: 0, limit: 1000 }],
  ["/api/v3/openOrderList", {}],
  ["/api/v3/myTrades", { symbol: "BTCEUR", fromId: 0, limit: 1000 }],
];

/** A client whose requests carry the exchange's time, which is not the machine's. */
async function signed<T>(
  { rest }: Exchange,
  account: DemoAccount,
  method: string,
  path: string,
  parameters: Parameters,
): Promise<T> {
  const client = new Client(rest, account);
  try {
    const { serverTime } = (await client.public<{ serverTime: number }>("/api/v3/time")).json;
    const answer = await client.signed<T>(method, path, { ...parameters, timestamp: serverTime, recvWindow: 60_000 });
    assert.equal(answer.status, 200, `${method} ${path} ${JSON.stringify(parameters)}: ${answer.text}`);
    return answer.json;
  } finally {
    client.close();
  }
}

export async function askGoldenVenue(
  exchange: Exchange,
  accounts: readonly DemoAccount[],
): Promise<GoldenVenue["answers"]> {
  const answers: Record<string, Record<string, unknown>> = {};
  for (const account of accounts) {
    const ofAccount: Record<string, unknown> = {};
    for (const [path, parameters] of QUESTIONS) {
      ofAccount[path] = await signed(exchange, account, "GET", path, parameters);
    }
    answers[account.name] = ofAccount;
  }
  return answers;
}

async function placeOrders(exchange: Exchange, alice: DemoAccount, bob: DemoAccount): Promise<void> {
  const place = (account: DemoAccount, parameters: Parameters, path = "/api/v3/order"): Promise<unknown> =>
    signed(exchange, account, "POST", path, { symbol: "BTCEUR", ...parameters });
  const limit = { type: "LIMIT", timeInForce: "GTC" };
  await place(alice, { ...limit, side: "SELL", price: "30000", quantity: "1", newClientOrderId: "part" });
  await place(bob, { ...limit, side: "BUY", price: "30000", quantity: "0.25" });
  await place(bob, { type: "MARKET", side: "BUY", quantity: "0.01" });
  await place(bob, { type: "LIMIT_MAKER", side: "BUY", price: "29000", quantity: "0.1", newClientOrderId: "maker" });
  const iceberg = { price: "31000", quantity: "1", icebergQty: "0.2", newClientOrderId: "iceberg" };
  await place(alice, { ...limit, ...iceberg, side: "SELL" });
  const stops = { side: "SELL", quantity: "0.1" };
  await place(alice, { ...stops, type: "STOP_LOSS", stopPrice: "25000", newClientOrderId: "stop" });
  const stopLimit = { type: "STOP_LOSS_LIMIT", timeInForce: "GTC", price: "23900", stopPrice: "24000" };
  await place(alice, { ...stops, ...stopLimit, newClientOrderId: "stop-limit" });
  await place(alice, { ...stops, type: "TAKE_PROFIT", stopPrice: "40000", newClientOrderId: "take" });
  const takeLimit = { type: "TAKE_PROFIT_LIMIT", timeInForce: "GTC", price: "41000", stopPrice: "40500" };
  await place(alice, { ...stops, ...takeLimit, newClientOrderId: "take-limit" });
  await place(bob, {
    type: "STOP_LOSS",
    side: "BUY",
    quantity: "0.1",
    stopPrice: "35000",
    newClientOrderId: "buy-stop",
  });
  const oco = { side: "SELL", quantity: "0.2", price: "33000", stopPrice: "26000", listClientOrderId: "list" };
  await place(alice, { ...oco, stopLimitPrice: "25900", stopLimitTimeInForce: "GTC" }, "/api/v3/order/oco");
  await place(bob, { ...limit, side: "BUY", price: "20000", quantity: "0.1", newClientOrderId: "goes" });
  await signed(exchange, bob, "DELETE", "/api/v3/order", { symbol: "BTCEUR", origClientOrderId: "goes" });
}

interface Withdrawn {
  readonly success: boolean;
  readonly id: string;
}

async function moveMoney(exchange: Exchange, alice: DemoAccount): Promise<GoldenVenue["withdrawals"]> {
  const email = alice.email;
  await operate(exchange, "POST", `/v1/accounts/${email}/deposit-addresses`, { network: "BANK" });
  const report = { asset: "EUR", amount: "70", account: email };
  const [deposits, drop] = ["/v1/networks/BANK/deposits", "/v1/networks/BANK/deposits/drop"];
  await operate(exchange, "POST", deposits, { ...report, txId: "final", status: "success" });
  await operate(exchange, "POST", deposits, { ...report, txId: "pending", status: "pending" });
  await operate(exchange, "POST", deposits, { ...report, txId: "dropped", status: "pending" });
  await operate(exchange, "POST", drop, { txId: "dropped" });
  const permissions = ["TRADE", "USER_DATA", "WITHDRAW"];
  const key = await operate<DemoAccount>(exchange, "POST", `/v1/accounts/${email}/keys`, { permissions });
  const withdraw = async (amount: string, withdrawOrderId: string): Promise<string> => {
    const request = { asset: "EUR", address: `to-${withdrawOrderId}`, amount, withdrawOrderId };
    const answer = await signed<Withdrawn>(exchange, { ...alice, ...key }, "POST", "/wapi/v3/withdraw.html", request);
    assert.ok(answer.success, JSON.stringify(answer));
    return answer.id;
  };
  const rejected = await withdraw("2000", "rejected");
  await operate(exchange, "POST", `/v1/withdrawals/${rejected}/reject`, { why: "not this one" });
  return { waits: await withdraw("1500", "waits"), processing: await withdraw("100", "processing") };
}

/** Locks an account that has open orders, where the release can: rules up to version 3 let them stay. */
async function lockOne(exchange: Exchange, eve: DemoAccount): Promise<void> {
  const order = { symbol: "BTCEUR", side: "SELL", type: "LIMIT", timeInForce: "GTC", price: "32000", quantity: "0.5" };
  await signed(exchange, eve, "POST", "/api/v3/order", order);
  await operate(exchange, "POST", `/v1/accounts/${eve.email}/lock`, {}).catch((error: Error) => {
    assert.match(error.message, /: 404 /);
  });
}

/** Writes `data/` and `venue.json` into the folder. `nowMs`: the time of the venue, long ago. */
export async function makeGoldenVenue(into: string, nowMs: number): Promise<void> {
  const scratch = temporaryFolder();
  const [dataFolder, config, steering] = ["data", "venue.yaml", "steering.json"].map((name) => join(scratch, name));
  assert.ok(dataFolder !== undefined && config !== undefined && steering !== undefined);
  writeFileSync(config, GOLDEN_VENUE_YAML);
  writeFileSync(steering, JSON.stringify({ clockMs: nowMs - Date.now(), commitMs: 0 }));
  process.env["TEST_STEERING_FILE"] = steering;
  const exchange = await startExchange({ dataFolder, args: ["--no-demo", "--config", config], nodeArgs: STEERED });
  try {
    const alice = await openAccount(exchange, "alice@example.com", { EUR: "10000", BTC: "10" });
    const bob = await openAccount(exchange, "bob@example.com", { EUR: "50000", BTC: "1" });
    const eve = await openAccount(exchange, "eve@example.com", { BTC: "1" });
    // Two accounts whose addresses differ in case alone, which releases up to 0.2.0 allow.
    const carl = await openAccount(exchange, "Carl@example.com", { EUR: "10" });
    const second = await openAccount(exchange, "carl@example.com", { EUR: "20" });
    await placeOrders(exchange, alice, bob);
    const withdrawals = await moveMoney(exchange, alice);
    await lockOne(exchange, eve);
    const accounts = [alice, bob, { ...carl, name: "Carl" }, { ...second, name: "carl" }];
    const answers = await askGoldenVenue(exchange, accounts);
    assert.equal(await exchange.stop(), 0);
    mkdirSync(into, { recursive: true });
    for (const name of DATA_FILES) cpSync(join(dataFolder, name), join(into, "data", name), { recursive: true });
    writeFileSync(join(into, "venue.json"), `${JSON.stringify({ accounts, answers, withdrawals })}\n`);
  } finally {
    await exchange.kill();
    rmSync(scratch, { recursive: true, force: true });
  }
}
