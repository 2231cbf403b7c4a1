/**
 * After a random heavy run of all kinds of orders, what the user streams said and what REST answers
 * are the same: every order, every trade, every list and every balance, to the last digit.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "@pricetime/testkit/client";
import { type DemoAccount, type Exchange, startExchange } from "@pricetime/testkit/venue";
import { Dice } from "@pricetime/testkit/dice";
import { hearUser, type Message, openListenKey, UserEar } from "./user-ear.ts";
import { type Account, foldAccount, foldLists, foldReports, ZERO } from "./user-fold.ts";
import { MARKETS, UserLoad } from "./user-load.ts";
import { accountOf, allOrders, myTrades, signedGet } from "./user-statement.ts";

const SEED = Number(process.env.STREAM_SEED ?? 20191021);
const ACTIONS = Number(process.env.STREAM_ACTIONS ?? 2500);
const CONNECTIONS_PER_ACCOUNT = 6;
const LAST = "the-last-one";

interface Listener {
  readonly account: DemoAccount;
  readonly client: Client;
  readonly before: Account;
  /** All that were sent to the account, over three sockets of different kinds. */
  readonly ears: readonly UserEar[];
}

async function listen(exchange: Exchange, account: DemoAccount): Promise<Listener> {
  const client = new Client(exchange.rest, account, CONNECTIONS_PER_ACCOUNT);
  const listenKey = await openListenKey(client);
  const raw = await hearUser(exchange, account);
  const combined = await UserEar.open(`${exchange.ws}/stream?streams=${listenKey}`);
  const later = await UserEar.open(`${exchange.ws}/ws`);
  later.send({ method: "SUBSCRIBE", params: [listenKey], id: 1 });
  assert.deepEqual(await later.until(() => true), { result: null, id: 1 });
  return { account, client, before: await accountOf(client), ears: [raw, combined, later] };
}

async function trade(exchange: Exchange, listeners: readonly Listener[]): Promise<Map<string, number>> {
  const accepted = new Map<string, number>();
  const random = new Dice(SEED);
  let left = ACTIONS;
  const runs = listeners.flatMap(({ account, client }) =>
    Array.from({ length: CONNECTIONS_PER_ACCOUNT }, async () => {
      const load = new UserLoad(exchange, account, client, new Dice(random.between(1, 1e9)), accepted);
      while (left-- > 0) await load.act();
    }),
  );
  await Promise.all(runs);
  return accepted;
}

/** Everything up to the balances after one last order, which does not trade. */
async function hearOut({ client, ears }: Listener): Promise<Message[]> {
  const order = { symbol: "BNBUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: 1, price: 100 };
  await client.signed("POST", "/api/v3/order", { ...order, newClientOrderId: LAST });
  const all = await Promise.all(
    ears.map(async (ear, i) => {
      const open = (message: Message): Message => (i === 1 ? (message.data as Message) : message);
      const last = await ear.until((message) => open(message).c === LAST);
      await ear.until((message) => open(message).e === "outboundAccountPosition", ear.messages.indexOf(last));
      return ear.messages.map(open).filter(({ e }) => e !== undefined);
    }),
  );
  const [raw, combined, later] = all;
  assert.deepEqual(combined, raw, "the combined stream says the same");
  assert.deepEqual(later, raw, "one that subscribed says the same");
  return raw as Message[];
}

async function compare({ client, before }: Listener, messages: readonly Message[]): Promise<[number, number]> {
  let [orders, trades] = [0, 0];
  for (const { symbol, base, quote } of MARKETS) {
    const folded = foldReports(messages, symbol, { base, quote });
    assert.deepEqual(folded.orders, await allOrders(client, symbol));
    // Where nothing was paid the stream names no asset.
    const named = folded.trades.map((row) =>
      row["commission"] === ZERO ? { ...row, commissionAsset: row["isBuyer"] === true ? base : quote } : row,
    );
    assert.deepEqual(named, await myTrades(client, symbol));
    orders += folded.orders.length;
    trades += folded.trades.length;
  }
  const lists = await signedGet<{ transactionTime: number }[]>(client, "/api/v3/allOrderList", {
    limit: 1000,
    fromId: 1,
  });
  assert.deepEqual(foldLists(messages).slice(0, 1000), lists);
  const now = await accountOf(client);
  assert.deepEqual(foldAccount(before, messages, "outboundAccountInfo"), now);
  assert.deepEqual(foldAccount(before, messages, "outboundAccountPosition"), now);
  return [orders, trades];
}

function checkOrder(messages: readonly Message[]): void {
  const executionIds = messages.filter(({ e }) => e === "executionReport").map(({ I }) => I as number);
  for (let i = 1; i < executionIds.length; i++) {
    assert.ok((executionIds[i] as number) > (executionIds[i - 1] as number), "execution ids grow");
  }
  for (let i = 1; i < messages.length; i++) assert.ok(messages[i]?.E >= messages[i - 1]?.E, "time does not go back");
}

test(`streams and REST agree, seed ${SEED}`, { timeout: 240_000 }, async (t) => {
  const exchange = await startExchange({ args: ["--bots", "off", "--limits", "off"] });
  try {
    const listeners = await Promise.all(exchange.accounts.map((account) => listen(exchange, account)));
    const accepted = await trade(exchange, listeners);
    t.diagnostic(JSON.stringify(Object.fromEntries(accepted)));
    for (const [kind, count] of accepted) assert.ok(count >= 5, `only ${count} of ${kind}`);
    assert.ok(accepted.size >= 18, `only ${accepted.size} kinds`);
    for (const listener of listeners) {
      const messages = await hearOut(listener);
      checkOrder(messages);
      const [orders, trades] = await compare(listener, messages);
      t.diagnostic(`${listener.account.name}: ${messages.length} messages, ${orders} orders, ${trades} trades`);
      listener.client.close();
      for (const ear of listener.ears) ear.close();
    }
  } finally {
    await exchange.stop();
  }
});
