/** Complete nodes of one exchange, started like the program, on a real etcd. */
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type Answer, Client, type Credentials } from "@pricetime/testkit/client";
import type { EtcdCluster } from "@pricetime/testkit/etcd";
import { inTheEnd, temporaryFolder } from "@pricetime/testkit/scratch";
import { type DemoFile, operate } from "@pricetime/testkit/venue";
import type { ClusterBody } from "../../src/people/admin/overview-routes.ts";
import { loadConfig } from "../../src/platform/config/config.ts";
import type { Flags } from "../../src/platform/config/flags.ts";
import { startNode } from "../../src/main.ts";
import type { Node } from "../../src/program/start/program.ts";

export interface RunningNode extends DemoFile {
  readonly name: string;
  readonly dataFolder: string;
  /** Resolves when the node fails. */
  readonly failed: Promise<Error>;
  stop(): Promise<void>;
}

/** The nodes of one exchange, with a unique prefix in the store. */
export class Nodes {
  readonly prefix = `test-${randomInt(2 ** 40)}`;
  readonly #etcd: Pick<EtcdCluster, "endpoints">;
  readonly #running = new Set<Node>();
  readonly #folders: string[] = [];
  readonly #environment: Readonly<Record<string, string>>;

  /** `t`: stopped at the end of that test; null: by the caller. */
  constructor(t: TestContext | null, etcd: Pick<EtcdCluster, "endpoints">) {
    if (t !== null) inTheEnd(t, () => this.stop());
    this.#etcd = etcd;
    this.#environment = {
      PRICETIME_LOG_LEVEL: "silent",
      PRICETIME_CLUSTER_PREFIX: this.prefix,
      PRICETIME_SANDBOX_FOLDER: this.newFolder(),
    };
  }

  /** Kept until they are stopped. */
  newFolder(): string {
    const folder = temporaryFolder();
    this.#folders.push(folder);
    return folder;
  }

  /** Stops running nodes, and removes their folders. */
  async stop(): Promise<void> {
    await Promise.all([...this.#running].map((node) => node.stop()));
    this.#running.clear();
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }

  /** Starts a demo without bots. `dataFolder`: that of an earlier run. */
  async start(
    name: string,
    { dataFolder = this.newFolder(), environment = {}, signal, maxTailBytes, ...flags }: StartOptions = {},
  ): Promise<RunningNode> {
    const config = loadConfig({
      flags: {
        ...{ node: name, cluster: this.#etcd.endpoints, data: dataFolder, port: 0, adminPort: 0, bots: "off" },
        ...flags,
      },
      environment: { ...this.#environment, ...environment },
    });
    const cluster = config.cluster && { ...config.cluster, ...(maxTailBytes !== undefined && { maxTailBytes }) };
    const node = await startNode({ ...config, cluster }, signal);
    this.#running.add(node);
    const stop = async (): Promise<void> => {
      if (this.#running.delete(node)) await node.stop();
    };
    const demo = JSON.parse(readFileSync(join(dataFolder, "demo.json"), "utf8")) as DemoFile;
    return { ...demo, name, dataFolder, failed: node.failed, stop };
  }
}

interface StartOptions extends Flags {
  readonly dataFolder?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Less than an operator may configure, so that it is full within a second. */
  readonly maxTailBytes?: number;
  /** Ends a start that waits. */
  readonly signal?: AbortSignal;
}

/** The last entry reported by a response. */
export function seqOf({ headers }: Answer<unknown>): number {
  const seq = headers["x-pricetime-seq"];
  assert.ok(typeof seq === "string" && /^[0-9]+$/.test(seq), "the answer says how far the node is");
  return Number(seq);
}

/** A client of a demo account at one node; closed at the end of the test. */
export function clientAt(
  t: TestContext,
  node: Pick<RunningNode, "rest" | "accounts">,
  account: number | Credentials = 0,
): Client {
  const client = new Client(node.rest, typeof account === "number" ? node.accounts[account] : account);
  inTheEnd(t, () => client.close());
  return client;
}

export const statusOf = (node: RunningNode): Promise<ClusterBody> => operate<ClusterBody>(node, "GET", "/v1/cluster");
