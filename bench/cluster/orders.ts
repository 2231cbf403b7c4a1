/** The order path of each setup: resting LIMIT, filling LIMIT, cancel; the load is spread over its nodes. */
import { processorMs, threadTimes } from "@pricetime/testkit/process-usage";
import { median } from "@pricetime/testkit/quantile";
import { metric } from "@pricetime/testkit/venue";
import { LoadProcess } from "../load/load.ts";
import type { Requests } from "../load/requests.ts";
import { table, thousands } from "../measure.ts";
import { EXPECTED, numbersOf, phasesOf } from "../order-path/path.ts";
import type { Venue } from "../venue/venue.ts";
import type { Side } from "./sides.ts";

/** The requests of a phase, by connections. */
const COUNTS: readonly (readonly [connections: number, count: number])[] = [
  [1, 300],
  [64, 6000],
  [512, 9000],
];
const PHASES_A_ROUND = 4;

/** The results of one round. */
interface Round {
  readonly perSecond: number;
  /** Core microseconds per request: of all nodes together, and of all etcd members. */
  readonly nodesUs: number;
  readonly etcdUs: number;
  /** The part of each node in `nodesUs`, in order. */
  readonly eachUs: readonly number[];
  /** The part of the nodes' main threads, which handle requests and apply batches. */
  readonly mainUs: number;
  readonly commandsABatch: number;
}

export interface Measured {
  readonly lines: string[];
  /**
   * Microseconds per request on the main threads of all nodes together, at the highest number of connections; by setup.
   */
  readonly mainUs: readonly number[];
}

/** Sums since the start of the processes. */
interface Usage {
  readonly eachMs: readonly number[];
  readonly etcdMs: number;
  readonly mainMs: number;
  readonly batches: number;
}

export class Orders {
  readonly #accounts: number;
  readonly #members: readonly number[];
  readonly #loads: readonly LoadProcess[];
  #number = 0;

  /** `members` are the process IDs of etcd. */
  constructor(accounts: number, members: readonly number[], nodes: number) {
    this.#accounts = accounts;
    this.#members = members;
    this.#loads = Array.from({ length: nodes }, () => new LoadProcess());
  }

  close(): void {
    for (const load of this.#loads) load.stop();
  }

  async measure(sides: readonly Side[], rounds: number): Promise<Measured> {
    const rows: (string | number)[][] = [];
    let costs: readonly number[] = [];
    for (const [connections, count] of COUNTS) {
      const measured = sides.map((): Round[] => []);
      for (let round = -1; round < rounds; round++) {
        for (const [at, side] of sides.entries()) {
          const one = await this.#round(side, connections, count);
          // The first round is a warm-up.
          if (round >= 0) measured[at]?.push(one);
        }
      }
      const [alone = []] = measured;
      // The last result is that of the highest number of connections.
      costs = measured.map((all) => median(all.map(({ mainUs }) => mainUs)));
      for (const [at, side] of sides.entries()) rows.push(rowOf(connections, side, measured[at] ?? [], alone));
    }
    const head = ["connections", "what", "requests/s", "ratio to SQLite", "CPU us per request: nodes", "each node"];
    return { lines: table([...head, "etcd", "commands per batch"], rows), mainUs: costs };
  }

  async #round(side: Side, connections: number, count: number): Promise<Round> {
    const before = await this.#usage(side);
    const startMs = performance.now();
    for (const [phase, requests] of phasesOf(this.#number, count))
      await this.#phase(side, connections, requests, EXPECTED[phase]);
    this.#number += numbersOf(count);
    const seconds = (performance.now() - startMs) / 1000;
    const after = await this.#usage(side);
    const requests = PHASES_A_ROUND * count;
    const us = (key: "etcdMs" | "mainMs"): number => ((after[key] - before[key]) * 1000) / requests;
    const eachUs = after.eachMs.map((ms, at) => ((ms - (before.eachMs[at] as number)) * 1000) / requests);
    return {
      perSecond: requests / seconds,
      nodesUs: eachUs.reduce((sum, each) => sum + each, 0),
      eachUs,
      etcdUs: us("etcdMs"),
      mainUs: us("mainMs"),
      commandsABatch: requests / (after.batches - before.batches),
    };
  }

  /**
   * Each node gets its part of the connections and of the requests; with fewer connections than nodes, some get none.
   */
  async #phase(
    { nodes }: Side,
    connections: number,
    all: Exclude<Requests, { kind: "get" }>,
    expected: string,
  ): Promise<void> {
    const busy = nodes.slice(0, connections);
    const part = Math.floor(all.count / busy.length);
    await Promise.all(
      busy.map(({ port }, at) => {
        const count = at === busy.length - 1 ? all.count - at * part : part;
        const requests = { ...all, firstNumber: all.firstNumber + at * part, count };
        const each = Math.floor(connections / busy.length);
        return (this.#loads[at] as LoadProcess).run({
          port,
          accounts: this.#accounts,
          requests,
          connections: each,
          expected,
        });
      }),
    );
  }

  async #usage({ nodes }: Side): Promise<Usage> {
    const batches = await Promise.all(nodes.map(batchesOf));
    const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
    return {
      eachMs: nodes.map(({ pid }) => processorMs(pid)),
      etcdMs: sum(this.#members.map(processorMs)),
      mainMs: sum(nodes.map(({ pid }) => mainThreadMs(pid))),
      batches: sum(batches),
    };
  }
}

function rowOf(
  connections: number,
  { name }: Side,
  rounds: readonly Round[],
  alone: readonly Round[],
): (string | number)[] {
  const of = (all: readonly Round[], key: Exclude<keyof Round, "eachUs">): number =>
    median(all.map((round) => round[key]));
  const rate = of(rounds, "perSecond");
  const etcd = rounds === alone ? "" : of(rounds, "etcdUs").toFixed(0);
  const ratio = `**${(rate / of(alone, "perSecond")).toFixed(2)}**`;
  const batch = of(rounds, "commandsABatch").toFixed(1);
  return [connections, name, thousands(rate), ratio, of(rounds, "nodesUs").toFixed(0), eachOf(rounds), etcd, batch];
}

/** The median of each node, in order; empty for a single node. */
function eachOf(rounds: readonly Round[]): string {
  const nodes = rounds[0]?.eachUs.length ?? 0;
  if (nodes < 2) return "";
  return Array.from({ length: nodes }, (_, at) =>
    median(rounds.map(({ eachUs }) => eachUs[at] as number)).toFixed(0),
  ).join(", ");
}

/** The number of batches that a node has written, into its own journal or into the log. */
async function batchesOf(node: Venue): Promise<number> {
  const text = await (await fetch(`${node.admin}/metrics`)).text();
  const isShared = text.includes("pricetime_cluster_submitted_total");
  return metric(node, isShared ? "pricetime_cluster_submitted_total" : "pricetime_commit_seconds_count");
}

function mainThreadMs(pid: number): number {
  const { userMs, systemMs } = threadTimes(pid).get("main") ?? { userMs: 0, systemMs: 0 };
  return userMs + systemMs;
}
