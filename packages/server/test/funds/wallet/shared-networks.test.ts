/** The wallets of two nodes of one machine: one at a time runs the networks, and all share a sandbox's world. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { ADOPT_NEWEST_RULES, type Command, Engine } from "@pricetime/engine";
import { listAsset, openAccount } from "@pricetime/testkit/commands";
import { until } from "@pricetime/testkit/waiting";
import { MemoryJournal } from "../../journal/memory-journal.ts";
import { createLog } from "../../../src/platform/observe/log.ts";
import { Metrics } from "../../../src/platform/observe/metrics.ts";
import { GroupCommitSequencer } from "../../../src/journal/sequencer/group-commit.ts";
import { refusalOf } from "../../../src/funds/wallet/follower-parts.ts";
import { NodeWallet, type WalletOptions, watchNetworks } from "../../../src/funds/wallet/wallet.ts";
import { ChainUnreachable, ControlRefused, NetworkUnusable } from "../../../src/funds/wallet/port.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { assetNetwork, NETWORK, scratch } from "./sandbox-world.ts";

const fail = (error: Error): never => {
  throw error;
};

/** Two nodes read the same journal: here, one engine serves both. */
class Machine {
  readonly engine = new Engine();
  readonly sequencer: GroupCommitSequencer;
  readonly #folder: string;
  holder = "";

  constructor(folder: string) {
    this.#folder = folder;
    const journal = new MemoryJournal();
    this.sequencer = new GroupCommitSequencer({
      ...{ world: MACHINE, journal, engine: this.engine, node: "test", onFatal: fail },
    });
  }

  async must(command: Command): Promise<void> {
    assert.equal(await refusalOf(this.sequencer, command), null, command.type);
  }

  async open(): Promise<[NodeWallet, NodeWallet]> {
    await this.must(ADOPT_NEWEST_RULES);
    await this.must(listAsset("COIN", 8, [assetNetwork()]));
    await this.must(openAccount("a@example.com"));
    // At once, as nodes of one machine start.
    return Promise.all([this.wallet("n1"), this.wallet("n2")]);
  }

  wallet(node: string, change: Partial<WalletOptions> = {}): Promise<NodeWallet> {
    return NodeWallet.open({
      world: MACHINE,
      networks: [{ kind: "sandbox", network: NETWORK, blockMs: 20, maxPendingPayments: 4 }],
      view: this.engine,
      sequencer: this.sequencer,
      log: createLog({ level: "silent", node }),
      dataFolder: join(this.#folder, node),
      sandboxFolder: join(this.#folder, "worlds"),
      node,
      holderOf: (role) => (role === `network:${NETWORK}` ? this.holder : ""),
      seed: "1",
      onFatal: fail,
      ...change,
    });
  }

  /** As when the node gets the role. */
  run(wallet: NodeWallet, node: string): void {
    this.holder = node;
    for (const part of wallet.parts) part.start(this.sequencer);
  }
}

test("one node runs a network at a time; addresses, validity and the sandbox's world are there on all", async () => {
  const { folder, remove } = scratch();
  const machine = new Machine(folder);
  const [one, two] = await machine.open();
  try {
    await assert.rejects(two.depositAddress(100, NETWORK), ChainUnreachable, "nobody has begun to read");
    machine.run(one, "n1");
    await until("it is read", () => one.networks()[0]?.isUp === true && (one.networks()[0]?.height ?? 0) > 3);
    const { address, tag } = await two.depositAddress(100, NETWORK);
    assert.ok(two.isAddress(NETWORK, address, tag));
    const { isUp, holder, trouble } = two.networks()[0] ?? assert.fail();
    assert.deepEqual([isUp, holder, trouble, one.networks()[0]?.holder], [false, "n1", "", undefined]);
    const metrics = new Metrics();
    watchNetworks(metrics, two, machine.engine);
    assert.ok(!(await metrics.text()).includes(`network="${NETWORK}"`), "the holder tells of it");
    await refuses(two, "n1");

    two.sandbox(NETWORK)?.faucet({ asset: "COIN", address, tag, amount: "3" });
    await until("a coin that was paid at the other node is credited", () => free(machine) === 300_000_000n);

    for (const part of one.parts) await part.stop();
    const { height } = two.sandbox(NETWORK)?.status().head ?? assert.fail();
    machine.run(two, "n2");
    one.sandbox(NETWORK)?.faucet({ asset: "COIN", address, tag, amount: "4" });
    await until("the other goes on", () => free(machine) === 700_000_000n);
    assert.ok((two.networks()[0]?.height ?? 0) > height, "it makes the blocks now");
    assert.equal(one.networks()[0]?.holder, "n2");
    await refuses(one, "n2");

    for (const part of two.parts) await part.stop();
    machine.run(one, "n1");
    two.sandbox(NETWORK)?.faucet({ asset: "COIN", address, tag, amount: "5" });
    await until("and the first again", () => free(machine) === 1_200_000_000n);
  } finally {
    await Promise.all([one.stop(), two.stop()]);
    await machine.sequencer.stop();
    remove();
  }
});

/** Actions of the node that runs the network name that node. */
async function refuses(wallet: NodeWallet, holder: string): Promise<void> {
  const names = (error: Error): boolean =>
    error instanceof ControlRefused && error.message.includes(`run by ${holder}:`);
  await assert.rejects(wallet.rescan(NETWORK, 0, "test"), names);
  await assert.rejects(wallet.raiseFee(NETWORK, "0".repeat(32), "test"), names);
  assert.throws(() => wallet.sandbox(NETWORK)?.fail({ kind: "unreachable", durationMs: 1000 }), names);
}

function free({ engine }: Machine): bigint {
  return engine.balance(100, 0).free;
}

test("nodes that share no folder for their sandboxes are refused", async () => {
  const { folder, remove } = scratch();
  const machine = new Machine(folder);
  await assert.rejects(machine.wallet("n1", { sandboxFolder: undefined }), (error: Error) => {
    return error instanceof NetworkUnusable && error.message.includes("wallet.sandboxFolder");
  });
  await machine.sequencer.stop();
  remove();
});
