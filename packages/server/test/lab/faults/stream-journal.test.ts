/** Faults of streams do not affect the exchange: the journal is the same as without the fault. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Command } from "@pricetime/engine";
import { operate } from "@pricetime/testkit/venue";
import { isStreamFault } from "../../../src/lab/faults/fault.ts";
import { type Ear, kindsThat, LabNode } from "./lab-node.ts";

const lab = await LabNode.start();
const ears: Ear[] = [];
after(() => ears.forEach((ear) => ear.close()));

/** Each strikes everything it can. */
const FAULTS: Readonly<Record<string, object>> = {
  drop: {},
  hold: { ms: 150 },
  duplicate: { copies: 3 },
  gap: {},
  late: {},
  cut: {},
};

interface Life {
  readonly journaled: readonly { readonly timeMs: number; readonly command: Command }[];
  readonly struck: number;
}

/** From the start of the lab: two accounts that listen and trade, whatever they receive. */
async function live(fault?: object): Promise<Life> {
  const start = await operate<{ nowMs: number; seq: number }>(lab.demo, "POST", "/v1/lab/reset", {});
  lab.nowMs = start.nowMs;
  const id = fault === undefined ? undefined : await lab.fault(fault);
  const { alice, bob } = lab;
  ears.push(await lab.dial("/stream?streams=btcusdt@depth@100ms/btcusdt@trade/ethusdt@bookTicker"));
  for (const key of [alice, bob]) {
    const { listenKey } = await answered<{ listenKey: string }>(
      lab.send("POST", "/api/v3/userDataStream", "", { key }),
    );
    ears.push(await lab.dial(`/ws/${listenKey}`));
  }
  for (let round = 1; round <= 3; round++) {
    await answered(lab.order(`alice-${round}`, {}, { price: String(20_000 + round) }));
    await answered(lab.order(`bob-${round}`, { key: bob }, { symbol: "ETHUSDT", quantity: "0.02", price: "1000" }));
    await lab.advance(100);
    await answered(lab.order(`taker-${round}`, { key: bob }, { side: "SELL", price: "20000" }));
    await lab.advance(100);
  }
  await answered(lab.signed("DELETE", "/api/v3/openOrders", { symbol: "ETHUSDT" }, { key: bob }));
  await lab.advance(1000);
  // The withdrawal's id is drawn now: it shows whether a fault has drawn a random number before.
  const paid = { coin: "LTC", network: "LTC", address: `stranger${"x".repeat(20)}`, amount: "1" };
  await answered(lab.signed("POST", "/sapi/v1/capital/withdraw/apply", paid, { key: bob }));
  const struck = id === undefined ? 0 : (await lab.listed(id)).struck;
  return { journaled: lab.entriesSince(start.seq).map(({ timeMs, command }) => ({ timeMs, command })), struck };
}

async function answered<T>(sent: ReturnType<LabNode["send"]>): Promise<T> {
  const call = await sent;
  const { status, body } = await call.answer();
  call.close();
  assert.equal(status, 200, body.toString());
  return JSON.parse(body.toString()) as T;
}

const without = await live();

test("the life without a fault has its orders, and is the same when it is lived again", async () => {
  const types = without.journaled.map(({ command }) => command.type);
  assert.equal(types.filter((type) => type === "placeOrder").length, 9);
  assert.deepEqual(await live(), without);
});

for (const kind of kindsThat(isStreamFault)) {
  test(`${kind}: no command more or less, none at another time`, async () => {
    const { journaled, struck } = await live({ fault: kind, ...FAULTS[kind] });
    assert.ok(struck > 0, "it has struck");
    assert.deepEqual(journaled, without.journaled);
  });
}

test("listen-key-expires: the key's end, and nothing else", async () => {
  const after = { order: { account: lab.bob.email } };
  const fault = { fault: "listen-key-expires", where: { account: lab.alice.email }, after };
  const { journaled, struck } = await live(fault);
  const isEnd = ({ command }: { readonly command: Command }): boolean => command.type === "closeListenKey";
  assert.deepEqual([struck, journaled.filter(isEnd).length, without.journaled.filter(isEnd).length], [1, 1, 0]);
  assert.deepEqual(
    journaled.filter((entry) => !isEnd(entry)),
    without.journaled,
  );
});
