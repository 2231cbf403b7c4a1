/** One node after another, also if the store does not answer for a while. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inTurn } from "../../../src/cluster/tasks.ts";
import { type Lease, StoreUnfit } from "../../../src/cluster/port.ts";

let released = 0;
const lease: Lease = { isHeld: true, onLost: () => {}, release: async () => void released++ };
const world = { pause: async () => {} };
const storeOf = (answers: (Lease | undefined | Error)[]): { lease: () => Promise<Lease | undefined> } => ({
  lease: async () => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  },
});

test("it waits for the previous node, and for a store that does not answer", async () => {
  const act = async (): Promise<string> => "done";
  const silent = new Error("no answer in 500 ms");
  assert.equal(await inTurn(storeOf([silent, undefined, silent, lease]), "start", world, act), "done");
  assert.equal(released, 1);
  await assert.rejects(inTurn(storeOf([new StoreUnfit("another epoch"), lease]), "start", world, act), StoreUnfit);
  await assert.rejects(inTurn({ lease: () => Promise.reject(silent) }, "start", world, act), silent);
  await assert.rejects(
    inTurn(storeOf([lease]), "start", world, () => Promise.reject(new Error("refused"))),
    /refused/,
  );
  assert.equal(released, 2, "also when the act fails");
});
