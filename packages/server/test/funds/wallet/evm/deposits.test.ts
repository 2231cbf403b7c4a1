/** Deposits that the EVM adapter sees on a real chain. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Address, getAddress, type Hex, zeroAddress } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { type ChainCoin, ChainUnreachable } from "../../../../src/funds/wallet/chain.ts";
import { DepositKey } from "../../../../src/funds/wallet/evm/deposit-key.ts";
import { ether, noAnvil, openGate, purse, startAnvil, token } from "@pricetime/testkit/evm";
import { openVenue, type Venue } from "./venue.ts";

describe("deposits", { skip: noAnvil }, () => {
  let venue: Venue;
  let mine: Address;
  let other: Address;
  const isOurs = (address: string): boolean => address === mine || address === other;

  before(async () => {
    venue = await openVenue();
    [mine, other] = [await venue.addressOf(7), await venue.addressOf(8)];
  });
  after(() => venue.stop());

  /** The coins of the blocks that are mined until `act` ends, shortened. */
  const coinsOf = async (act: () => Promise<unknown>): Promise<ChainCoin[]> => {
    const before = await venue.chain.head();
    await act();
    await venue.anvil.mine(1);
    const { height } = await venue.chain.head();
    return [...(await venue.chain.coins(before.height + 1, height, isOurs))];
  };
  const short = ({ asset, address, amount, output }: ChainCoin): unknown[] => [asset, address, amount, output];

  test("native coins, with the block that holds them", async () => {
    let txId: Hex = "0x";
    const coins = await coinsOf(async () => (txId = await venue.anvil.pay(mine, ether(1.5))));
    const head = await venue.chain.head();
    assert.deepEqual(coins, [
      { txId, output: 0, asset: "ETH", address: mine, tag: "", amount: "1.50000000", block: head },
    ]);
    assert.deepEqual(await venue.chain.block(head.height), head);
    assert.equal(await venue.chain.block(head.height + 1), undefined);
  });

  test("what is finer than the asset is rounded down, and nothing at all is no coin", async () => {
    const coins = await coinsOf(async () => {
      await venue.anvil.pay(mine, 1_999_999_999_999_999_999n);
      await venue.anvil.pay(mine, 9_999_999_999n);
      await venue.anvil.pay(mine, 0n);
      await venue.anvil.call(venue.gold, token.transfer(mine, 10_000_000_001n));
      await venue.anvil.call(venue.gold, token.transfer(mine, 9_999_999_999n));
      await venue.anvil.call(venue.usdt, token.transfer(mine, 1n));
      await venue.anvil.call(venue.usdt, token.transfer(mine, 0n));
    });
    assert.deepEqual(coins.map(short), [
      ["ETH", mine, "1.99999999", 0],
      ["GOLD", mine, "0.00000001", 1],
      ["USDT", mine, "0.000001", 1],
    ]);
  });

  test("each transfer of one transaction is a coin of its own", async () => {
    const to = [venue.anvil.otherStranger, mine, other, mine];
    const coins = await coinsOf(() => venue.anvil.call(venue.usdt, token.transferAll(to, [1n, 2n, 3n, 4n])));
    assert.deepEqual(coins.map(short), [
      ["USDT", mine, "0.000002", 2],
      ["USDT", other, "0.000003", 3],
      ["USDT", mine, "0.000004", 4],
    ]);
    assert.equal(new Set(coins.map(({ txId }) => txId)).size, 1);
  });

  test("a token that is not listed is nobody's, and costs nothing where nobody wants to know", async () => {
    const stray = await venue.anvil.deployToken(6);
    const before = await venue.chain.head();
    const coins = await coinsOf(async () => {
      await venue.anvil.call(stray, token.mint(venue.anvil.stranger, 1000n));
      await venue.anvil.call(stray, token.transferAll([venue.anvil.otherStranger, mine, other], [1n, 100n, 2n]));
      await venue.anvil.call(stray, token.transfer(mine, 0n));
    });
    assert.deepEqual(
      coins.map(({ asset, address, amount, output, stray: why }) => [asset, address, amount, output, why]),
      [
        [stray, mine, "100", 2, "unknownAsset"],
        [stray, other, "2", 3, "unknownAsset"],
      ],
    );
    const incurious = venue.other({ recordUnlistedTokens: false });
    const { height } = await venue.chain.head();
    assert.deepEqual(await incurious.coins(before.height + 1, height, isOurs), []);
    await incurious.close();
  });

  test("a transaction that fails brings nothing; nor does a call's own payment", async () => {
    const giver = await venue.anvil.deployPurse(ether(1));
    const coins = await coinsOf(async () => {
      await venue.anvil.call(venue.usdt, token.transfer(mine, 1_000_000_000_000_000n));
      // Documented: coins that a contract sends in the course of a call are not seen.
      await venue.anvil.call(giver, purse.pay(mine, ether(1)));
    });
    assert.deepEqual(coins, []);
  });

  test("a failed payment of native coins brings nothing", async () => {
    const { client, stranger } = venue.anvil;
    // A deposit address that is temporarily a contract: the payment reverts, the value stays.
    await client.setCode({ address: mine, bytecode: "0x60006000fd" });
    const coins = await coinsOf(() =>
      client.sendTransaction({ account: stranger, to: mine, value: 5n * 10n ** 18n, gas: 100_000n }),
    );
    await client.setCode({ address: mine, bytecode: "0x" });
    assert.deepEqual(coins, []);
  });

  test("gas that the venue sends to its own deposit address is no deposit", async () => {
    const { client } = venue.anvil;
    const account = venue.keys.gasWallet;
    await client.impersonateAccount({ address: account });
    const coins = await coinsOf(() => venue.anvil.pay(mine, ether(0.01), account));
    await client.stopImpersonatingAccount({ address: account });
    assert.deepEqual(coins, []);
  });

  test("many blocks at once, each coin with its own block", async () => {
    const amounts = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    const coins = await coinsOf(async () => {
      for (const amount of amounts) {
        await venue.anvil.pay(other, ether(amount));
        await venue.anvil.mine(1);
      }
    });
    assert.deepEqual(
      coins.map(({ amount }) => Number(amount)),
      amounts,
    );
    const heights = coins.map(({ block }) => block.height);
    assert.deepEqual(
      heights,
      amounts.map((_, i) => (heights[0] ?? 0) + i),
    );
    for (const { block } of coins) assert.deepEqual(await venue.chain.block(block.height), block);
  });

  test("a reorg of 3 blocks takes coins away, and a coin that is mined again keeps its id", async () => {
    const { anvil, chain, usdt } = venue;
    await anvil.call(usdt, token.mint(anvil.otherStranger, 100n));
    await anvil.mine(1);
    const from = await chain.head();
    const lost = await anvil.call(usdt, token.transferAll([mine, other], [3n, 4n]));
    await anvil.mine(1);
    const kept = await anvil.call(usdt, token.transfer(mine, 6n), anvil.otherStranger);
    await anvil.call(usdt, token.transfer(anvil.otherStranger, 1n));
    await anvil.mine(2);
    const read = async (): Promise<readonly ChainCoin[]> =>
      chain.coins(from.height + 1, (await chain.head()).height, isOurs);
    const before = await read();
    assert.deepEqual(before.map(({ txId }) => txId).sort(), [kept, lost, lost].sort());
    const logIndex = async (): Promise<number | undefined> =>
      (await anvil.client.getTransactionReceipt({ hash: kept })).logs[0]?.logIndex;

    const kepts = await anvil.raw(kept);
    await anvil.reorg(3);
    assert.notEqual((await chain.block(from.height + 1))?.hash, before[0]?.block.hash);
    assert.deepEqual(await read(), []);
    assert.equal((await chain.transaction(lost)).state, "unknown");
    // Mined again behind another transaction, so its log has another number within the block.
    await anvil.call(usdt, token.transferAll([mine, other], [1n, 1n]));
    await anvil.client.sendRawTransaction({ serializedTransaction: kepts });
    await anvil.mine(1);
    assert.equal(await logIndex(), 2);
    const again = (await read()).find(({ txId }) => txId === kept);
    const first = before.find(({ txId }) => txId === kept);
    assert.ok(again !== undefined && first !== undefined);
    assert.deepEqual({ ...again, block: first.block }, first);
    assert.notDeepEqual(again.block, first.block);
  });

  test("addresses: EIP-55 or lower case, without a tag, and none that would lose the coins", () => {
    const { chain, usdt, keys } = venue;
    const stranger = getAddress(venue.anvil.stranger);
    assert.equal(chain.isAddress(stranger, ""), true);
    assert.equal(chain.isAddress(stranger.toLowerCase(), ""), true);
    assert.equal(chain.isAddress(mine, ""), true);
    for (const bad of [
      stranger.replace(/[a-f]/, (letter) => letter.toUpperCase()),
      stranger.replace(/[A-F]/, (letter) => letter.toLowerCase()),
      stranger.slice(0, -1),
      `${stranger}0`,
      stranger.slice(2),
      "",
      "0x",
      zeroAddress,
      usdt,
      usdt.toLowerCase(),
      keys.hotWallet,
    ]) {
      assert.equal(chain.isAddress(bad, ""), false, bad);
    }
    assert.equal(chain.isAddress(stranger, "1"), false);
  });

  test("a node of another chain, a node that is gone, and wrong decimals: nothing is read", async () => {
    const gone = await startAnvil();
    await gone.stop();
    for (const [settings, why] of [
      [{ chainId: 1 }, /the node is of chain 31337, the network is chain 1/],
      [{ rpcUrl: gone.url }, /HTTP request failed/],
      [{ tokens: [{ asset: "USDT", contract: venue.usdt, decimals: 18 }] }, /USDT has 6 decimals on the chain, not 18/],
      [{ hotWallet: venue.anvil.stranger }, /the signer holds the keys of other wallets/],
    ] as const) {
      const chain = venue.other(settings);
      for (const ask of [() => chain.head(), () => chain.coins(1, 1, isOurs)]) {
        await assert.rejects(ask, (error: unknown) => {
          assert.ok(error instanceof ChainUnreachable);
          assert.match(error.message, why);
          assert.ok(!error.message.includes(new URL(gone.url).port), "the address of the node is told");
          return true;
        });
      }
    }
  });

  test("a chain that answers late, or that another one stands in for, is known when it is there", async (t) => {
    const gate = await openGate(venue.anvil.url);
    t.after(() => gate.close());
    gate.shut();
    const chain = venue.other({ rpcUrl: gate.url });
    await assert.rejects(chain.head(), ChainUnreachable);
    gate.open();
    assert.deepEqual(await chain.head(), await venue.chain.head());
    // The chain's identity is checked again after a failure: it may be another chain's node by then.
    let asked = 0;
    gate.onQuestion = (method) => void (asked += method === "eth_chainId" ? 1 : 0);
    await chain.head();
    assert.equal(asked, 0);
    gate.shut();
    await assert.rejects(chain.head(), ChainUnreachable);
    gate.open();
    await chain.head();
    assert.ok(asked > 0, "it was not asked who it is");
  });

  test("an asset that is not listed yet holds the reading up, and is not passed over", async () => {
    const chain = venue.other({ nativeAsset: "XDAI" });
    await coinsOf(() => venue.anvil.pay(mine, 10n ** 18n));
    const { height } = await chain.head();
    await assert.rejects(chain.coins(height, height, isOurs), /XDAI is not listed/);
  });
});

test("deposit addresses follow BIP 32 and 44", () => {
  // The widely known test phrase and its first addresses.
  const phrase = "test test test test test test test test test test test junk";
  const xpub = mnemonicToAccount(phrase, { path: "m/44'/60'/0'/0" }).getHdKey().publicExtendedKey;
  const key = new DepositKey(xpub);
  assert.equal(key.addressOf(0), "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266");
  assert.equal(key.addressOf(1), "0x70997970C51812dc3A010C7d01b50e0d17dc79C8");
  assert.throws(() => key.addressOf(2 ** 31), RangeError);
  assert.throws(() => key.addressOf(-1), RangeError);
  const xprv = mnemonicToAccount(phrase, { path: "m/44'/60'/0'/0" }).getHdKey().privateExtendedKey;
  assert.throws(() => new DepositKey(xprv), /extended public key/);
});
