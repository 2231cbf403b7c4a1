/** The whole cluster: members of etcd, nodes, the connections between all of them, disks that can fill up, accounts. */
import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PERMISSIONS } from "@pricetime/engine";
import { Link } from "@pricetime/testkit/etcd";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { mountSmallDisk, unmount } from "@pricetime/testkit/small-disk";
import { type DemoAccount, type Exchange, openAccount, operate } from "@pricetime/testkit/venue";
import { until, untilAnswer } from "@pricetime/testkit/waiting";
import { QUANTITY_DECIMALS } from "../clients/operation.ts";
import { Members, MEMBER_NAMES } from "./members.ts";
import { ClusterNode } from "./node.ts";

const NODE_NAMES: readonly string[] = ["n1", "n2", "n3"];
export const SYMBOLS: readonly string[] = ["AAAUSDT", "BBBUSDT"];
/** Two written segments of etcd's log alone take 64 MB each. */
const DISK_BYTES = 320 * 1024 * 1024;
/** The shortest allowed tail, so that a node that is down soon lacks removed rows. */
export const SHORT_TAIL = { maxTailBytes: 1_048_576 };
const CONFIRMATIONS = { creditConfirmations: 2, finalConfirmations: 3 };
/** The shortest allowed snapshot interval: each snapshot is compared with the state that the log leads to. */
const SNAPSHOT_EVERY = 1_000;
/** The network that one node at a time runs, and its asset, which no symbol trades. */
export const NETWORK = "CHAIN";
export const COIN = "COIN";
export const PAYER = "payer@failover.example";
const RICH: Readonly<Record<string, string>> = { AAA: "3000", BBB: "3000", USDT: "3000000" };

export interface TestClusterOptions {
  readonly accounts: number;
  readonly nodes?: number;
  readonly nodeArgs?: readonly string[];
  /** Use small disks that can fill up, if this user may mount them. */
  readonly smallDisks?: boolean;
}

export interface Position {
  readonly lastSeq: number;
  readonly chainHash: string;
  readonly eventDigest: string;
}

