/** An operator sweeps deposits to the hot wallet, with the real program on a real chain. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Address, type Hex, parseUnits } from "viem";
import { type Asset, ether, noAnvil, Program } from "@pricetime/testkit/evm";

interface Swept {
  readonly txId: Hex;
  readonly from: string;
  readonly to: string;
  readonly asset: Asset;
  readonly amount: string;
}

describe("sweeping deposits", { skip: noAnvil }, () => {
  let program: Program;
  let mine: Address;
  const account = "customer@example.com";

  before(async () => {
    program = await Program.open();
    mine = await program.depositAddress("ANV");
    await program.anvil.pay(program.keys.gasWallet, ether(1));
    const txId = await program.pay("TOK", mine, "500");
    const isFinal = async (): Promise<boolean> =>
      (await program.deposits()).some((row) => row.txId === txId && row.status === 1);
    await program.until("the deposit is final", isFinal, true);
  });
  after(() => program.close());

  const sweep = (asset: string, name = account): Promise<Swept> =>
    program.admin("/v1/networks/ANVIL/sweep", { asset, account: name });
  const topUp = (amount: string): Promise<Swept> => program.admin("/v1/networks/ANVIL/top-up", { account, amount });

  test("an address without gas is topped up and its tokens swept; the customer's balance stays the same", async () => {
    const free = await program.free("TOK");
    const before = await program.held("TOK", program.keys.hotWallet);
    await assert.rejects(sweep("TOK"), /409.*needs 0\.0\d+ ANV for gas/);
    const gas = await topUp("0.005");
    assert.deepEqual([gas.from, gas.to, gas.amount], [program.keys.gasWallet, mine, "0.005"]);
    await assert.rejects(topUp("0.005"), /409.*waits for a block/, "the first top-up is pending");
    await program.anvil.mine(1);
    const swept = await sweep("TOK");
    assert.deepEqual([swept.from, swept.to, swept.amount], [mine, program.keys.hotWallet, "500"]);
    await program.anvil.mine(1);
    assert.equal(await program.held("TOK", program.keys.hotWallet), before + parseUnits("500", 6));
    assert.equal(await program.held("TOK", mine), 0n);
    await assert.rejects(sweep("TOK"), /409.*has no TOK/);
    assert.equal(await program.free("TOK"), free);
  });

  test("a sweep of native coins pays its own gas and is no deposit", async () => {
    await program.pay("ANV", mine, "2");
    await program.anvil.mine(6);
    await program.until("the deposit is credited", async () => Number(await program.free("ANV")) === 2, true);
    const before = await program.held("ANV", program.keys.hotWallet);
    const { amount } = await sweep("ANV");
    assert.ok(Number(amount) > 1.99 && Number(amount) < 2.005, amount);
    await program.anvil.mine(6);
    assert.equal(await program.held("ANV", program.keys.hotWallet), before + parseUnits(amount, 18));
    await program.readToHead();
    assert.equal(Number(await program.free("ANV")), 2, "the balance is unchanged");
    assert.equal((await program.deposits()).length, 2);
  });

  test("rejects invalid sweeps and top-ups", async () => {
    await assert.rejects(sweep("GOLD"), /409.*GOLD is not configured/);
    await assert.rejects(sweep("ANV", "nobody@example.com"), /404/);
    await assert.rejects(program.admin("/v1/networks/BTC/sweep", { asset: "BTC", account }), /404.*EVM network/);
    await assert.rejects(topUp("0.5"), /maxTopUp/);
    await assert.rejects(topUp("0"), /409.*amount: more than 0/);
    await program.killSigner();
    await assert.rejects(topUp("0.001"), /503.*signer cannot be reached/);
  });
});
