/** The wallet of a node as a whole: networks from the configuration, which run by themselves. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { ADOPT_NEWEST_RULES, type AssetNetwork, type Command, Engine, type WithdrawalStatus } from "@pricetime/engine";
import { listAsset, openAccount } from "@pricetime/testkit/commands";
import { until } from "@pricetime/testkit/waiting";
import { MemoryJournal } from "../../journal/memory-journal.ts";
import { createLog } from "../../../src/platform/observe/log.ts";
import { Metrics } from "../../../src/platform/observe/metrics.ts";
import { GroupCommitSequencer } from "../../../src/journal/sequencer/group-commit.ts";
import { refusalOf } from "../../../src/funds/wallet/follower-parts.ts";
import { NodeWallet, watchNetworks } from "../../../src/funds/wallet/wallet.ts";
import { ControlRefused, NetworkUnusable, NoSuchNetwork } from "../../../src/funds/wallet/port.ts";
import { assetNetwork, NETWORK, scratch } from "./sandbox-world.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";

const BY = "test";
const BANK = "BANK";
const CUSTOMERS = [100, 101, 102] as const;
const STRANGER = "stranger00000001";
const PATIENCE_MS = 60_000;

class Node {
  readonly engine = new Engine();
  readonly ends = new Map<string, { readonly status: WithdrawalStatus; readonly why: string }>();
  readonly sequencer = new GroupCommitSequencer({
    world: MACHINE,
    journal: new MemoryJournal(),
    engine: this.engine,
    node: "test",
    onFatal: (error) => {
      throw error;
    },
    onApplied: (_, events) => {
      for (const event of events) {
        if (event.type === "withdrawalChanged") this.ends.set(event.withdrawal.withdrawalId, event);
      }
    },
  });
  readonly #folder: string;
  #wallet: NodeWallet | undefined;
  #withdrawals = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async must(command: Command): Promise<void> {
    assert.equal(await refusalOf(this.sequencer, command), null, command.type);
  }

  async open(change: Partial<AssetNetwork> = {}): Promise<NodeWallet> {
    if (this.engine.assets().length === 0) {
      await this.must(ADOPT_NEWEST_RULES);
      const networks = [assetNetwork(change), assetNetwork({ network: BANK, isDefault: false })];
      await this.must(listAsset("COIN", 8, networks));
      for (const customer of CUSTOMERS) await this.must(openAccount(`${customer}@example.com`));
    }
    this.#wallet = await NodeWallet.open({
      world: MACHINE,
      networks: [
        { kind: "sandbox", network: NETWORK, blockMs: 0, maxPendingPayments: 4 },
        { kind: "manual", network: BANK, addresses: ["IBAN-1"], sharedAddress: "IBAN-SHARED" },
        { kind: "manual", network: "MUTE", addresses: [], sharedAddress: "" },
      ],
      view: this.engine,
      sequencer: this.sequencer,
      log: createLog({ level: "silent", node: "test" }),
      dataFolder: this.#folder,
      seed: "1",
      onFatal: (error) => {
        throw error;
      },
    });
    return this.#wallet;
  }

  async close(): Promise<void> {
    await this.#wallet?.stop();
    await this.sequencer.stop();
  }

  /** Requests a withdrawal for customer 100, who has enough of the coin. */
  async withdraw(network: string, address: string): Promise<string> {
    const withdrawalId = String(++this.#withdrawals).padStart(32, "0");
    const money = { asset: "COIN", amount: "2" };
    await this.must({ type: "deposit", by: BY, accountId: 100, ...money, reference: withdrawalId });
    await this.must({
      ...{ type: "requestWithdrawal", withdrawalId, accountId: 100, network, address, ...money },
      ...{ tag: "", name: "", withdrawOrderId: "", totpStep: null, confirmationHash: "" },
    });
    return withdrawalId;
  }

  free(customer: number): bigint {
    return this.engine.balance(customer, 0).free;
  }
  status(withdrawalId: string): WithdrawalStatus | undefined {
    return this.ends.get(withdrawalId)?.status;
  }
}

function onNode(what: string, run: (node: Node, t: TestContext) => Promise<void>): void {
  test(what, { timeout: 4 * PATIENCE_MS }, async (t) => {
    const { folder, remove } = scratch();
    const node = new Node(folder);
    try {
      await run(node, t);
    } finally {
      await node.close();
      remove();
    }
  });
}

