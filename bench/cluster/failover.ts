/**
 * The service interruption for clients when a process of the cluster is killed (kill -9): a node behind the proxy, and
 * etcd's leader. Each client places one order after another; the result is the longest time between two acknowledged
 * orders of any client. Then the time in which a task has no owner after its node was killed, under the same load.
 * Afterwards each acknowledged order is queried at each node.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Client, type Credentials } from "@pricetime/testkit/client";
import { median } from "@pricetime/testkit/quantile";
import type { BenchOptions } from "../options.ts";
import { Lane } from "./lane.ts";
import { RunningCluster } from "./running-cluster.ts";
import { takeovers } from "./takeover.ts";

const ROUNDS = 20;
const LANES = 8;
const SYMBOL = "BTCUSDT";
/** An order that the demo's accounts can pay for and that does not match while bots are off. */
const RESTING = { price: "50000", quantity: "0.01" };
/** Before and after a kill: long enough for all clients to be sending again. */
const CALM_MS = 1_000;
const AFTER_MS = 4_000;
const PAGE = 1_000;

interface Row {
  readonly what: string;
  readonly kill: (cluster: RunningCluster, round: number) => Promise<() => Promise<void>>;
}

const ROWS: readonly Row[] = [
  {
    what: "a node behind the proxy",
    kill: async (cluster, round) => {
      const { nodes } = cluster.file;
      const { name, pid } = nodes[round % nodes.length] as (typeof nodes)[number];
      process.kill(pid, "SIGKILL");
      return () => cluster.again("node", name);
    },
  },
  {
    what: "etcd's leader",
    kill: async (cluster) => {
      const { name, pid } = await cluster.leader();
      process.kill(pid, "SIGKILL");
      return () => cluster.again("etcd", name);
    },
  },
];

export async function run({ rounds = ROUNDS }: BenchOptions): Promise<string[]> {
  const cluster = await RunningCluster.start();
  try {
    return await measure(cluster, rounds);
  } finally {
    await cluster.stop();
  }
}

async function measure(cluster: RunningCluster, rounds: number): Promise<string[]> {
  const { proxy, accounts } = cluster.file;
  const lanes = Array.from({ length: LANES }, (_, at) => {
    const account = accounts[at % accounts.length] as Credentials;
    return new Lane({ name: `lane${at}`, proxy, account, symbol: SYMBOL, ...RESTING });
  });
  const running = Promise.all(lanes.map((lane) => lane.run()));
  const lines = [
    `${rounds} kills each, ${LANES} lanes`,
    "| killed | interruption: median | worst | longest wait before |",
    "|---|---|---|---|",
  ];
  for (const { what, kill } of ROWS) {
    const gapsMs: number[] = [];
    const usualMs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      usualMs.push(await longestWait(lanes, () => sleep(CALM_MS)));
      if (lanes.some((lane) => lane.acknowledged.length === 0)) throw new Error("no order was acknowledged");
      let startAgain = async (): Promise<void> => {};
      gapsMs.push(
        await longestWait(lanes, async () => {
          startAgain = await kill(cluster, round);
          await sleep(AFTER_MS);
        }),
      );
      await startAgain();
    }
    const worst = Math.max(...gapsMs);
    lines.push(`| ${what} | ${ms(median(gapsMs))} | ${ms(worst)} | ${ms(median(usualMs))} |`);
  }
  lines.push("", ...(await takeovers(cluster, rounds)));
  for (const lane of lanes) lane.stop();
  await running;
  return [...lines, "", await account(cluster, lanes)];
}

const ms = (value: number): string => `${Math.round(value)} ms`;

/** The longest time that any client waited for an acknowledged order meanwhile, including one that is still waiting. */
async function longestWait(lanes: readonly Lane[], meanwhile: () => Promise<void>): Promise<number> {
  for (const lane of lanes) lane.worstMs = 0;
  await meanwhile();
  const nowMs = performance.now();
  return Math.max(...lanes.map(({ worstMs, lastMs }) => Math.max(worstMs, nowMs - lastMs)));
}

/** Queries every acknowledged order once at every node. */
async function account(cluster: RunningCluster, lanes: readonly Lane[]): Promise<string> {
  const { nodes, accounts } = cluster.file;
  const acknowledged = lanes.flatMap((lane) => lane.acknowledged);
  let [lost, doubled] = [0, 0];
  for (const { rest } of nodes) {
    const counts = new Map<string, number>();
    for (const credentials of accounts) await count(rest, credentials, counts);
    lost += acknowledged.filter((id) => !counts.has(id)).length;
    doubled += [...counts.values()].filter((times) => times > 1).length;
  }
  const unknown = lanes.reduce((sum, lane) => sum + lane.unknown, 0);
  if (lost + doubled > 0) throw new Error(`${lost} acknowledged orders are lost, ${doubled} exist twice`);
  return `${acknowledged.length} orders were acknowledged; each exists once at each of ${nodes.length} nodes (${unknown} had an unknown outcome)`;
}

async function count(rest: string, credentials: Credentials, counts: Map<string, number>): Promise<void> {
  const client = new Client(rest, credentials, 1);
  for (let orderId = 1; ; ) {
    const parameters = { symbol: SYMBOL, limit: PAGE, orderId };
    const { json } = await client.patient<{ orderId: number; clientOrderId: string }[]>(
      "/api/v3/allOrders",
      parameters,
    );
    for (const { clientOrderId } of json) counts.set(clientOrderId, (counts.get(clientOrderId) ?? 0) + 1);
    if (json.length < PAGE) break;
    orderId = (json.at(-1)?.orderId ?? 0) + 1;
  }
  client.close();
}
