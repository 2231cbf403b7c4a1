/** A provider with invalid answers, as at the limits of a plan: none is believed, and it is asked again. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import { numberToHex } from "viem";
import { inTheEnd } from "@pricetime/testkit/scratch";
import { ChainUnreachable } from "../../../../src/funds/wallet/chain.ts";
import { EvmChain } from "../../../../src/funds/wallet/evm/evm-chain.ts";
import { EvmRpc } from "../../../../src/funds/wallet/evm/rpc.ts";
import type { EvmSettings } from "../../../../src/funds/wallet/evm/settings.ts";
import { MACHINE } from "../../../../src/platform/world/machine.ts";

const CHAIN_ID = 7;
const HEIGHT = 5;
const HASH = `0x${"ab".repeat(32)}`;
/** The first example of BIP 32. */
const XPUB =
  "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8";
const ODD = ["", "{}", '{"message":"rate limited"}', '{"result":null}', '{"result":"0x"}', "null", "[]"];

interface Provider {
  readonly settings: EvmSettings;
  /** Bodies, by method, each for one request. */
  readonly odd: Map<string, string>;
}

async function openProvider(t: TestContext): Promise<Provider> {
  const odd: Provider["odd"] = new Map();
  const block = { number: numberToHex(HEIGHT), hash: HASH, parentHash: HASH, transactions: [] };
  const right: Readonly<Record<string, unknown>> = {
    eth_chainId: numberToHex(CHAIN_ID),
    eth_blockNumber: numberToHex(HEIGHT),
    eth_getBlockByNumber: block,
    eth_getTransactionCount: "0x3",
    eth_getTransactionReceipt: null,
    eth_getTransactionByHash: null,
    eth_getLogs: [],
  };
  const server = createServer((request, response) => {
    void request.toArray().then((pieces) => {
      const { method } = JSON.parse(pieces.join("")) as { readonly method: string };
      const body = odd.get(method) ?? JSON.stringify({ jsonrpc: "2.0", id: 1, result: right[method] });
      odd.delete(method);
      response.end(body);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  inTheEnd(t, async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const settings: EvmSettings = {
    ...{ network: "ETH", chainId: CHAIN_ID, nativeAsset: "ETH", tokens: [], xpub: XPUB },
    rpcUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hotWallet: `0x${"11".repeat(20)}`,
    signerSocket: "/nobody/signs.sock",
  };
  return { settings, odd };
}

/** Any other error is a bug of ours. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof ChainUnreachable && error.message.startsWith("ETH: ");

test("an odd answer to the first question of all ends nothing: the next one is asked anew", async (t) => {
  const { settings, odd } = await openProvider(t);
  for (const body of ODD) {
    const rpc = new EvmRpc(settings, () => Promise.resolve());
    odd.set("eth_chainId", body);
    await assert.rejects(
      rpc.ask((client) => client.getBlockNumber()),
      isUnreachable,
      body,
    );
    assert.equal(await rpc.ask((client) => client.getBlockNumber()), BigInt(HEIGHT), body);
  }
});

test("whatever the check fails with, it is made anew", async (t) => {
  const { settings } = await openProvider(t);
  let checks = 0;
  const rpc = new EvmRpc(settings, () => (++checks === 1 ? Promise.reject(new Error("ours")) : Promise.resolve()));
  await assert.rejects(
    rpc.ask((client) => client.getBlockNumber()),
    /^Error: ours$/,
  );
  await rpc.ask((client) => client.getBlockNumber());
  await rpc.ask((client) => client.getBlockNumber());
  assert.equal(checks, 2);
});

test("what has no result says nothing about blocks, transactions and nonces", async (t) => {
  const { settings, odd } = await openProvider(t);
  const chain = new EvmChain(settings, MACHINE, () => 8);
  t.after(() => chain.close());
  const noPlace = JSON.stringify({ result: { transactions: [] } });
  const receipt = { status: "0x1", logs: [], gasUsed: "0x1", effectiveGasPrice: "0x1" };
  const transaction = JSON.stringify({ result: { hash: HASH, from: settings.hotWallet, input: "0x" } });
  for (const [method, ask, bodies] of [
    ["eth_getBlockByNumber", () => chain.head(), [...ODD, noPlace]],
    ["eth_getBlockByNumber", () => chain.block(HEIGHT), [...ODD.filter((body) => !body.includes("null")), noPlace]],
    ["eth_getBlockByNumber", () => chain.coins(HEIGHT, HEIGHT, () => true), [...ODD, noPlace]],
    ["eth_getLogs", () => chain.coins(HEIGHT, HEIGHT, () => true), ODD],
    ["eth_getTransactionCount", () => chain.minedNonce(HEIGHT), ODD],
    ["eth_getTransactionByHash", () => chain.transaction(HASH), ["", '{"message":"rate limited"}']],
    ["eth_getTransactionReceipt", () => chain.transaction(HASH), ["", '{"message":"rate limited"}']],
  ] as const) {
    for (const body of bodies) {
      odd.set(method, body);
      if (method === "eth_getTransactionReceipt") odd.set("eth_getTransactionByHash", transaction);
      await assert.rejects(ask(), isUnreachable, `${method}: ${body}`);
      odd.clear();
      await ask();
    }
  }
  assert.deepEqual(await chain.head(), { height: HEIGHT, hash: HASH });
  assert.deepEqual(await chain.transaction(HASH), { state: "unknown" });
  // Some nodes return unmined ones.
  odd.set("eth_getTransactionReceipt", JSON.stringify({ result: receipt }));
  odd.set("eth_getTransactionByHash", transaction);
  assert.deepEqual(await chain.transaction(HASH), { state: "waiting" });
  odd.set("eth_getTransactionReceipt", JSON.stringify({ result: { ...receipt, blockNumber: "0x5" } }));
  odd.set("eth_getTransactionByHash", transaction);
  await assert.rejects(chain.transaction(HASH), isUnreachable);
  odd.set("eth_getBlockByNumber", '{"result":null}');
  assert.equal(await chain.block(HEIGHT), undefined);
});
