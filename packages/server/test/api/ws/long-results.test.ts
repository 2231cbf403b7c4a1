/** Results of the WebSocket API that are sent in parts: one complete frame, and the next after it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SocketVenue } from "../streams/socket-venue.ts";

test("a long result is an ordinary frame, with the limits at its end", async () => {
  const venue = await SocketVenue.start({ limitsRates: false });
  for (let n = 0; n < 300; n++) {
    const asset = `COIN${n}`;
    venue.act({ type: "listAsset", by: "test", asset: { asset, name: asset, precision: 8, networks: [] } });
    venue.listSymbol(`${asset}/USDT`);
  }
  const socket = await venue.dial("/ws-api/v3");
  for (const [method, path] of [
    ["exchangeInfo", "/api/v3/exchangeInfo"],
    ["ticker.24hr", "/api/v3/ticker/24hr"],
    ["ticker.book", "/api/v3/ticker/bookTicker"],
  ] as const) {
    const { json } = await venue.public(path);
    const count = socket.messages.length;
    // Three at once: each is complete and has its own id.
    for (const id of [1, 2, 3]) socket.say({ id, method, params: { returnRateLimits: id !== 2 } });
    await socket.until(count + 3);
    const answers = socket.messages.slice(count);
    assert.deepEqual(answers.map(({ id }) => id).sort(), [1, 2, 3]);
    for (const { id, status, result, rateLimits } of answers) {
      assert.equal(status, 200);
      const timeless = (told: object): object => ({ ...told, serverTime: 0 });
      if (method === "exchangeInfo") assert.deepEqual(timeless(result), timeless(json));
      else assert.deepEqual(result.length, json.length);
      assert.equal(rateLimits === undefined, id === 2);
    }
  }
  assert.equal((await socket.ask({ id: 9, method: "ping" })).id, 9, "and the connection is in order");
});
