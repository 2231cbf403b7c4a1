/**
 * Creates this release's folder in `test/golden-data`: a small data folder in this release's format, and its responses.
 * Run once when a release is made: later releases must open this data. `npm run golden`.
 */
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, type Parameters } from "@pricetime/testkit/client";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { STEERED, type Exchange, ROOT, startExchange } from "@pricetime/testkit/venue";
import { askAll } from "../test/upgrade/questions.ts";
import { makeGoldenVenue } from "../test/upgrade/golden-venue.ts";

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
const GOLDEN = join(ROOT, "test/golden-data", version);
/** A time in the past: a folder whose time is ahead of the machine's clock would not be served normally. */
const MADE_AT_MS = Date.UTC(2024, 0, 15, 12);
const ROUNDS = 20;

async function trade({ rest, accounts }: Exchange): Promise<void> {
  const clients = accounts.map((account) => new Client(rest, account));
  const [alice, bob, carol] = clients as [Client, Client, Client];
  const send = async (client: Client, method: string, path: string, parameters: Parameters): Promise<void> => {
    const { serverTime } = (await client.public<{ serverTime: number }>("/api/v3/time")).json;
    const all = { symbol: "BTCUSDT", ...parameters, timestamp: serverTime };
    const answer = await client.signed(method, path, all);
    assert.equal(answer.status, 200, `${JSON.stringify(parameters)}: ${answer.text}`);
  };
  const place = (client: Client, parameters: Parameters): Promise<void> =>
    send(client, "POST", "/api/v3/order", { quantity: "0.01", ...parameters });
  const limit = { type: "LIMIT", timeInForce: "GTC" };
  for (let round = 0; round < ROUNDS; round++) {
    const price = String(40_000 + 10 * round);
    await place(alice, { ...limit, side: "SELL", price, newClientOrderId: `ask-${round}` });
    await place(bob, { ...limit, side: "BUY", price, quantity: "0.004" });
    await place(carol, { side: "BUY", type: "MARKET", quantity: "0.003" });
    await place(bob, { ...limit, side: "BUY", price: "39000", newClientOrderId: `bid-${round}` });
    if (round % 2 === 0) await send(bob, "DELETE", "/api/v3/order", { origClientOrderId: `bid-${round}` });
  }
  await place(carol, { ...limit, side: "SELL", price: "41000", icebergQty: "0.002" });
  await place(carol, { ...limit, type: "STOP_LOSS_LIMIT", side: "SELL", price: "38000", stopPrice: "38500" });
  await place(alice, { side: "BUY", type: "TAKE_PROFIT", stopPrice: "30000", quantity: "0.002" });
  const list = { side: "SELL", quantity: "0.01", price: "45000", stopPrice: "38000", stopLimitPrice: "37900" };
  const oco = { ...list, stopLimitTimeInForce: "GTC" };
  for (const listClientOrderId of ["stays", "goes"]) {
    await send(bob, "POST", "/api/v3/order/oco", { ...oco, listClientOrderId });
  }
  await send(bob, "DELETE", "/api/v3/orderList", { listClientOrderId: "goes" });
  await send(bob, "POST", "/api/v3/order/cancelReplace", {
    ...limit,
    side: "BUY",
    price: "38900",
    quantity: "0.01",
    cancelReplaceMode: "STOP_ON_FAILURE",
    cancelOrigClientOrderId: "bid-1",
  });
  for (const client of clients) client.close();
}

assert.ok(!existsSync(GOLDEN), `${GOLDEN} is there: the data of a release is made once, after its version is raised`);
const scratch = temporaryFolder();
const [dataFolder, steering] = [join(scratch, "data"), join(scratch, "steering.json")];
writeFileSync(steering, JSON.stringify({ clockMs: MADE_AT_MS - Date.now(), commitMs: 0 }));
process.env["TEST_STEERING_FILE"] = steering;
const exchange = await startExchange({
  dataFolder,
  args: ["--bots", "off", "--limits", "off"],
  nodeArgs: STEERED,
});
try {
  await trade(exchange);
  const answers = await askAll(exchange);
  assert.equal(await exchange.stop(), 0);
  mkdirSync(GOLDEN, { recursive: true });
  for (const name of ["journal.sqlite", "journal.head", "history.sqlite", "snapshots", "master.key"]) {
    cpSync(join(dataFolder, name), join(GOLDEN, "data", name), { recursive: true });
  }
  writeFileSync(join(GOLDEN, "answers.json"), `${JSON.stringify(answers)}\n`);
  await makeGoldenVenue(join(GOLDEN, "venue"), MADE_AT_MS);
  process.stdout.write(`${GOLDEN} is made\n`);
} finally {
  await exchange.kill();
  rmSync(scratch, { recursive: true, force: true });
}
