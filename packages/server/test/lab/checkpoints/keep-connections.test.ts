/** A lab is restored under streams and sessions that stay open. */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { test, type TestContext } from "node:test";
import { ed25519Key, hmacKey, type SigningKey } from "@pricetime/testkit/client";
import { inTheEnd } from "@pricetime/testkit/scratch";
import { ApiClient } from "@pricetime/testkit/ws-client";
import { WebSocket } from "ws";
import { LAB_KINDS, type RunningLab, startLab } from "./running-lab.ts";

/** A stream, and everything it received. */
class Listener {
  readonly socket: WebSocket;
  readonly heard: string[] = [];
  closeCode: number | undefined;

  constructor(t: TestContext, address: string) {
    this.socket = new WebSocket(address);
    this.socket.on("message", (data) => void this.heard.push(String(data)));
    this.socket.on("close", (code) => (this.closeCode = code));
    inTheEnd(t, () => this.socket.terminate());
  }

  /** The messages so far: the answer follows them. Empties the list. */
  async told(): Promise<string[]> {
    const isAnswer = (text: string): boolean => text.startsWith('{"result":');
    this.socket.send('{"method":"LIST_SUBSCRIPTIONS","id":1}');
    while (!this.heard.some(isAnswer)) await once(this.socket, "message");
    return this.heard.splice(0).filter((text) => !isAnswer(text));
  }
}

async function listener(t: TestContext, lab: RunningLab, streams: string): Promise<Listener> {
  const made = new Listener(t, `${lab.ws}/stream?streams=${streams}`);
  await once(made.socket, "open");
  return made;
}

async function order(lab: RunningLab, side: "BUY" | "SELL", price: string, account = 0): Promise<void> {
  const { nowMs: timestamp } = await lab.ask<{ nowMs: number }>("GET", "/v1/lab/clock");
  const fields = { symbol: "BTCUSDT", side, type: "LIMIT", timeInForce: "GTC", quantity: "0.001", price, timestamp };
  const answer = await lab.clients[account]!.signed("POST", "/api/v3/order", fields);
  assert.equal(answer.status, 200, answer.text);
}

async function listenKeyOf(lab: RunningLab, account: number): Promise<string> {
  return (await lab.clients[account]!.keyed<{ listenKey: string }>("POST", "/api/v3/userDataStream")).json.listenKey;
}

async function edKey(lab: RunningLab): Promise<SigningKey> {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const sent = { label: "logon", publicKey: publicKey.export({ type: "spki", format: "pem" }) };
  const path = `/v1/accounts/${encodeURIComponent(lab.accounts[0]!.email)}/keys`;
  return ed25519Key((await lab.ask<{ apiKey: string }>("POST", path, sent)).apiKey, privateKey);
}

/** Logged on, and subscribed to the account's events. */
async function session(t: TestContext, lab: RunningLab, key: SigningKey): Promise<ApiClient> {
  const client = await ApiClient.open(lab.ws);
  inTheEnd(t, () => client.socket.terminate());
  const { nowMs: timestamp } = await lab.ask<{ nowMs: number }>("GET", "/v1/lab/clock");
  assert.equal((await client.signed("session.logon", key, { timestamp })).status, 200);
  assert.equal((await client.call("userDataStream.subscribe")).status, 200);
  return client;
}

const eventsOf = async (client: ApiClient): Promise<unknown[]> => {
  await client.call("ping");
  return client.events.splice(0);
};

const restore = (lab: RunningLab, options: object): Promise<unknown> =>
  lab.ask("POST", "/v1/lab/checkpoints/here/restore", options);

