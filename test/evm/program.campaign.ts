/** The wallet end to end: the real program, a real EVM chain, a signer in a process of its own. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Address, getAddress, parseUnits } from "viem";
import { DepositKey } from "@pricetime/server/parts";
import { type Asset, CREDIT_BLOCKS, FEE, FINAL_BLOCKS, noAnvil, Program, token } from "@pricetime/testkit/evm";

describe("an exchange on a real chain", { skip: noAnvil }, () => {
  let program: Program;
  let mine: Address;
  const payee = getAddress("0x00000000000000000000000000000000deadbeef");

  before(async () => {
    program = await Program.open();
  });
  after(() => program.close());

  const statusOf = async (txId: string): Promise<number | undefined> =>
    (await program.deposits()).find((row) => row.txId === txId)?.status;
  const deposit = async (asset: Asset, amount: string): Promise<string> => {
    const txId = await program.pay(asset, mine, amount);
    await program.until("the deposit is final", async () => (await statusOf(txId)) === 1, true);
    return txId;
  };

  test("one address for all coins of the network, derived from the public key", async () => {
    mine = await program.depositAddress("ANV");
    assert.equal(await program.depositAddress("TOK"), mine);
    const key = new DepositKey(program.keys.xpub);
    const first = Array.from({ length: 1000 }, (_, accountId) => key.addressOf(accountId) as string);
    assert.ok(first.includes(mine), "the address follows from no account's number");
  });

  for (const [asset, amount] of [
    ["ANV", "2.5"],
    ["TOK", "1000.5"],
  ] as const) {
    test(`a stranger's ${asset}: pending, credited, final, as the blocks come`, async () => {
      const txId = await program.pay(asset, mine, amount);
      assert.equal(await statusOf(txId), undefined);
      const freeBefore = Number(await program.free(asset));
      await program.anvil.mine(1);
      await program.until("it is pending", async () => (await statusOf(txId)) === 0);
      await program.readToHead();
      assert.equal(await statusOf(txId), 0);
      assert.equal(Number(await program.free(asset)), freeBefore);
      await program.anvil.mine(CREDIT_BLOCKS - 1);
      await program.until("it is credited", async () => (await statusOf(txId)) === 6);
      assert.equal(Number(await program.free(asset)), freeBefore + Number(amount));
      // Tradable, but not to be withdrawn.
      await assert.rejects(program.withdraw(asset, payee, amount), /insufficient/i);
      await program.anvil.mine(FINAL_BLOCKS - CREDIT_BLOCKS);
      await program.until("it is final", async () => (await statusOf(txId)) === 1);
      assert.equal(Number(await program.free(asset)), freeBefore + Number(amount));
    });

    test(`a withdrawal of ${asset} arrives, less the fee`, async () => {
      const before = await program.held(asset, payee);
      const id = await program.withdraw(asset, payee, "1.5");
      const row = async () => (await program.withdrawals()).find((each) => each.id === id);
      assert.equal((await row())?.status, 4);
      await program.until("it is done", async () => (await row())?.status === 6, true);
      const net = parseUnits("1.5", asset === "ANV" ? 18 : 6) - parseUnits(FEE[asset], asset === "ANV" ? 18 : 6);
      assert.equal(await program.held(asset, payee), before + net);
      const receipt = await program.anvil.client.getTransactionReceipt({ hash: (await row())?.txId as Address });
      assert.equal(receipt.status, "success");
      await program.audit([mine]);
    });
  }

  test("a reorg of 3 blocks takes back what was credited and what was pending, and nothing else", async () => {
    const final = await deposit("ANV", "1");
    await program.readToHead();
    const free = { ANV: await program.free("ANV"), TOK: await program.free("TOK") };
    const credited = await program.pay("TOK", mine, "7");
    await program.anvil.mine(2);
    const pending = await program.pay("ANV", mine, "0.7");
    await program.anvil.mine(1);
    await program.until("one is credited", async () => (await statusOf(credited)) === 6);
    await program.until("one is pending", async () => (await statusOf(pending)) === 0);
    assert.notEqual(await program.free("TOK"), free.TOK);

    await program.anvil.reorg(3);
    await program.anvil.mine(1);
    await program.until(
      "both are gone",
      async () => {
        const [one, other] = [await statusOf(credited), await statusOf(pending)];
        return one === undefined && other === undefined;
      },
      true,
    );
    assert.deepEqual({ ANV: await program.free("ANV"), TOK: await program.free("TOK") }, free);
    assert.equal(await statusOf(final), 1);
    await program.anvil.mine(FINAL_BLOCKS);
    await program.readToHead();
    await program.audit([mine]);
    // What was taken back cost the customer nothing else: withdrawing is allowed still.
    const id = await program.withdraw("ANV", payee, "0.2");
    const isDone = async (): Promise<boolean> =>
      (await program.withdrawals()).some((row) => row.id === id && row.status === 6);
    await program.until("it is done", isDone, true);
  });

  test("a coin that a reorg moves into another block is credited once", async () => {
    const free = Number(await program.free("TOK"));
    const txId = await program.pay("TOK", mine, "3");
    await program.anvil.mine(2);
    await program.until("it is credited", async () => (await statusOf(txId)) === 6);
    const raw = await program.anvil.raw(txId);
    await program.anvil.reorg(2);
    await program.anvil.client.sendRawTransaction({ serializedTransaction: raw });
    await program.until("it is final", async () => (await statusOf(txId)) === 1, true);
    await program.readToHead();
    assert.equal(Number(await program.free("TOK")), free + 3);
    assert.equal((await program.deposits()).filter((row) => row.txId === txId).length, 1);
    await program.audit([mine]);
  });

  test("an address is the same in whatever letters: the own one is refused, the one of the list is let through", async () => {
    await assert.rejects(program.withdraw("ANV", mine, "0.5"), /success":false/);
    await assert.rejects(program.withdraw("ANV", mine.toLowerCase(), "0.5"), /success":false/);
    await program.allowOnly(payee.toLowerCase());
    await assert.rejects(program.withdraw("ANV", program.anvil.stranger, "0.5"), /success":false/);
    await program.withdraw("ANV", payee, "0.5");
    await program.withdraw("ANV", payee.toLowerCase(), "0.5");
    await program.until(
      "both are done",
      async () => (await program.withdrawals()).every((row) => row.status === 6),
      true,
    );
    await program.audit([mine]);
  });

  test("a token that nobody listed is noted when no block can take it back, and settled by an operator", async () => {
    const stray = await program.anvil.deployToken(18);
    await program.anvil.call(stray, token.mint(program.anvil.stranger, 1000n));
    const txId = await program.anvil.call(stray, token.transfer(mine, 17n));
    await program.anvil.mine(1);
    const waiting = async (): Promise<Record<string, unknown>[]> => program.admin("/v1/unattributed-deposits");
    await program.readToHead();
    assert.deepEqual(await waiting(), []);
    await program.until("it is noted", async () => (await waiting()).length > 0, true);
    const [row, ...others] = await waiting();
    assert.deepEqual(others, []);
    assert.deepEqual(
      [
        row?.["network"],
        row?.["txId"],
        row?.["output"],
        row?.["address"],
        row?.["asset"],
        row?.["amount"],
        row?.["reason"],
      ],
      ["ANVIL", txId, 1, mine, stray, "17", "unknownAsset"],
    );
    const settled = { network: "ANVIL", txId, output: 1, how: "dismiss", why: "worthless" };
    await program.admin("/v1/unattributed-deposits/resolve", settled);
    assert.deepEqual(await waiting(), []);
    await program.audit([mine]);
  });

  test("a rescan of some blocks finds a coin that was passed over, and no other again", async () => {
    const { networks } = await program.admin<{ networks: Record<string, unknown>[] }>("/v1/assets/TOK");
    const withLeast = (depositMin: string): Promise<unknown> =>
      program.admin(
        "/v1/assets/TOK/networks",
        networks.map((each) => ({ ...each, depositMin })),
        "PUT",
      );
    await withLeast("10");
    const free = Number(await program.free("TOK"));
    const txId = await program.pay("TOK", mine, "5");
    await program.anvil.mine(1 + FINAL_BLOCKS);
    await program.readToHead();
    assert.equal(await statusOf(txId), undefined);
    await withLeast("0.1");
    const { height } = await program.network();
    const range = { fromHeight: 0, toHeight: height };
    const rescan = "/v1/networks/ANVIL/rescan";
    assert.deepEqual(await program.admin(rescan, range), { network: "ANVIL", ...range, found: 1 });
    await program.until("it is final", async () => (await statusOf(txId)) === 1);
    assert.equal(Number(await program.free("TOK")), free + 5);
    assert.deepEqual(await program.admin(rescan, range), { network: "ANVIL", ...range, found: 0 });
    await program.audit([mine]);
  });

  test("while the network is stopped nothing is paid and nothing credited; afterwards both are", async () => {
    await program.admin("/v1/suspensions/network:ANVIL", { why: "the chain is forking" }, "PUT");
    await assert.rejects(program.withdraw("TOK", payee, "1.5"), /not open for withdrawal/);
    const free = Number(await program.free("TOK"));
    const txId = await program.pay("TOK", mine, "4");
    await program.anvil.mine(FINAL_BLOCKS);
    await program.until("it is pending", async () => (await statusOf(txId)) === 0);
    await program.readToHead();
    assert.equal(Number(await program.free("TOK")), free);
    await program.admin("/v1/suspensions/network:ANVIL", undefined, "DELETE");
    await program.until("it is final", async () => (await statusOf(txId)) === 1, true);
    const before = await program.held("TOK", payee);
    await program.withdraw("TOK", payee, "1.5");
    await program.until("it is paid", async () => (await program.held("TOK", payee)) > before, true);
    await program.until(
      "all is done",
      async () => (await program.withdrawals()).every((row) => row.status === 6),
      true,
    );
    await program.audit([mine]);
  });

  test("without the signer withdrawals wait and deposits go on; then it is paid once", async () => {
    await program.killSigner();
    const before = await program.held("ANV", payee);
    const id = await program.withdraw("ANV", payee, "0.5");
    const status = async () => (await program.withdrawals()).find((row) => row.id === id)?.status;
    await program.until("the operator is told", async () => /signer/.test((await program.network()).error));
    await deposit("TOK", "1");
    assert.equal(await status(), 4);
    await program.startSigner();
    await program.until("it is done", async () => (await status()) === 6, true);
    assert.equal(await program.held("ANV", payee), before + parseUnits("0.49", 18));
    await program.audit([mine]);
  });
});