onNode("follows a sandbox by itself, through a chain that does not answer, and on after a restart", async (node) => {
  let wallet = await node.open();
  wallet.start();
  const { address, tag } = await wallet.depositAddress(100, NETWORK);
  assert.deepEqual(await wallet.depositAddress(100, NETWORK), { accountId: 100, network: NETWORK, address, tag });
  const sandbox = wallet.sandbox(NETWORK);
  assert.ok(sandbox !== undefined);
  sandbox.fail({ kind: "unreachable", durationMs: 3_600_000 });
  await until("the network is down", () => wallet.networks()[0]?.isUp === false);
  assert.match(wallet.troubles()[NETWORK] ?? "", /no response/);
  sandbox.faucet({ asset: "COIN", address, tag, amount: "3" });
  sandbox.mine(2);
  sandbox.fail({ kind: "unreachable", durationMs: 0 });
  await until("the deposit is credited", () => node.free(100) === 300_000_000n);
  assert.deepEqual(wallet.troubles(), {});
  const id = await node.withdraw(NETWORK, STRANGER);
  await until("it is signed", () => (node.engine.funds.withdrawal(id)?.txId ?? "") !== "");
  await wallet.stop();
  assert.equal(node.engine.funds.networkHeight(NETWORK)?.height, 2);

  wallet = await node.open();
  wallet.start();
  wallet.sandbox(NETWORK)?.mine(1);
  await until("it is completed", () => node.status(id) === "completed");
  const [status] = wallet.networks();
  assert.deepEqual(status, { network: NETWORK, kind: "sandbox", isUp: true, height: 3, readHeight: 3, trouble: "" });
});

onNode("what the network can never pay fails, and holds nobody up", async (node) => {
  const wallet = await node.open();
  wallet.start();
  const bad = await node.withdraw(NETWORK, "short");
  const good = await node.withdraw(NETWORK, STRANGER);
  await until("it fails", () => node.status(bad) === "failed");
  // Signed is not yet sent: a block between the two does not contain it.
  await until("it waits for a block", () => wallet.sandbox(NETWORK)?.status().waiting === 1);
  wallet.sandbox(NETWORK)?.mine(1);
  await until("it is completed", () => node.status(good) === "completed");
});

onNode("a coin that was too little is taken when its blocks are read again", async (node) => {
  const wallet = await node.open({ depositMin: "10" });
  wallet.start();
  const { address, tag } = await wallet.depositAddress(100, NETWORK);
  const sandbox = wallet.sandbox(NETWORK);
  sandbox?.faucet({ asset: "COIN", address, tag, amount: "3" });
  sandbox?.mine(30);
  await until("30 blocks are read", () => wallet.networks()[0]?.readHeight === 30);
  assert.equal(node.free(100), 0n);
  await node.must({ type: "setAssetNetworks", by: BY, asset: "COIN", networks: [assetNetwork()] });
  for (const height of [-1, 1.5, 31]) await assert.rejects(wallet.rescan(NETWORK, height, BY), ControlRefused);
  await assert.rejects(wallet.rescan(BANK, 0, BY), ControlRefused);
  await assert.rejects(wallet.rescan("NONE", 0, BY), NoSuchNetwork);
  await wallet.rescan(NETWORK, 1, BY);
  await until("the deposit is credited", () => node.free(100) === 300_000_000n);
  await wallet.rescan(NETWORK, 1, BY);
  await until("30 blocks are read", () => wallet.networks()[0]?.readHeight === 30);
  await wallet.stop();
  assert.equal(node.free(100), 300_000_000n);
});

onNode("an address is one account's, whoever asks at once", async (node) => {
  const wallet = await node.open();
  const all = await Promise.all([...CUSTOMERS, ...CUSTOMERS].map((each) => wallet.depositAddress(each, NETWORK)));
  assert.equal(new Set(all.map(({ address }) => address)).size, CUSTOMERS.length);
  assert.ok(all.every(({ address, tag }) => wallet.isAddress(NETWORK, address, tag)));
  assert.ok(!wallet.isAddress("NONE", all[0]?.address ?? "", ""));
  await assert.rejects(wallet.depositAddress(100, "NONE"), NoSuchNetwork);
  await assert.rejects(wallet.depositAddress(100, "MUTE"), NoSuchNetwork);
});

onNode("by hand: addresses are given out until only the shared one is left", async (node) => {
  const wallet = await node.open();
  const [first, second, third] = [100, 101, 102].map((each) => wallet.depositAddress(each, BANK));
  assert.deepEqual(await first, { accountId: 100, network: BANK, address: "IBAN-1", tag: "" });
  await second;
  assert.deepEqual(await third, { accountId: 102, network: BANK, address: "IBAN-SHARED", tag: "102" });
});

onNode("by hand: an address that another node has just given away is not given twice", async (node) => {
  const wallet = await node.open();
  const given = { type: "assignDepositAddress", accountId: 101, network: BANK, address: "IBAN-1", tag: "" } as const;
  const [, own] = await Promise.all([node.must(given), wallet.depositAddress(100, BANK)]);
  assert.deepEqual(own, { accountId: 100, network: BANK, address: "IBAN-SHARED", tag: "100" });
});

