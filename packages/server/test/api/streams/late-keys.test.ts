/** Listen keys opened by another node, at a node that does not know them yet. Interface S.14. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { SocketVenue } from "./socket-venue.ts";

const KEY = "K".repeat(64);
const UNKNOWN = "1008 This listenKey does not exist.";
const HEARD = ["executionReport", "outboundAccountInfo", "outboundAccountPosition"];

interface Bench {
  readonly venue: SocketVenue;
  /** Settles when the node has caught up, or cannot. */
  readonly caughtUp: PromiseWithResolvers<void>;
  /** Applies the entry of another node. */
  readonly openKey: () => void;
}

async function bench(): Promise<Bench> {
  const caughtUp = Promise.withResolvers<void>();
  const venue = await SocketVenue.start({ latest: () => caughtUp.promise });
  const openKey = (): void =>
    void venue.act({ type: "openListenKey", accountId: venue.trader.accountId, listenKey: KEY });
  return { venue, caughtUp, openKey };
}

for (const path of [`/ws/${KEY}`, `/stream?streams=${KEY}/btcusdt@trade`]) {
  test(`${path.slice(0, 7)}: events between opening the socket and catching up are received`, async () => {
    const { venue, caughtUp, openKey } = await bench();
    const socket = await venue.dial(path);
    openKey();
    await venue.order({ quantity: 1, price: 40_000 });
    caughtUp.resolve();
    await socket.until(3);
    assert.deepEqual(
      socket.messages.map(({ e, data }) => e ?? data.e),
      HEARD,
    );
    socket.ws.close();
    assert.match(await socket.closed, /^1005/);
  });
}

test("a key that does not exist is rejected as soon as the node knows, or knows that it cannot find out", async () => {
  for (const settle of ["resolve", "reject"] as const) {
    const { venue, caughtUp } = await bench();
    const socket = await venue.dial(`/stream?streams=${KEY}/btcusdt@trade`);
    assert.equal(await Promise.race([socket.closed, sleep(50)]), undefined);
    caughtUp[settle]();
    assert.equal(await socket.closed, UNKNOWN);
  }
});

test("a subscription is answered at once, and receives events when the key becomes known", async () => {
  const { venue, openKey } = await bench();
  const socket = await venue.dial("/ws");
  assert.deepEqual(await socket.ask({ method: "SUBSCRIBE", params: [KEY], id: 1 }), { result: null, id: 1 });
  openKey();
  await venue.order({ quantity: 1, price: 40_000 });
  await socket.until(4);
  assert.deepEqual(
    socket.messages.slice(1).map(({ e }) => e),
    HEARD,
  );
});

test("a client that unsubscribes from an unknown key keeps its socket", async () => {
  const { venue, caughtUp } = await bench();
  const socket = await venue.dial(`/ws/${KEY}`);
  await socket.ask({ method: "UNSUBSCRIBE", params: [KEY], id: 1 });
  caughtUp.resolve();
  await sleep(20);
  assert.deepEqual(await socket.ask({ method: "LIST_SUBSCRIPTIONS", id: 2 }), { result: [], id: 2 });
});
