/**
 * Which listener gets which events: listen keys from opening to end, and several listeners of an account. Interface
 * 3.7, S.14.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LISTEN_KEY_LIFE_MS } from "@pricetime/engine";
import { Recorder, type Message, story, UserVenue } from "./user-venue.ts";

const PLACED = ["BUY LIMIT NEW/NEW on book", "outboundAccountInfo", "outboundAccountPosition"];
const LATER = { quantity: 1, price: 40000 };

async function keyed(): Promise<{ venue: UserVenue; recorder: Recorder; listenKey: string }> {
  const venue = new UserVenue();
  const listenKey = await venue.listenKey();
  const recorder = new Recorder();
  venue.hub.subscribe(listenKey, recorder);
  return { venue, recorder, listenKey };
}

test("a listen key's stream and other listeners get the same messages; other accounts none", async () => {
  const { venue, recorder, listenKey } = await keyed();
  const second = new Recorder();
  venue.hub.subscribe(listenKey, second);
  const [own, other] = [venue.record(venue.trader), venue.record(venue.maker)];
  await venue.placed(LATER);
  assert.deepEqual(story(own), PLACED);
  assert.deepEqual([recorder.messages, second.messages, other], [own, own, []]);
});

test("a listener that has left gets no more, and the others do", async () => {
  const { venue, recorder, listenKey } = await keyed();
  const heard: Message[] = [];
  const end = venue.streams.subscribe(venue.trader.accountId, (text) => heard.push(JSON.parse(text) as Message));
  end();
  await venue.placed(LATER);
  assert.deepEqual([heard.length, recorder.messages.length], [0, 3]);
  const own = venue.record(venue.trader);
  venue.hub.unsubscribe(listenKey, recorder);
  await venue.placed(LATER);
  assert.deepEqual([own.length, recorder.messages.length], [3, 3]);
});

test("a key that was unknown when it was subscribed to gets events from its opening on", async () => {
  const venue = new UserVenue();
  const listenKey = "k".repeat(64);
  const [recorder, gone] = [new Recorder(), new Recorder()];
  venue.hub.subscribe(listenKey, recorder);
  venue.hub.subscribe("g".repeat(64), gone);
  venue.hub.unsubscribe("g".repeat(64), gone);
  await venue.placed(LATER);
  assert.deepEqual(recorder.messages, []);
  venue.act({ type: "openListenKey", accountId: venue.trader.accountId, listenKey });
  venue.act({ type: "openListenKey", accountId: venue.maker.accountId, listenKey: "g".repeat(64) });
  await venue.placed(LATER);
  assert.deepEqual(story(recorder.messages), PLACED);
  assert.deepEqual(gone.messages, []);
});

test("a key is open until it expires by the clock, even before a tick", async () => {
  const { venue, listenKey } = await keyed();
  assert.equal(venue.streams.isOpen(listenKey), true);
  assert.equal(venue.streams.isOpen("x".repeat(64)), false);
  venue.nowMs += LISTEN_KEY_LIFE_MS;
  assert.equal(venue.streams.isOpen(listenKey), false);
});

test("an expired key: listenKeyExpired, and the stream ends with a reason", async () => {
  const { venue, recorder, listenKey } = await keyed();
  await venue.placed(LATER);
  venue.nowMs += LISTEN_KEY_LIFE_MS - 1;
  venue.act({ type: "tick" });
  assert.equal(recorder.ended, undefined);
  venue.nowMs += 1;
  venue.act({ type: "tick" });
  assert.deepEqual(recorder.messages.at(-1), { e: "listenKeyExpired", E: venue.nowMs, listenKey });
  assert.equal(recorder.messages.length, 4);
  assert.match(recorder.ended ?? "", /listen key/);
  await venue.placed(LATER);
  assert.equal(recorder.messages.length, 4);
});

test("PUT extends a key; DELETE ends it", async () => {
  const { venue, recorder, listenKey } = await keyed();
  const headers = { "x-mbx-apikey": venue.trader.apiKey };
  const query = `listenKey=${listenKey}`;
  venue.nowMs += LISTEN_KEY_LIFE_MS - 1;
  assert.equal((await venue.send("PUT", "/api/v3/userDataStream", { headers, query })).status, 200);
  venue.nowMs += LISTEN_KEY_LIFE_MS - 1;
  venue.act({ type: "tick" });
  assert.deepEqual(recorder.messages, []);
  assert.equal((await venue.send("DELETE", "/api/v3/userDataStream", { headers, query })).status, 200);
  assert.deepEqual(recorder.messages, [{ e: "listenKeyExpired", E: venue.nowMs, listenKey }]);
  assert.match(recorder.ended ?? "", /listen key/);
  assert.equal(venue.streams.isOpen(listenKey), false);
});

test("the next key of an account receives events like the previous one", async () => {
  const { venue, listenKey } = await keyed();
  venue.nowMs += LISTEN_KEY_LIFE_MS;
  const next = await venue.listenKey();
  assert.notEqual(next, listenKey);
  const recorder = new Recorder();
  venue.hub.subscribe(next, recorder);
  await venue.placed(LATER);
  assert.deepEqual(story(recorder.messages), PLACED);
});

test("names that are not listen keys get no events", async () => {
  const venue = new UserVenue();
  const recorder = new Recorder();
  venue.hub.subscribe("x".repeat(64), recorder);
  venue.hub.subscribe("btcusdt@trade", recorder);
  await venue.placed(LATER);
  assert.deepEqual([recorder.messages, recorder.ended], [[], undefined]);
});
