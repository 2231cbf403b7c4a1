/** Keys after a restore: those of the checkpoint are valid again, later ones if requested. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { LAB_KINDS, type RunningLab, startLab } from "./running-lab.ts";

interface Taken {
  readonly seq: number;
}

const take = (lab: RunningLab): Promise<Taken> => lab.ask<Taken>("POST", "/v1/lab/checkpoints", { name: "start" });
const restore = (lab: RunningLab, options?: object): Promise<unknown> =>
  lab.ask("POST", "/v1/lab/checkpoints/start/restore", options);

async function listenKeyOf(lab: RunningLab): Promise<string> {
  return (await lab.clients[0]!.keyed<{ listenKey: string }>("POST", "/api/v3/userDataStream")).json.listenKey;
}

test("keys of the checkpoint are valid again; later ones only where that is asked for, and the journal says so", async (t) => {
  const lab = await startLab(t);
  const { email } = lab.accounts[0]!;
  const make = async (): Promise<string> =>
    (await lab.ask<{ apiKey: string }>("POST", `/v1/accounts/${encodeURIComponent(email)}/keys`, { label: "x" }))
      .apiKey;
  const isValid = async (apiKey: string): Promise<boolean> => {
    const path = "/api/v3/historicalTrades?symbol=BTCUSDT";
    return (await fetch(`${lab.rest}${path}`, { headers: { "X-MBX-APIKEY": apiKey } })).status === 200;
  };
  const early = await make();
  const { seq } = await take(lab);
  const [late, listenKey] = [await make(), await listenKeyOf(lab)];
  await lab.ask("DELETE", `/v1/keys/${early}`);
  assert.deepEqual([await isValid(early), await isValid(late)], [false, true]);
  await restore(lab);
  assert.deepEqual([await isValid(early), await isValid(late)], [true, false]);
  assert.notEqual(await listenKeyOf(lab), listenKey);
  await restore(lab);
  const [other, kept] = [await make(), await listenKeyOf(lab)];
  await restore(lab, { keepKeys: true });
  assert.deepEqual([await isValid(early), await isValid(other)], [true, true]);
  assert.equal(await listenKeyOf(lab), kept);
  assert.ok(((await lab.ask("GET", "/v1/journal"))["lastSeq"] as number) >= seq + 2);
  const acts = await lab.ask<{ by: string; type: string }[]>("GET", "/v1/audit-log?limit=1");
  assert.deepEqual([acts[0]?.type, acts[0]?.by], ["createApiKey", "lab"]);
});

for (const kind of LAB_KINDS) {
  test(`a listen key of the checkpoint that was closed since is valid again, and its stream tells (${kind})`, async (t) => {
    const lab = await startLab(t, {}, kind);
    const [alice] = lab.clients;
    const listenKey = await listenKeyOf(lab);
    const keep = (): Promise<{ readonly status: number; readonly text: string }> =>
      alice!.keyed("PUT", "/api/v3/userDataStream", { listenKey });
    await take(lab);
    assert.equal((await alice!.keyed("DELETE", "/api/v3/userDataStream", { listenKey })).status, 200);
    const refused = await keep();
    assert.match(`${refused.status} ${refused.text}`, /^400 \{"code":-1125,/);
    await restore(lab);
    const stream = new WebSocket(`${lab.ws}/ws/${listenKey}`);
    await once(stream, "open");
    const kept = await keep();
    assert.deepEqual([kept.status, kept.text], [200, "{}"]);
    const told = once(stream, "message", { signal: t.signal }) as Promise<[{ readonly data: string }]>;
    const { nowMs: timestamp } = await lab.ask<{ nowMs: number }>("GET", "/v1/lab/clock");
    const order = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.001" };
    const placed = await alice!.signed<{ orderId: number }>("POST", "/api/v3/order", {
      ...{ ...order, price: "30000.00", timestamp },
    });
    assert.equal(placed.status, 200, placed.text);
    const { e, i } = JSON.parse((await told)[0].data) as { e: string; i: number };
    assert.deepEqual([e, i], ["executionReport", placed.json.orderId]);
    assert.equal(await listenKeyOf(lab), listenKey, "it is the account's one key");
    stream.close();
  });
}
