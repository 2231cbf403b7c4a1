/** What every chain must do, whatever implements the port. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Chain, type ChainCoin, ChainUnreachable, PaymentRefused } from "../../../src/funds/wallet/chain.ts";

/** A chain and its environment, which the test plays. Everything is new for each test. */
export interface ChainWorld {
  readonly chain: Chain;
  /** An asset that can be paid there, and amounts of it, as the chain port writes them. */
  readonly asset: string;
  readonly amounts: readonly [string, string];
  /** An address that is not ours; another one each time. */
  stranger(): string;
  /** Mines so many blocks. */
  mine(blocks: number): Promise<void>;
  /** A stranger pays the address; resolves to the transaction id when a block contains it. */
  pay(address: string, tag: string, amount: string): Promise<string>;
  /** The amount received by a stranger's address, according to the chain. */
  received(address: string): Promise<string>;
  /** The last blocks leave the chain, and others without any of their transactions replace them. */
  reorg(depth: number): Promise<void>;
  /** Nothing answers from now on, until it ends. */
  cutOff(): Promise<void>;
  mend(): Promise<void>;
  /** Another instance over the same world, as after a restart; the first is closed. */
  restart(): Promise<Chain>;
  close(): Promise<void>;
}

const ACCOUNTS = [100, 101, 4] as const;
const ALL = (): boolean => true;
const NONE = (): boolean => false;

