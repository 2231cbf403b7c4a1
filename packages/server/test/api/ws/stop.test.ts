/** Shutdown of the WebSocket API: accepted requests are answered, and no more are accepted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_LIMITS } from "../../../src/api/edge/rate-limit-rules.ts";
import type { Replier } from "../../../src/api/edge/request.ts";
import { WebSocketApi, type WebSocketApiOptions } from "../../../src/api/ws-api.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { SendQueue } from "../../../src/api/edge/send-queue.ts";

test("a shutdown waits for responses to accepted requests, and rejects later ones", async () => {
  const held: Replier[] = [];
  const sink: WebSocketApiOptions["sink"] = {
    charge: () => null,
    processMethod: (_, replier) => held.push(replier),
    turnAway: (_ip, _path, { status, code }, replier) => replier.reply({ status, headers: [], body: String(code) }),
  };
  const users = { subscribe: () => () => {} };
  const sendQueue = new SendQueue();
  const api = new WebSocketApi({ sink, users, limits: DEFAULT_LIMITS, world: MACHINE, sendQueue });
  const sent: string[] = [];
  const peer = { ip: "127.0.0.1", send: (text: string) => sent.push(text), sendParts: assert.fail, close: () => {} };
  const connection = api.accept(peer, "returnRateLimits=false");
  connection.receive('{"id":1,"method":"ping"}');
  connection.receive('{"id":2,"method":"ping"}');
  let isDrained = false;
  const drained = api.drain().then(() => (isDrained = true));
  connection.receive('{"id":3,"method":"ping"}');
  for (const replier of held) {
    await Promise.resolve();
    assert.ok(!isDrained, "one waits still");
    replier.reply({ status: 200, headers: [], body: "{}" });
  }
  await drained;
  assert.deepEqual(sent, [
    '{"id":3,"status":503,"error":-1016}',
    '{"id":1,"status":200,"result":{}}',
    '{"id":2,"status":200,"result":{}}',
  ]);
  await api.drain();
});