export class TestCluster {
  readonly nodes: readonly ClusterNode[];
  readonly members: Members;
  /** The nodes with disks of their own; empty if this user may not mount. */
  readonly disks: readonly string[];
  accounts: readonly DemoAccount[] = [];
  /** The customer who uses the network. */
  payer: DemoAccount | undefined;
  readonly #folder: string;
  /** Ends the started processes if this process exits early. */
  readonly #leave = (): void => {
    for (const disk of this.disks) unmount(disk);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  };

  private constructor(folder: string, members: Members, nodes: readonly ClusterNode[], disks: readonly string[]) {
    this.#folder = folder;
    this.members = members;
    this.nodes = nodes;
    this.disks = disks;
  }

  /** Starts everything and opens the accounts. If it rejects, all started processes have been stopped. */
  static async start(options: TestClusterOptions): Promise<TestCluster> {
    const folder = temporaryFolder();
    const disks: string[] = [];
    if (options.smallDisks === true) {
      for (const name of [NODE_NAMES.at(-1), MEMBER_NAMES.at(-1)]) {
        const disk = join(folder, name as string);
        if (mountSmallDisk(disk, DISK_BYTES)) disks.push(disk);
      }
    }
    for (const name of MEMBER_NAMES) mkdirSync(join(folder, name), { recursive: true });
    const config = join(folder, "pricetime.yaml");
    writeFileSync(config, configuration(folder, SHORT_TAIL));
    const members = await Members.start(folder);
    const nodes: ClusterNode[] = [];
    for (const name of NODE_NAMES.slice(0, options.nodes ?? NODE_NAMES.length)) {
      const links: Link[] = [];
      for (const { url } of members.all) links.push(await Link.open(url));
      nodes.push(new ClusterNode({ name, folder, config, links, nodeArgs: options.nodeArgs ?? [] }));
    }
    const cluster = new TestCluster(folder, members, nodes, disks);
    process.once("exit", cluster.#leave);
    try {
      await cluster.#open(options.accounts);
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  async #open(accounts: number): Promise<void> {
    for (const node of this.nodes) await node.start();
    const [first] = this.nodes;
    const exchange = first?.exchange as Exchange;
    const names = Array.from({ length: accounts }, (_, at) => `trader${at}@failover.example`);
    const opened: DemoAccount[] = [];
    for (const email of names) opened.push(await openAccount(exchange, email, RICH));
    this.accounts = opened;
    this.payer = await openPayer(exchange);
    await this.quiet();
  }

  /** The file of the chain. */
  get chain(): string {
    return join(chainFolder(this.#folder), `${NETWORK}.sqlite`);
  }

  /** The admin ports of the nodes that run. */
  get operated(): readonly Exchange[] {
    return this.nodes.flatMap(({ exchange }) => exchange ?? []);
  }

  node(name: string): ClusterNode {
    return this.nodes.find((node) => node.name === name) as ClusterNode;
  }

  /** Repairs all connections. */
  healLines(): void {
    this.members.lines.heal();
    for (const { links } of this.nodes) {
      for (const link of links) {
        link.heal();
        link.delayMs = 0;
      }
    }
  }

  /** Repairs everything: afterwards all nodes are running and report that they are ready. */
  async mend(): Promise<void> {
    this.healLines();
    for (const member of this.members.all) {
      member.resume();
      if (member.pid === undefined) member.start();
    }
    await this.members.ready();
    for (const node of this.nodes) {
      node.setClock(0);
      node.resume();
      if (!node.isAlive) await node.start();
    }
    for (const node of this.nodes) {
      await until(`${node.name} is ready; it says ${node.exchange?.output().slice(-2_000)}`, () => node.isReady());
    }
  }

  positions(): Promise<readonly Position[]> {
    const ask = (node: Exchange): Promise<Position> => operate<Position>(node, "GET", "/v1/journal");
    return Promise.all(this.nodes.map(({ exchange }) => ask(exchange as Exchange)));
  }

  /** Waits until all nodes are at the same entry, and have been for a while. */
  quiet(): Promise<readonly Position[]> {
    let before = -1;
    return untilAnswer(
      "all nodes stand at the same entry, and stay there",
      () => this.positions(),
      (positions) => {
        const [first] = positions;
        const isEqual = positions.every(({ lastSeq }) => lastSeq === first?.lastSeq);
        const isStill = isEqual && before === first?.lastSeq;
        before = first?.lastSeq ?? -1;
        return isStill;
      },
      { withinMs: 30_000, everyMs: 500 },
    );
  }

  /** Stops everything. `keepIn` is a folder for the nodes' output and data; undefined: all is removed. */
  async stop(keepIn?: string): Promise<void> {
    this.healLines();
    await Promise.all(this.nodes.map((node) => node.kill()));
    if (keepIn !== undefined) this.#keep(keepIn);
    await this.members.stop();
    await Promise.all(this.nodes.flatMap(({ links }) => links.map((link) => link.close())));
    process.off("exit", this.#leave);
    this.#leave();
  }

  #keep(folder: string): void {
    for (const node of this.nodes) {
      cpSync(node.dataFolder, join(folder, node.name), { recursive: true });
      writeFileSync(join(folder, `${node.name}.log`), node.output());
    }
  }
}

/** Opens an account with an address on the network and a key that may withdraw. */
async function openPayer(exchange: Exchange): Promise<DemoAccount> {
  const account = await openAccount(exchange, PAYER);
  const at = `/v1/accounts/${account.email}`;
  await operate(exchange, "POST", `${at}/deposit-addresses`, { network: NETWORK });
  const key = await operate<DemoAccount>(exchange, "POST", `${at}/keys`, { permissions: PERMISSIONS });
  return { ...account, apiKey: key.apiKey, secretKey: key.secretKey };
}

const chainFolder = (folder: string): string => join(folder, "chains");

/** A configuration file as JSON, which is valid YAML. */
function configuration(folder: string, cluster: Readonly<Record<string, unknown>>): string {
  const filters = {
    priceFilter: { minPrice: "1", maxPrice: "100000", tickSize: "1" },
    lotSize: { minQty: "1", maxQty: "100000", stepSize: (10 ** -QUANTITY_DECIMALS).toFixed(QUANTITY_DECIMALS) },
  };
  const symbols = SYMBOLS.map((symbol) => {
    return { symbol, baseAsset: symbol.slice(0, 3), quoteAsset: "USDT", filters };
  });
  return JSON.stringify({
    assets: [
      ...["AAA", "BBB", "USDT"].map((asset) => ({ asset, name: asset })),
      { asset: COIN, name: COIN, networks: [{ network: NETWORK, ...CONFIRMATIONS, withdrawFee: "1" }] },
    ],
    // Blocks are mined by the campaign, so that no payment is pending at the end.
    wallet: { networks: [{ kind: "sandbox", network: NETWORK, blockMs: 0 }], sandboxFolder: chainFolder(folder) },
    symbols,
    masterKey: randomBytes(32).toString("hex"),
    tradingRules: { exempt: ["@failover.example"] },
    snapshotEveryCommands: SNAPSHOT_EVERY,
    cluster,
  });
}
