/** The order path of each setup: resting LIMIT, filling LIMIT, cancel; the load is spread over its nodes. */
import { readFileSync } from "node:fs";
import { median } from "@pricetime/testkit/quantile";
import { metric } from "@pricetime/testkit/venue";
import { LoadProcess } from "../load/load.ts";
import type { LoadOrder } from "../load/messages.ts";
import type { Requests } from "../load/requests.ts";
import { thousands } from "../measure.ts";
import { table } from "../order-path/report.ts";
import { SYMBOL } from "../venue/listing.ts";
import { threadTimes } from "../venue/threads.ts";
import type { Venue } from "../venue/venue.ts";
import type { Side } from "./sides.ts";

const QUANTITY = "0.010000";
const HIGH_CENTS = 5_000_000;
const LOW_CENTS = 4_000_000;
const PRICES = 200;
/** The requests of a phase, by connections. */
const COUNTS: readonly (readonly [connections: number, count: number])[] = [
  [1, 300],
  [64, 6000],
  [512, 9000],
];
const TICKS_A_SECOND = 100;
const TICKS_AT = 11;

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

interface Standing {
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
    const head = [
      "connections",
      "what",
      "requests/s",
      "ratio to SQLite",
      "CPU us per request: nodes",
      "each node",
      "etcd",
    ];
    return { lines: table([...head, "commands per batch"], rows), mainUs: costs };
  }

  /** Resting buys; their cancels; resting sells; buys that fill them. */
  async #round(side: Side, connections: number, count: number): Promise<Round> {
    const before = await this.#standing(side);
    const orders = { kind: "place", symbol: SYMBOL, quantity: QUANTITY } as const;
    const low = { ...orders, side: "BUY", priceCents: LOW_CENTS, prices: PRICES } as const;
    const high = { ...orders, priceCents: HIGH_CENTS, prices: 1 } as const;
    const [first, second, third] = [this.#take(count), this.#take(count), this.#take(count + 1) + 1];
    const phases: readonly (readonly [
      Omit<Extract<Requests, { kind: "place" }>, "count" | "firstNumber"> | "cancel",
      number,
      string,
    ])[] = [
      [low, first, '"status":"NEW"'],
      ["cancel", first, '"status":"CANCELED"'],
      [{ ...high, side: "SELL" }, second, '"status":"NEW"'],
      [{ ...high, side: "BUY" }, third, '"status":"FILLED"'],
    ];
    const startMs = performance.now();
    for (const [what, firstNumber, expected] of phases) {
      const each = (from: number, some: number): Requests =>
        what === "cancel"
          ? { kind: "cancel", symbol: SYMBOL, firstNumber: from, count: some }
          : { ...what, firstNumber: from, count: some };
      await this.#phase(side, { connections, count, firstNumber }, each, expected);
    }
    const seconds = (performance.now() - startMs) / 1000;
    const after = await this.#standing(side);
    const requests = phases.length * count;
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
    {
      connections,
      count,
      firstNumber,
    }: { readonly connections: number; readonly count: number; readonly firstNumber: number },
    requests: (from: number, some: number) => Requests,
    expected: string,
  ): Promise<void> {
    const busy = nodes.slice(0, connections);
    const part = Math.floor(count / busy.length);
    await Promise.all(
      busy.map(({ port }, at) => {
        const some = at === busy.length - 1 ? count - at * part : part;
        const how = { connections: Math.floor(connections / busy.length), perSecond: 0, warmUp: 0, marker: "b" };
        const order: LoadOrder = {
          port,
          accounts: this.#accounts,
          requests: requests(firstNumber + at * part, some),
          expected,
          ...how,
        };
        return (this.#loads[at] as LoadProcess).run(order);
      }),
    );
  }

  async #standing({ nodes }: Side): Promise<Standing> {
    const batches = await Promise.all(nodes.map(batchesOf));
    return {
      eachMs: nodes.map(({ pid }) => processMs(pid)),
      etcdMs: this.#members.reduce((ms, pid) => ms + processMs(pid), 0),
      mainMs: nodes.reduce((ms, { pid }) => ms + mainThreadMs(pid), 0),
      batches: batches.reduce((all, each) => all + each, 0),
    };
  }

  #take(count: number): number {
    const first = this.#number;
    this.#number += count;
    return first;
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

/** User and system time of all threads of a process. */
function processMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[TICKS_AT]) + Number(fields[TICKS_AT + 1])) * 1000) / TICKS_A_SECOND;
}
