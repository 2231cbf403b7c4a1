/**
 * A lab checks timestamps of requests by its clock, the machine's, or not at all (`--timing`), and reports its own
 * time.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeSigned, hmacKey, payloadOf } from "@pricetime/testkit/client";
import { LabNode, restingOrder } from "./faults/lab-node.ts";

const TAKEN = "200";
const REFUSED = "400 -1021";

interface Told {
  readonly code?: number;
  readonly transactTime?: number;
}

/** An order with this timestamp; the status and code of the answer. */
async function ordered(lab: LabNode, timestamp: number): Promise<string> {
  const query = encodeSigned(
    { ...restingOrder(""), newClientOrderId: `at-${timestamp}`, timestamp },
    lab.alice.secretKey,
  );
  const call = await lab.send("POST", "/api/v3/order", query, { key: lab.alice });
  const { status, body } = await call.answer();
  call.close();
  const { code, transactTime } = JSON.parse(body.toString()) as Told;
  if (status === 200) assert.equal(transactTime, lab.nowMs, "whatever the client's clock, orders have the lab's time");
  return code === undefined ? `${status}` : `${status} ${code}`;
}

/** A query over the WebSocket API with this timestamp. */
async function asked(lab: LabNode, timestamp: number): Promise<string> {
  const ear = await lab.dial("/ws-api/v3?returnRateLimits=false");
  const { apiKey, sign } = hmacKey(lab.alice);
  const params = { apiKey, timestamp };
  ear.ws.send(
    JSON.stringify({ id: 1, method: "account.status", params: { ...params, signature: sign(payloadOf(params)) } }),
  );
  await ear.until(1);
  ear.close();
  const [{ status, error }] = ear.messages as [{ readonly status: number; readonly error?: Told }];
  return error === undefined ? `${status}` : `${status} ${error.code}`;
}

for (const [timing, byMachine, byLab] of [
  ["server", REFUSED, TAKEN],
  ["client", TAKEN, REFUSED],
  ["off", TAKEN, TAKEN],
] as const) {
  test(`${timing}: a request stamped by the machine ${byMachine}, by the lab ${byLab}`, async () => {
    const lab = await LabNode.start({ lab: true, clock: "manual", timing });
    assert.equal(new Date(lab.nowMs).toISOString().slice(0, 7), "2026-01", "which is over on this machine");
    for (const send of [ordered, asked]) {
      assert.equal(await send(lab, Date.now()), byMachine, send.name);
      assert.equal(await send(lab, lab.nowMs), byLab, send.name);
    }
    const time = await lab.send("GET", "/api/v3/time", "");
    assert.equal((await time.answer()).body.toString(), `{"serverTime":${lab.nowMs}}`);
    time.close();
  });
}