onNode("by hand: a coin is reported once or often, and counts once", async (node) => {
  const wallet = await node.open();
  const { address, tag } = await wallet.depositAddress(100, BANK);
  const manual = wallet.manual(BANK);
  assert.ok(manual !== undefined && wallet.manual(NETWORK) === undefined && wallet.sandbox(BANK) === undefined);
  const coin = { asset: "COIN", address, tag, amount: "1.5", txId: "slip-1", output: 0 };
  await manual.reportCoin(coin, "pending", BY);
  assert.equal(node.free(100), 0n);
  for (const status of ["credited", "pending", "credited", "success", "success"] as const) {
    await manual.reportCoin(coin, status, BY);
    assert.equal(node.free(100), 150_000_000n, status);
  }
  assert.equal(node.engine.funds.withdrawable(100, 0), 150_000_000n);
  await assert.rejects(manual.dropCoin(coin, BY), ControlRefused);
  await manual.reportCoin({ ...coin, txId: "slip-2" }, "credited", BY);
  const differs = { reason: "REPEAT_DIFFERS" };
  await assert.rejects(manual.reportCoin({ ...coin, amount: "9" }, "success", BY), differs);
  await assert.rejects(manual.dropCoin({ ...coin, txId: "slip-2", amount: "9" }, BY), differs);
  for (let i = 0; i < 2; i++) await manual.dropCoin({ ...coin, txId: "slip-2" }, BY);
  assert.equal(node.free(100), 150_000_000n);
  await assert.rejects(
    manual.reportCoin({ ...coin, txId: "slip-3", address: "IBAN-9" }, "success", BY),
    ControlRefused,
  );
  await assert.rejects(manual.reportCoin({ ...coin, txId: "slip-3", amount: "x" }, "success", BY), ControlRefused);
});

onNode("by hand: withdrawals are sent or fail, and no network has a hand in another's", async (node) => {
  const wallet = await node.open();
  wallet.start();
  const manual = wallet.manual(BANK);
  assert.ok(manual !== undefined);
  const [sent, failed, elsewhere] = [
    await node.withdraw(BANK, "IBAN-7"),
    await node.withdraw(BANK, "IBAN-8"),
    await node.withdraw(NETWORK, STRANGER),
  ];
  await manual.completeWithdrawal(sent, "slip-9", BY);
  await manual.failWithdrawal(failed, "the bank said no", BY);
  assert.deepEqual([node.status(sent), node.status(failed)], ["completed", "failed"]);
  assert.equal(node.ends.get(failed)?.why, "the bank said no");
  await assert.rejects(manual.completeWithdrawal(sent, "slip-9", BY), ControlRefused);
  await assert.rejects(manual.completeWithdrawal(elsewhere, "slip-9", BY), ControlRefused);
  await assert.rejects(manual.failWithdrawal(elsewhere, "", BY), ControlRefused);
  assert.equal(node.free(100), 200_000_000n);
});

onNode("by hand: what was signed before the network was kept by hand fails by its operator's word", async (node) => {
  const wallet = await node.open();
  const manual = wallet.manual(BANK);
  assert.ok(manual !== undefined);
  const withdrawalId = await node.withdraw(BANK, "IBAN-8");
  await node.must({ type: "signWithdrawal", withdrawalId, txId: "slip-1", nonce: 5, signedTx: "raw" });
  await manual.failWithdrawal(withdrawalId, "the old node never sent it", BY);
  assert.equal(node.status(withdrawalId), "failed");
  assert.equal(node.free(100), 200_000_000n);
});

onNode("each network is in the metrics", async (node) => {
  const wallet = await node.open();
  const metrics = new Metrics();
  watchNetworks(metrics, wallet, node.engine);
  wallet.start();
  const id = await node.withdraw(NETWORK, STRANGER);
  await until("it is signed", () => (node.engine.funds.withdrawal(id)?.txId ?? "") !== "");
  const { address, tag } = await wallet.depositAddress(100, NETWORK);
  await node.must({
    type: "setAssetNetworks",
    by: BY,
    asset: "COIN",
    networks: [assetNetwork({ finalConfirmations: 9 })],
  });
  wallet.sandbox(NETWORK)?.faucet({ asset: "COIN", address, tag, amount: "3" });
  wallet.sandbox(NETWORK)?.mine(2);
  await until("the deposit is credited", () => node.free(100) > 0n);
  const text = await metrics.text();
  for (const line of ['up{network="SBX"} 1', 'height{network="SBX"} 2', 'pending_deposits{network="SBX"} 1']) {
    assert.ok(text.includes(`pricetime_network_${line}`), text);
  }
  assert.ok(text.includes('pricetime_network_open_withdrawals{network="SBX"} 1'), text);
  assert.ok(text.includes('pricetime_network_pending_payments{network="SBX"} 1'), text);
  assert.ok(text.includes('pricetime_network_lag_blocks{network="BANK"} 0'), text);
});

onNode("a network that cannot be opened is named, in one line", async (node) => {
  const folder = scratch();
  const settings = {
    world: MACHINE,
    view: node.engine,
    sequencer: node.sequencer,
    seed: "1",
    dataFolder: folder.folder,
  };
  const log = createLog({ level: "silent", node: "test" });
  mkdirSync(join(folder.folder, "sandbox"));
  writeFileSync(join(folder.folder, "sandbox", "BTC.sqlite"), "this is no chain, and has never been one\n");
  const networks = [{ kind: "sandbox", network: "BTC", blockMs: 0, maxPendingPayments: 4 }] as const;
  await assert.rejects(
    NodeWallet.open({ ...settings, networks, log, onFatal: () => {} }),
    (error: Error) => error instanceof NetworkUnusable && /^wallet.networks: BTC: .+$/.test(error.message),
  );
  folder.remove();
});
