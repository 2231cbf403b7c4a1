/** Messages of an account when very many of its orders end in one entry: complete, in order, one piece per turn. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { placeOrder } from "@pricetime/testkit/commands";
import type { TestKey } from "@pricetime/testkit/gateway-venue";
import { MESSAGES_A_TURN } from "../../../src/api/streams/user/listeners.ts";
import { until } from "@pricetime/testkit/waiting";
import { Recorder, type Message, UserVenue } from "./user-venue.ts";

const MANY = 2_600;
/** Without a limit of open orders. */
const SYMBOL_ID = 1;

interface Stage {
  readonly venue: UserVenue;
  readonly recorder: Recorder;
}

async function withOpenOrders(count: number): Promise<Stage> {
  const venue = new UserVenue();
  const recorder = new Recorder();
  for (let n = 0; n < count; n++) place(venue, venue.trader, `c${n}`);
  venue.hub.subscribe(await venue.listenKey(), recorder);
  return { venue, recorder };
}

function place(venue: UserVenue, { accountId }: TestKey, clientOrderId: string): void {
  const terms = { side: "BUY", priceTicks: 1_000, quantityLots: 10_000 } as const;
  venue.act(placeOrder({ accountId, symbolId: SYMBOL_ID, ...terms, clientOrderId }));
}

function endAll(venue: UserVenue): void {
  venue.act({ type: "endAccountOrders", by: "test", accountId: venue.trader.accountId, why: "a broken bot" });
}

/** `x` and the client id of a report; otherwise the event. */
const told = ({ e, x, c }: Message): string => (e === "executionReport" ? `${x} ${c}` : (e as string));
const EXPIRED = Array.from({ length: MANY }, (_, n) => `EXPIRED c${n}`);
const BALANCES = ["outboundAccountInfo", "outboundAccountPosition"];

test("the reports of very many ended orders are sent in pieces, in order, before later ones", async () => {
  const { venue, recorder } = await withOpenOrders(MANY);
  const others = venue.record(venue.maker);
  endAll(venue);
  place(venue, venue.trader, "after");
  place(venue, venue.maker, "other");
  assert.deepEqual(others.map(told), ["NEW other", ...BALANCES], "others are told at once");
  assert.deepEqual(recorder.messages, []);
  let before = 0;
  for (let turns = 0; turns < 50; turns++) {
    await turn();
    assert.ok(recorder.messages.length - before <= MESSAGES_A_TURN + BALANCES.length, "one piece in a turn");
    before = recorder.messages.length;
  }
  assert.deepEqual(recorder.messages.map(told), [...EXPIRED, ...BALANCES, "NEW after", ...BALANCES]);
  const [ofEnd, ofOrder] = recorder.messages.filter(({ e }) => e === "outboundAccountPosition");
  const locked = (message: Message | undefined): string =>
    message?.["B"].find(({ a }: { a: string }) => a === "BTC").l as string;
  assert.equal(locked(ofEnd), "0.00000000", "balances are those of their entry");
  assert.notEqual(locked(ofOrder), "0.00000000");
  place(venue, venue.trader, "later");
  await turn();
  assert.deepEqual(recorder.messages.slice(-3).map(told), ["NEW later", ...BALANCES]);
});

test("so are those of very many orders that self-trade prevention ends", async () => {
  const { venue, recorder } = await withOpenOrders(MANY);
  const { accountId } = venue.trader;
  const terms = { side: "SELL", priceTicks: 1_000, quantityLots: 10_000, clientOrderId: "taker" } as const;
  const taker = placeOrder({ accountId, symbolId: SYMBOL_ID, ...terms });
  venue.act({ ...taker, selfTradePrevention: "EXPIRE_MAKER" });
  assert.deepEqual(recorder.messages, []);
  await until("all is there", () => recorder.messages.length >= MANY + 1 + BALANCES.length);
  const prevented = Array.from({ length: MANY }, (_, n) => `TRADE_PREVENTION c${n}`);
  assert.deepEqual(recorder.messages.map(told), ["NEW taker", ...prevented, ...BALANCES]);
  assert.ok(
    recorder.messages.slice(1, -BALANCES.length).every(({ X, A }) => X === "EXPIRED_IN_MATCH" && A !== undefined),
  );
});

test("the next piece waits until the last one was read", async () => {
  const { venue, recorder } = await withOpenOrders(MANY);
  const reads: PromiseWithResolvers<void>[] = [];
  let isFull = false;
  const whenRead = (): Promise<void> | undefined => {
    if (!isFull) return undefined;
    const read = Promise.withResolvers<void>();
    reads.push(read);
    return read.promise;
  };
  let received = 0;
  venue.streams.subscribe(venue.trader.accountId, () => void received++, { whenRead });
  endAll(venue);
  await until("a piece is there", () => received > 0);
  isFull = true;
  await until("it waits", () => reads.length === 1);
  const sent = received;
  for (let turns = 0; turns < 20; turns++) await turn();
  assert.equal(received, sent);
  isFull = false;
  reads[0]?.resolve();
  await until("all is there", () => received === MANY + BALANCES.length);
  assert.equal(recorder.messages.length, received);
});

test("a locked account's stream ends after the reports of all its orders", async () => {
  const { venue, recorder } = await withOpenOrders(MANY);
  venue.act({ type: "freezeAccount", by: "test", accountId: venue.trader.accountId });
  await until("the stream is over", () => recorder.ended !== undefined);
  assert.deepEqual(recorder.messages.map(told), [...EXPIRED, ...BALANCES, "listenKeyExpired"]);
});

test("a listener that leaves in between gets no more, and one that returns gets new messages", async () => {
  const { venue, recorder } = await withOpenOrders(MANY);
  const listenKey = await venue.listenKey();
  endAll(venue);
  await until("a piece is there", () => recorder.messages.length > 0);
  venue.hub.unsubscribe(listenKey, recorder);
  const again = new Recorder();
  venue.hub.subscribe(listenKey, again);
  for (let turns = 0; turns < 20; turns++) await turn();
  assert.deepEqual(again.messages, []);
  place(venue, venue.trader, "new");
  await turn();
  assert.deepEqual(again.messages.map(told), ["NEW new", ...BALANCES]);
});