export function chainContract(name: string, open: (t: TestContext) => Promise<ChainWorld>): void {
  const contract = (what: string, run: (world: ChainWorld) => Promise<void>): void => {
    test(`${name}: ${what}`, async (t) => {
      const world = await open(t);
      try {
        await run(world);
      } finally {
        await world.close();
      }
    });
  };

  contract("an account's address is the same for ever and nobody else's", async (world) => {
    const first = await Promise.all(ACCOUNTS.map((account) => world.chain.addressOf(account)));
    const again = await Promise.all(ACCOUNTS.map((account) => world.chain.addressOf(account)));
    assert.deepEqual(again, first);
    assert.equal(new Set(first.map(({ address, tag }) => `${address} ${tag}`)).size, ACCOUNTS.length);
    for (const { address, tag } of first) assert.ok(world.chain.isAddress(address, tag), address);
    const chain = await world.restart();
    assert.deepEqual(await Promise.all(ACCOUNTS.map((account) => chain.addressOf(account))), first);
  });

  contract("knows what is no address", async ({ chain, stranger }) => {
    assert.ok(chain.isAddress(stranger(), ""));
    for (const bad of ["", " ", "0x", "no address", "a".repeat(1000), `${stranger()}!`, "\u0000"]) {
      assert.ok(!chain.isAddress(bad, ""), JSON.stringify(bad));
    }
  });

  contract("blocks have heights and hashes that last", async (world) => {
    const { chain } = world;
    const before = await chain.head();
    assert.deepEqual(await chain.block(before.height), before);
    assert.equal(await chain.block(before.height + 1), undefined);
    await world.mine(3);
    const head = await chain.head();
    assert.equal(head.height, before.height + 3);
    const blocks = await Promise.all([0, 1, 2, 3].map((above) => chain.block(before.height + above)));
    assert.deepEqual(blocks[0], before);
    assert.deepEqual(blocks[3], head);
    assert.equal(new Set(blocks.map((block) => block?.hash)).size, 4);
    const restarted = await world.restart();
    assert.deepEqual(await restarted.head(), head);
    assert.deepEqual(await restarted.block(before.height), before);
  });

  contract("shows a coin in its block and nowhere else, to those whose it is", async (world) => {
    const { chain, asset, amounts } = world;
    const mine = await chain.addressOf(ACCOUNTS[0]);
    const theirs = await chain.addressOf(ACCOUNTS[1]);
    await world.mine(1);
    const txId = await world.pay(mine.address, mine.tag, amounts[0]);
    const otherTxId = await world.pay(theirs.address, theirs.tag, amounts[1]);
    await world.mine(2);
    const state = await chain.transaction(txId);
    assert.ok(state.state === "mined" && state.isSuccess, JSON.stringify(state));
    const { block } = state;
    assert.deepEqual(await chain.block(block.height), block);

    const isMine = (address: string, tag: string): boolean => address === mine.address && tag === mine.tag;
    const expected = { txId, asset, ...mine, amount: amounts[0], block };
    const shown = await chain.coins(block.height, block.height, isMine);
    assert.deepEqual(shown.map(withoutOutput), [expected]);
    const { height } = await chain.head();
    assert.deepEqual(await chain.coins(0, height, isMine), shown, "the same, whatever is asked with it");
    assert.deepEqual(await chain.coins(0, block.height - 1, isMine), []);
    assert.deepEqual(await chain.coins(block.height + 1, height, isMine), []);
    assert.deepEqual(await chain.coins(0, height, NONE), []);
    const isOurs = (address: string): boolean => address === mine.address || address === theirs.address;
    const both = await chain.coins(0, height, isOurs);
    assert.deepEqual(both.map((coin) => coin.txId).sort(), [txId, otherTxId].sort());
    assert.deepEqual(await (await world.restart()).coins(0, height, isMine), shown);
  });

  contract("after a reorg other hashes hold, and what was in the blocks is gone", async (world) => {
    const { chain, amounts } = world;
    const mine = await chain.addressOf(ACCOUNTS[0]);
    const kept = await world.pay(mine.address, mine.tag, amounts[0]);
    await world.mine(1);
    const base = await chain.head();
    const lost = await world.pay(mine.address, mine.tag, amounts[1]);
    await world.mine(2);
    const head = await chain.head();
    const gone = await Promise.all(heights(base.height + 1, head.height).map((height) => chain.block(height)));
    await world.reorg(head.height - base.height);
    assert.deepEqual(await chain.block(base.height), base);
    assert.ok((await chain.head()).height >= head.height, "the new chain is no shorter");
    for (const block of gone) assert.notEqual((await chain.block(block?.height ?? 0))?.hash, block?.hash);
    const { height } = await chain.head();
    assert.deepEqual(
      (await chain.coins(0, height, (address) => address === mine.address)).map(({ txId }) => txId),
      [kept],
    );
    assert.notEqual((await chain.transaction(lost)).state, "mined");
    assert.equal((await chain.transaction(kept)).state, "mined");
  });

  contract("a payment pays when it was broadcast, once, and takes its nonce", async (world) => {
    const { chain, asset, amounts } = world;
    const address = world.stranger();
    const { height } = await chain.head();
    const nonce = await chain.minedNonce(height);
    const { txId, signedTx } = await chain.sign({ asset, address, tag: "", amount: amounts[0], nonce });
    await world.mine(2);
    assert.deepEqual(await chain.transaction(txId), { state: "unknown" });
    assert.equal(await chain.minedNonce((await chain.head()).height), nonce);

    await chain.broadcast(signedTx);
    await chain.broadcast(signedTx);
    await world.mine(2);
    await chain.broadcast(signedTx);
    await world.mine(1);
    const state = await chain.transaction(txId);
    assert.ok(state.state === "mined" && state.isSuccess, JSON.stringify(state));
    assert.equal(await world.received(address), amounts[0]);
    const at = state.block.height;
    assert.equal(await chain.minedNonce(at - 1), nonce);
    assert.equal(await chain.minedNonce(at), nonce + 1);
    assert.equal(await (await world.restart()).minedNonce(at), nonce + 1);
  });

  contract("of two payments with one nonce one is mined", async (world) => {
    const { chain, asset, amounts } = world;
    const [first, second] = [world.stranger(), world.stranger()];
    const nonce = await chain.minedNonce((await chain.head()).height);
    const payment = { asset, tag: "", amount: amounts[0], nonce };
    const one = await chain.sign({ ...payment, address: first });
    const other = await chain.sign({ ...payment, address: second });
    assert.notEqual(one.txId, other.txId);
    await chain.broadcast(one.signedTx);
    await world.mine(1);
    await chain.broadcast(other.signedTx);
    await world.mine(2);
    assert.equal((await chain.transaction(one.txId)).state, "mined");
    assert.notEqual((await chain.transaction(other.txId)).state, "mined");
    assert.equal(await world.received(first), amounts[0]);
    assert.ok(Number(await world.received(second)) === 0);
  });

  contract("a payment that a reorg took out is paid when it is broadcast again", async (world) => {
    const { chain, asset, amounts } = world;
    const address = world.stranger();
    await world.mine(1);
    const nonce = await chain.minedNonce((await chain.head()).height);
    const { txId, signedTx } = await chain.sign({ asset, address, tag: "", amount: amounts[0], nonce });
    await chain.broadcast(signedTx);
    await world.mine(2);
    await world.reorg(2);
    const { height } = await chain.head();
    assert.notEqual((await chain.transaction(txId)).state, "mined");
    assert.equal(await chain.minedNonce(height), nonce);
    await (await world.restart()).broadcast(signedTx);
    await world.mine(2);
    assert.equal(await world.received(address), amounts[0]);
  });

  contract("refuses to sign what can never be paid", async ({ chain, asset, amounts }) => {
    const nonce = await chain.minedNonce((await chain.head()).height);
    const payment = { asset, address: "no address", tag: "", amount: amounts[0], nonce };
    await assert.rejects(chain.sign(payment), PaymentRefused);
  });

  contract("says that it cannot be reached, and goes on afterwards", async (world) => {
    const { chain, asset, amounts } = world;
    const address = world.stranger();
    const head = await chain.head();
    const nonce = await chain.minedNonce(head.height);
    const { txId, signedTx } = await chain.sign({ asset, address, tag: "", amount: amounts[0], nonce });
    await world.cutOff();
    const questions: (() => Promise<unknown>)[] = [
      () => chain.head(),
      () => chain.block(head.height),
      () => chain.coins(0, head.height, ALL),
      () => chain.transaction(txId),
      () => chain.minedNonce(head.height),
      () => chain.broadcast(signedTx),
    ];
    for (const ask of questions) await assert.rejects(ask(), ChainUnreachable, String(ask));
    await world.mend();
    assert.deepEqual(await chain.head(), head);
    await chain.broadcast(signedTx);
    await world.mine(2);
    assert.equal(await world.received(address), amounts[0]);
  });
}

function withoutOutput({ output, ...coin }: ChainCoin): Omit<ChainCoin, "output"> {
  assert.ok(Number.isInteger(output) && output >= 0);
  return coin;
}

function heights(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
