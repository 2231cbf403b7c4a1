/**
 * How long a task that one node performs at a time (watching and paying on a network, sending emails, the trading
 * rules) has no owner when that node is killed (kill -9), alone or together with etcd's leader: from the kill until
 * another node reports in /metrics that it owns the task. A node owns several tasks, and all of them are waited for.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { startMailServer } from "@pricetime/testkit/mail-server";
import { median } from "@pricetime/testkit/quantile";
import { untilAnswer } from "@pricetime/testkit/waiting";
import type { RunningCluster } from "./running-cluster.ts";

const LOOK_EVERY_MS = 50;
const LOOK_WITHIN_MS = 1_000;
/** After this time the task counts as not taken over. */
const GIVEN_UP_MS = 120_000;
const CALM_MS = 1_000;
/** The owners of these tasks are killed in turn; they own other tasks as well. */
const AIMED_AT = ["mail", "network:BTC"] as const;
const ALL = "all tasks of the node";
const HELD = /^pricetime_task_owned\{task="([^"]+)"\} ([01])$/gm;

interface Row {
  readonly what: string;
  readonly isWithLeader: boolean;
  /** The time that the documentation promises. */
  readonly promisedMs: number;
}

const ROWS: readonly Row[] = [
  { what: "the owner", isWithLeader: false, promisedMs: 10_000 },
  { what: "the owner and etcd's leader", isWithLeader: true, promisedMs: 25_000 },
];

/** Kills `rounds` times for each row. Starts a mail server, because nodes send emails only with one. */
export async function takeovers(cluster: RunningCluster, rounds: number): Promise<string[]> {
  const mails = await startMailServer();
  try {
    await cluster.configure(`email: { smtp: { host: 127.0.0.1, port: ${mails.port}, requireTls: false } }`);
    const lines = [
      `${rounds} kills each`,
      "| killed | task | kills | without owner: median | worst | limit |",
      "|---|---|---|---|---|---|",
    ];
    for (const row of ROWS) lines.push(...(await measure(cluster, row, rounds)));
    return lines;
  } finally {
    await mails.close();
  }
}

async function measure(
  cluster: RunningCluster,
  { what, isWithLeader, promisedMs }: Row,
  rounds: number,
): Promise<string[]> {
  const took = new Map<string, number[]>([[ALL, []]]);
  for (let round = 0; round < rounds; round++) {
    await sleep(CALM_MS);
    const holders = await everyHolder(cluster);
    const node = holders.get(AIMED_AT[round % AIMED_AT.length] as string) ?? "";
    const lost = [...holders].flatMap(([role, holder]) => (holder === node ? [role] : []));
    const leader = isWithLeader ? await cluster.leader() : undefined;
    const killed = cluster.file.nodes.find(({ name }) => name === node);
    if (killed === undefined) throw new Error(`${node} is not a node of the cluster`);
    process.kill(killed.pid, "SIGKILL");
    if (leader !== undefined) process.kill(leader.pid, "SIGKILL");
    for (const [kind, ms] of slowest(await takenAfterMs(cluster, node, lost)))
      took.set(kind, [...(took.get(kind) ?? []), ms]);
    await cluster.again("node", node);
    if (leader !== undefined) await cluster.again("etcd", leader.name);
  }
  return [...took].map(([kind, ms]) => {
    const cells = [what, kind, ms.length, seconds(median(ms)), seconds(Math.max(...ms)), seconds(promisedMs)];
    return `| ${cells.join(" | ")} |`;
  });
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** The owner of each task, once each has one. */
async function everyHolder(cluster: RunningCluster): Promise<ReadonlyMap<string, string>> {
  const ask = async (): Promise<Map<string, string | undefined>> => {
    const roles = new Map<string, string | undefined>(AIMED_AT.map((role) => [role, undefined]));
    for (const [node, role, isHeld] of await look(cluster)) roles.set(role, isHeld ? node : roles.get(role));
    return roles;
  };
  const isWhole = (roles: ReadonlyMap<string, string | undefined>): boolean =>
    [...roles.values()].every((holder) => holder !== undefined);
  return (await untilAnswer("each role has a holder", ask, isWhole, { everyMs: LOOK_EVERY_MS })) as Map<string, string>;
}

/** Resolves to the time until a node other than `lostNode` owns each task. */
async function takenAfterMs(
  cluster: RunningCluster,
  lostNode: string,
  roles: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const beganMs = performance.now();
  const taken = new Map<string, number>();
  while (taken.size < roles.length) {
    for (const [node, role, isHeld] of await look(cluster, lostNode)) {
      if (isHeld && node !== lostNode && roles.includes(role) && !taken.has(role))
        taken.set(role, performance.now() - beganMs);
    }
    if (performance.now() - beganMs > GIVEN_UP_MS) {
      throw new Error(`nobody takes ${roles.filter((role) => !taken.has(role)).join(", ")}`);
    }
    await sleep(LOOK_EVERY_MS);
  }
  return taken;
}

/** The longest time of each kind of task, and of all. */
function slowest(taken: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const kinds = new Map<string, number>();
  for (const [role, ms] of taken) {
    const kind = role.startsWith("network:") ? "networks (watcher and sender)" : role;
    for (const each of [ALL, kind]) kinds.set(each, Math.max(kinds.get(each) ?? 0, ms));
  }
  return kinds;
}

type Look = readonly [node: string, role: string, isHeld: boolean];

/** The reports of all nodes but `without` about each task; a node without a response reports nothing. */
async function look({ file }: RunningCluster, without?: string): Promise<Look[]> {
  const asked = file.nodes.map(async ({ name, admin }): Promise<Look[]> => {
    if (name === without) return [];
    const signal = AbortSignal.timeout(LOOK_WITHIN_MS);
    const text = await fetch(`${admin}/metrics`, { signal }).then(
      (answer) => answer.text(),
      () => "",
    );
    return [...text.matchAll(HELD)].map(([, role = "", held]) => [name, role, held === "1"]);
  });
  return (await Promise.all(asked)).flat();
}
