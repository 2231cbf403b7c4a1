/** One node of the cluster: the real program, its connections to each member of etcd, its clock, and its disk. */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Link } from "@pricetime/testkit/etcd";
import { type Exchange, readiness, startExchange, STEERED } from "@pricetime/testkit/venue";
import { comes } from "@pricetime/testkit/waiting";
import type { NodeAddress } from "../clients/trader.ts";

/** A node that starts without its store waits for it, and CI machines are busy. */
const READY_WITHIN_MS = 90_000;

const MOST_STARTS = 5;
const STORE_SILENT = /pricetime: .*(?:no answer|ECONNREFUSED|no leader|timed out|leader changed)/;

export interface NodeOptions {
  readonly name: string;
  /** Contains the data folder and the file that controls the clock. */
  readonly folder: string;
  readonly config: string;
  /** One to each member. */
  readonly links: readonly Link[];
  /** Arguments for Node.js, such as those that plant a bug. */
  readonly nodeArgs: readonly string[];
}

export class ClusterNode {
  readonly name: string;
  readonly links: readonly Link[];
  readonly dataFolder: string;
  readonly #options: NodeOptions;
  readonly #steering: string;
  #exchange: Exchange | undefined;
  /** The output of each process, in order. */
  readonly #outputs: (() => string)[] = [];
  /** Its last address: clients keep trying a node that is down. */
  #place: NodeAddress;

  constructor(options: NodeOptions) {
    const { name, folder, links } = options;
    this.#options = options;
    this.name = name;
    this.links = links;
    this.dataFolder = join(folder, name);
    this.#steering = join(folder, `${name}-clock.json`);
    this.#place = { name, rest: "http://127.0.0.1:9", ws: "ws://127.0.0.1:9" };
    this.setClock(0);
  }

  get place(): NodeAddress {
    return this.#place;
  }

  /** Undefined while it is down. */
  get exchange(): Exchange | undefined {
    return this.#exchange;
  }

  /**
   * Starts it in its folder, and restarts it, as a supervisor would, if it exits because its store did not respond.
   * Rejects if it exits for another reason, or is not ready in time.
   */
  async start(withinMs = READY_WITHIN_MS): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#startOnce(withinMs);
      } catch (error) {
        if (attempt === MOST_STARTS || !STORE_SILENT.test((error as Error).message)) throw error;
      }
    }
  }

  async #startOnce(readyWithinMs: number): Promise<void> {
    const { name, config, links, nodeArgs } = this.#options;
    const cluster = links.map(({ url }) => url).join(",");
    this.#exchange = await startExchange({
      dataFolder: this.dataFolder,
      args: ["--no-demo", "--limits", "off", "--config", config, "--node", name, "--cluster", cluster],
      nodeArgs: [...STEERED, ...nodeArgs],
      under: ["env", `TEST_STEERING_FILE=${this.#steering}`],
      readyWithinMs,
    });
    const { rest, ws, output } = this.#exchange;
    this.#outputs.push(output);
    this.#place = { name, rest, ws };
  }

  /** The output of all processes of this node, the first one first. */
  output(): string {
    return this.#outputs.map((output) => output()).join("\n");
  }

  async kill(): Promise<void> {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    await exchange?.kill();
  }

  pause(): void {
    this.#signal("SIGSTOP");
  }

  resume(): void {
    this.#signal("SIGCONT");
  }

  /** Sets its wall clock to so many ms ahead of the machine's; negative: behind. */
  setClock(aheadMs: number): void {
    const path = `${this.#steering}.new`;
    writeFileSync(path, JSON.stringify({ clockMs: aheadMs }));
    // Written by renaming, because the process may read it at any time.
    renameSync(path, this.#steering);
  }

  /** Whether the process that was started last is still running. */
  get isAlive(): boolean {
    return this.#exchange !== undefined && this.#signal(0);
  }

  isReady(withinMs = 300): Promise<boolean> {
    const exchange = this.#exchange;
    if (exchange === undefined) return Promise.resolve(false);
    return comes(async () => (await readiness(exchange)).status === 200, { withinMs });
  }

  #signal(signal: NodeJS.Signals | 0): boolean {
    const pid = this.#exchange?.pid;
    if (pid === undefined) return false;
    try {
      return process.kill(pid, signal);
    } catch {
      return false;
    }
  }
}
