/**
 * Payments while gas becomes dearer, by the real program over a real chain: several are under way at once; what is stuck
 * is signed again by itself within its bound, and beyond it by an operator. Killed in between:
 * `trials/evm/killed-while-stuck.trial.ts`.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { parseGwei, parseTransaction } from "viem";
import { DearGas, noAnvil, UNDER_WAY, UP_TO_GWEI } from "@pricetime/testkit/evm";

describe("payments that are stuck", { skip: noAnvil }, () => {
  let venue: DearGas;

  before(async () => {
    venue = await DearGas.open();
  });
  after(() => venue.close());

  test("so many at a time, with one nonce after the other, in one block", async () => {
    const ids = await venue.ask(UNDER_WAY + 2);
    const signed = await venue.signed();
    assert.equal(signed.length, UNDER_WAY);
    const nonces = signed.map(({ nonce }) => nonce);
    const [first = -1] = nonces;
    assert.deepEqual(
      nonces,
      nonces.map((_, at) => first + at),
    );
    await venue.mineBlock();
    const blocks = await Promise.all(signed.map(async ({ txId }) => (await venue.transaction(txId)).blockNumber));
    assert.equal(new Set(blocks).size, 1, "all in one block");
    await venue.finish(ids);
  });

  test("gas becomes dearer: what is first in line bids more by itself, and all arrive", async () => {
    await venue.costs(1);
    const ids = await venue.ask(3);
    const first = (await venue.signed())[0] ?? assert.fail();
    const bid = (await venue.transaction(first.txId)).maxFeePerGas ?? 0n;
    await venue.costs(12);
    assert.ok(bid < parseGwei("12"), "it is too low from now on");
    await venue.minedUntil("it is signed again", async () => (await venue.signed())[0]?.txIds.length === 2);
    const again = (await venue.signed())[0] ?? assert.fail();
    assert.deepEqual([again.nonce, again.txIds[0]], [first.nonce, first.txId]);
    assert.equal(again.by, undefined, "nobody had to");
    await venue.finish(ids);
  });

  test("beyond its bound an operator is told, and raises by hand; the journal says who", async () => {
    await venue.costs(1);
    const ids = await venue.ask(1);
    const [id = ""] = ids;
    await venue.costs(UP_TO_GWEI + 20);
    const isTold = async (): Promise<boolean> =>
      /a payment is stuck, and a higher fee would be more than 30 gwei/.test((await venue.program.network()).error);
    await venue.minedUntil("it is told", isTold);
    const [stuck] = await venue.signed();
    assert.equal(stuck?.txIds.length, 1);
    const raised = await venue.raiseFee(id);
    assert.deepEqual([raised.txIds.length, raised.nonce, typeof raised.by], [2, stuck.nonce, "string"]);
    const { maxFeePerGas = 0n } = parseTransaction(await venue.program.anvil.raw(raised.txId));
    assert.ok(maxFeePerGas >= parseGwei(String(venue.baseGwei)));
    await venue.finish(ids);
    assert.equal((await venue.program.withdrawals()).find((row) => row.id === id)?.txId, raised.txId);
    await assert.rejects(venue.raiseFee(id), /404/);
  });

  test("what a block holds already is not raised", async () => {
    await venue.costs(1);
    const ids = await venue.ask(1);
    await venue.mineBlock();
    await assert.rejects(venue.raiseFee(ids[0] ?? ""), /409.*a block holds it already/);
    await venue.finish(ids);
  });
});