for (const kind of LAB_KINDS) {
  test(`streams and sessions that stay hear again what they heard after the checkpoint, to the byte (${kind})`, async (t) => {
    const lab = await startLab(t, {}, kind);
    const own = "btcusdt@depth@100ms/btcusdt@depth5/btcusdt@trade/btcusdt@kline_1m/btcusdt@ticker/!miniTicker@arr";
    const stream = await listener(t, lab, `${own}/${await listenKeyOf(lab, 0)}`);
    const api = await session(t, lab, await edKey(lab));
    await order(lab, "BUY", "30000.00");
    await order(lab, "SELL", "30000.00", 1);
    await lab.ask("POST", "/v1/lab/clock/advance", { ms: 1_050 });
    // A change of the book that was not sent yet.
    await order(lab, "BUY", "29000.00");
    const taken = await lab.ask("POST", "/v1/lab/checkpoints", { name: "here" });
    await Promise.all([stream.told(), eventsOf(api)]);

    const live = async (): Promise<unknown> => {
      await order(lab, "BUY", "31000.00");
      await order(lab, "SELL", "31000.00", 1);
      await lab.ask("POST", "/v1/lab/clock/advance", { ms: 3_000 });
      return { stream: await stream.told(), api: await eventsOf(api) };
    };
    const first = await live();
    const { stream: told, api: events } = first as { stream: string[]; api: unknown[] };
    for (const name of ["depthUpdate", "trade", "kline", "24hrTicker", "24hrMiniTicker", "executionReport"]) {
      assert.ok(
        told.some((text) => text.includes(`"e":"${name}"`)),
        name,
      );
    }
    assert.ok(events.length > 0);
    // More often than a client may send in a second of the clock, which is repeated each time.
    for (let round = 0; round < 6; round++) {
      assert.deepEqual(await restore(lab, { keepConnections: true }), taken);
      assert.deepEqual(await live(), first);
    }
    assert.equal(stream.closeCode, undefined);
    assert.equal(
      (await api.call<{ apiKey: string | null }>("session.status")).result.apiKey !== null,
      true,
      "it is logged on still",
    );
    // Without the option they are disconnected as usual.
    const closed = Promise.all([stream.socket, api.socket].map((socket) => once(socket, "close")));
    await restore(lab, {});
    assert.deepEqual(
      (await closed).map(([code]) => code as number),
      [1001, 1001],
    );
  });
}

test("keys that the checkpoint has not end what goes on in their name, unless they are kept", async (t) => {
  const lab = await startLab(t);
  await lab.ask("POST", "/v1/lab/checkpoints", { name: "here" });
  const key = await edKey(lab);
  const [late, mixed] = [await listenKeyOf(lab, 0), await listenKeyOf(lab, 1)];
  const [user, both] = [await listener(t, lab, late), await listener(t, lab, `btcusdt@trade/${mixed}`)];
  const [named, logged] = [await ApiClient.open(lab.ws), await session(t, lab, key)];
  inTheEnd(t, () => named.socket.terminate());
  const { nowMs: timestamp } = await lab.ask<{ nowMs: number }>("GET", "/v1/lab/clock");
  await named.signed("userDataStream.subscribe.signature", hmacKey(lab.accounts[0]!), { timestamp });

  await restore(lab, { keepConnections: true, keepKeys: true });
  assert.equal(await listenKeyOf(lab, 0), late);
  await order(lab, "BUY", "30000.00");
  assert.match((await user.told()).join(), /executionReport/);
  assert.match(JSON.stringify(await eventsOf(logged)), /executionReport/);
  assert.match(JSON.stringify(await eventsOf(named)), /executionReport/);

  const closed = once(user.socket, "close");
  await restore(lab, { keepConnections: true });
  assert.equal((await closed)[0], 1000);
  assert.match(user.heard.join(), /"e":"listenKeyExpired"/);
  const { status, result } = await logged.call<{ apiKey: string | null; userDataStream: boolean }>("session.status");
  assert.deepEqual([status, result.apiKey, result.userDataStream], [200, null, false]);
  assert.match(JSON.stringify(await eventsOf(logged)), /eventStreamTerminated/);
  await order(lab, "BUY", "30000.00");
  await order(lab, "SELL", "30000.00", 1);
  // Its other streams continue.
  const told = (await both.told()).map((text) => (JSON.parse(text) as { data: { e: string } }).data.e);
  assert.deepEqual(told, ["listenKeyExpired", "trade"]);
  assert.match(JSON.stringify(await eventsOf(named)), /executionReport/);
});

test("whoever connects while the lab goes back comes in afterwards, and counts there", async (t) => {
  const lab = await startLab(t);
  const taken = await lab.ask("POST", "/v1/lab/checkpoints", { name: "here" });
  for (const keepConnections of [false, true]) {
    const restoring = restore(lab, { keepConnections });
    const streams = Array.from({ length: 20 }, () => listener(t, lab, "btcusdt@trade"));
    assert.deepEqual(await restoring, taken);
    for (const stream of await Promise.all(streams)) assert.deepEqual(await stream.told(), []);
  }
});
