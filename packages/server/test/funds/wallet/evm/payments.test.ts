/** Payments of the EVM adapter on a real chain, with a signer in its own process. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { getAddress, type Hex, keccak256, parseTransaction, recoverTransactionAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { type Chain, ChainUnreachable, type Payment, PaymentRefused } from "../../../../src/funds/wallet/chain.ts";
import { ether, noAnvil, token } from "@pricetime/testkit/evm";
import { openVenue, type Venue } from "./venue.ts";

/** The same transaction with another signature. */
async function signedBySomebodyElse(serialized: `0x02${string}`): Promise<{ txId: string; signedTx: string }> {
  const { r: _r, s: _s, v: _v, yParity: _y, ...transaction } = parseTransaction(serialized);
  const signedTx = await privateKeyToAccount(`0x${"1".repeat(64)}`).signTransaction(transaction as never);
  return { txId: keccak256(signedTx), signedTx };
}

describe("payments", { skip: noAnvil }, () => {
  let venue: Venue;
  let chain: Chain;
  /** The recipient of payments; owns nothing yet. */
  const payee = "0x00000000000000000000000000000000DeaDBeef";

  before(async () => {
    venue = await openVenue();
    chain = venue.chain;
  });
  after(() => venue.stop());

  const nextNonce = async (): Promise<number> => chain.minedNonce((await chain.head()).height);
  const payment = async (asset: string, amount: string, address: string = payee): Promise<Payment> => ({
    asset,
    amount,
    address,
    tag: "",
    nonce: await nextNonce(),
  });
  const balance = (of: string): Promise<bigint> => venue.anvil.client.getBalance({ address: getAddress(of) });

  test("what the venue's wallets hold, as the chain says", async () => {
    const { hotWallet, gasWallet } = venue.keys;
    const { height } = await chain.head();
    const held = (await chain.holdings?.())?.map(({ wallet, address, asset, amount, block }) => {
      assert.equal(block, height);
      return [wallet, address, asset, amount];
    });
    const hot = getAddress(hotWallet);
    assert.deepEqual(held, [
      ["hot", hot, "ETH", "100"],
      ["hot", hot, "USDT", "1000"],
      ["hot", hot, "GOLD", "0"],
      ["gas", getAddress(gasWallet), "ETH", "1"],
    ]);
  });

  test("native coins: signed, waiting, mined, and what it cost", async () => {
    const signed = await chain.sign(await payment("ETH", "1.50000000"));
    assert.deepEqual(await chain.transaction(signed.txId), { state: "unknown" });
    await chain.broadcast(signed.signedTx);
    assert.deepEqual(await chain.transaction(signed.txId), { state: "waiting" });
    await chain.broadcast(signed.signedTx);
    const before = await balance(venue.keys.hotWallet);
    await venue.anvil.mine(1);
    await chain.broadcast(signed.signedTx);
    const state = await chain.transaction(signed.txId);
    assert.ok(state.state === "mined" && state.isSuccess);
    assert.deepEqual(state.block, await chain.head());
    assert.equal(await balance(payee), ether(1.5));
    // Rounded up to the ledger's units, by less than one of them.
    const spent = before - ether(1.5) - (await balance(venue.keys.hotWallet));
    const cost = BigInt(state.cost?.amount.replace(".", "") ?? "") * 10n ** 10n;
    assert.ok(cost >= spent && cost - spent < 10n ** 10n, `${cost} for ${spent}`);
    await venue.anvil.mine(1);
    assert.equal(await balance(payee), ether(1.5), "paid more than once");
  });

  test("a node is told why it cannot pay: no signer, or one of other wallets", async () => {
    assert.equal(await chain.whyNoPayments?.(), "");
    const none = venue.other({ signerSocket: join(venue.folder, "nobody.sock") });
    assert.match(await none.whyNoPayments(), /signer cannot be reached/);
    const strange = venue.other({ hotWallet: payee });
    assert.match(await strange.whyNoPayments(), /other wallets/);
    await Promise.all([none.close(), strange.close()]);
  });

  test("tokens", async () => {
    const signed = await chain.sign(await payment("USDT", "12.345678"));
    await chain.broadcast(signed.signedTx);
    await venue.anvil.mine(1);
    const state = await chain.transaction(signed.txId);
    assert.ok(state.state === "mined" && state.isSuccess);
    assert.equal(state.cost?.asset, "ETH");
    assert.equal(await venue.anvil.tokenBalance(venue.usdt, payee), 12_345_678n);
  });

  test("a token that answers no, and a call that runs into the wall, have paid nobody", async () => {
    const { anvil, usdt } = venue;
    for (const spoil of [
      () => anvil.call(usdt, token.setMute(true), anvil.otherStranger),
      () => anvil.client.setCode({ address: usdt, bytecode: "0x60006000fd" }),
    ]) {
      const code = await anvil.client.getCode({ address: usdt });
      assert.ok(code !== undefined);
      const signed = await chain.sign(await payment("USDT", "1"));
      await spoil();
      await anvil.mine(1);
      await chain.broadcast(signed.signedTx);
      await anvil.mine(1);
      const state = await chain.transaction(signed.txId);
      assert.ok(state.state === "mined");
      assert.equal(state.isSuccess, false);
      assert.notEqual(state.cost, null, "gas is paid all the same");
      await anvil.client.setCode({ address: usdt, bytecode: code });
      await anvil.call(usdt, token.setMute(false), anvil.otherStranger);
      await anvil.mine(1);
    }
    assert.equal(await anvil.tokenBalance(usdt, payee), 12_345_678n);
  });

  test("a payee that no longer takes coins was not paid", async () => {
    const { anvil } = venue;
    const moody = getAddress(`0x${"ab".repeat(20)}`);
    const signed = await chain.sign(await payment("ETH", "1", moody));
    await anvil.client.setCode({ address: moody, bytecode: "0x60006000fd" });
    await chain.broadcast(signed.signedTx);
    await anvil.mine(1);
    const state = await chain.transaction(signed.txId);
    assert.ok(state.state === "mined" && !state.isSuccess);
    assert.equal(await balance(moody), 0n);
  });

  test("what can never be paid is refused; what cannot be paid now is asked again", async () => {
    const never: readonly Payment[] = [
      await payment("USDT", "1.0000001"),
      await payment("USDT", "0"),
      await payment("USDT", "-1"),
      await payment("USDT", "1e3"),
      await payment("DOGE", "1"),
      await payment("ETH", "1", "nowhere"),
      await payment("ETH", "1", "0x00000000000000000000000000000000deadBeef"),
      { ...(await payment("ETH", "1")), tag: "1" },
      await payment("ETH", "1", venue.usdt),
      // A wallet that accepts no coins.
      await payment("ETH", "1", await venue.anvil.deployPurse(0n)),
      await payment("ETH", "10.00000001"),
    ];
    for (const each of never) await assert.rejects(chain.sign(each), PaymentRefused, JSON.stringify(each));
    const notNow: readonly (readonly [Payment, RegExp])[] = [
      // More than the hot wallet has.
      [await payment("USDT", "100000"), /too little/],
      [await payment("ETH", "1000"), /the hot wallet has too little ETH/],
    ];
    for (const [each, why] of notNow) {
      await assert.rejects(chain.sign(each), (error: unknown) => {
        assert.ok(error instanceof ChainUnreachable, String(error));
        assert.match(error.message, why);
        return true;
      });
    }
    const thrifty = venue.other({ maxFeeGwei: 1 });
    await venue.anvil.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 2_000_000_000n });
    await venue.anvil.mine(1);
    await assert.rejects(thrifty.sign(await payment("ETH", "1")), /gas costs more than maxFeeGwei allows/);
  });

  test("the same nonce pays once: the other of the two is never mined, and sending it again says nothing", async () => {
    const nonce = await nextNonce();
    const [one, other] = [
      await chain.sign({ ...(await payment("ETH", "1")), nonce }),
      await chain.sign({ ...(await payment("ETH", "2")), nonce }),
    ];
    const before = await balance(payee);
    await chain.broadcast(one.signedTx);
    await venue.anvil.mine(1);
    await chain.broadcast(other.signedTx);
    await venue.anvil.mine(1);
    assert.equal(await balance(payee), before + ether(1));
    assert.deepEqual(await chain.transaction(other.txId), { state: "unknown" });
    const { height } = await chain.head();
    assert.equal(await chain.minedNonce(height), nonce + 1);
    assert.equal(await chain.minedNonce(height - 2), nonce);
  });

  test("a payment that is stuck is replaced by one that bids more", async () => {
    const { anvil } = venue;
    const asked = await payment("ETH", "3");
    const before = await balance(payee);
    const stuck = await chain.sign(asked);
    await chain.broadcast(stuck.signedTx);
    const bold = await venue.chain.raise(asked, { stuck: stuck.signedTx, ahead: [], isByHand: true });
    const [low, high] = [stuck, bold].map(({ signedTx }) => parseTransaction(signedTx as `0x02${string}`));
    assert.equal(high?.nonce, low?.nonce);
    assert.ok((high?.maxFeePerGas ?? 0n) * 10n >= (low?.maxFeePerGas ?? 0n) * 11n);
    assert.ok((high?.maxPriorityFeePerGas ?? 0n) * 10n >= (low?.maxPriorityFeePerGas ?? 0n) * 11n);
    await chain.broadcast(bold.signedTx);
    await anvil.mine(1);
    assert.equal((await chain.transaction(bold.txId)).state, "mined");
    assert.equal(await balance(payee), before + ether(3));
  });

  test("a payment that a reorg takes back is unknown again, and can be sent again", async () => {
    const signed = await chain.sign(await payment("ETH", "0.5"));
    const before = await balance(payee);
    await chain.broadcast(signed.signedTx);
    await venue.anvil.mine(3);
    assert.equal((await chain.transaction(signed.txId)).state, "mined");
    await venue.anvil.reorg(3);
    assert.notEqual((await chain.transaction(signed.txId)).state, "mined");
    assert.equal(await balance(payee), before);
    await chain.broadcast(signed.signedTx);
    await venue.anvil.mine(1);
    assert.equal((await chain.transaction(signed.txId)).state, "mined");
    assert.equal(await balance(payee), before + ether(0.5));
  });

  test("the transaction is the hot wallet's own, for this chain alone", async () => {
    const { signedTx } = await chain.sign(await payment("ETH", "1"));
    const serializedTransaction = signedTx as `0x02${string}`;
    assert.equal(await recoverTransactionAddress({ serializedTransaction }), venue.keys.hotWallet);
    assert.equal(parseTransaction(serializedTransaction as Hex).chainId, venue.settings.chainId);
  });

  test("what a signer signed otherwise than it was asked is not taken", async () => {
    const { anvil } = venue;
    const asked = await payment("ETH", "1");
    const honest = await chain.sign(asked);
    const others = [
      await chain.sign({ ...asked, address: anvil.stranger }),
      await chain.sign({ ...asked, amount: "2" }),
      await chain.sign({ ...asked, nonce: asked.nonce + 1 }),
      await chain.sign({ ...asked, asset: "USDT" }),
      { ...honest, txId: `0x${"0".repeat(64)}` },
      // A payment from another wallet than the hot one, for example a sweep.
      await signedBySomebodyElse(honest.signedTx as `0x02${string}`),
    ];
    for (const answer of [honest, ...others]) {
      const signerSocket = join(venue.folder, "liar.sock");
      const liar = createServer((socket) => {
        socket.on("error", () => {});
        socket.once("data", (line) => {
          const { xpub, hotWallet, gasWallet } = venue.keys;
          const isHello = line.toString().includes('"hello"');
          socket.end(`${JSON.stringify(isHello ? { xpub, hotWallet, gasWallet } : answer)}\n`);
        });
      });
      liar.listen(signerSocket);
      await once(liar, "listening");
      try {
        const signed = venue.other({ signerSocket }).sign(asked);
        if (answer === honest) assert.deepEqual(await signed, honest);
        else await assert.rejects(signed, /the signer signed something else/);
      } finally {
        liar.close();
        await once(liar, "close");
      }
    }
  });

  test("without the signer deposits are read and nothing is paid", async () => {
    await venue.signer.kill();
    const alone = venue.other();
    assert.deepEqual(await alone.head(), await chain.head());
    await assert.rejects(alone.sign(await payment("ETH", "1")), (error: unknown) => {
      assert.ok(error instanceof ChainUnreachable);
      assert.match(error.message, /the signer cannot be reached/);
      return true;
    });
  });
});
