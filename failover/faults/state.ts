/** Faults of the environment: full disks, clock jumps, a log that has moved on, a lost member. */
import { setTimeout as sleep } from "node:timers/promises";
import { fill, makeSpace } from "@pricetime/testkit/small-disk";
import { type Exchange, metric, tryToOperate } from "@pricetime/testkit/venue";
import { comes } from "@pricetime/testkit/waiting";
import { type TestCluster, SHORT_TAIL } from "../cluster/test-cluster.ts";
import type { ClusterNode } from "../cluster/node.ts";
import type { Fault } from "./fault.ts";

const LEAPS_MS = [3_000, 60_000, 3_600_000, -3_000, -60_000, -3_600_000];
/** Longer than it takes to detect that the tail is too long, and to remove it. */
const AWAY_MS = 10_000;
/** Rows of the dead node that it has not seen are waited for a minute, and a busy machine takes longer. */
const TRIMMED_WITHIN_MS = 90_000;
const MINUTE_MS = 60_000;
/** How long a node with a wrong clock may try to become ready. */
const WRONG_CLOCK_MS = 12_000;

/**
 * Fills the log until rows that a stopped node lacks are removed: rows of this size, each a command that is rejected
 * because its candles are later than the first trade.
 */
const BALLAST_ROWS = 24;
const CANDLES = 500;

async function addBallast({ nodes }: TestCluster, away: ClusterNode, say: (what: string) => void): Promise<void> {
  const other = nodes.find((node) => node !== away)?.exchange as Exchange;
  // Candles of the future are never accepted, whether the symbol has traded or not.
  const startMs = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS + 60 * MINUTE_MS;
  const candles = Array.from({ length: CANDLES }, (_, at) => {
    return [startMs + at * MINUTE_MS, "1000", "1000", "1000", "1000", "1.00000000", "1000", 1, "0", "0"];
  });
  const codes = new Map<string, number>();
  for (let row = 0; row < BALLAST_ROWS; row++) {
    const { text } = await tryToOperate(other, "POST", "/v1/symbols/AAAUSDT/backfilled-candles", {
      interval: "1m",
      candles,
    });
    const code = /"error":\s*"(\w+)"/.exec(text)?.[1] ?? text.slice(0, 80);
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  say([...codes].map(([code, count]) => `${count} x ${code}`).join(", "));
}

/** Whether another node reports that the log contains less than a stopped node would need. */
async function isTailShort({ nodes }: TestCluster, away: ClusterNode): Promise<boolean> {
  const other = nodes.find((node) => node !== away)?.exchange as Exchange;
  return (await metric(other, "pricetime_cluster_tail_bytes")) < SHORT_TAIL.maxTailBytes / 2;
}

export const MAY_NOT_MOUNT = "this user may not mount a small disk";

const diskOf = (cluster: TestCluster, name: string): string | undefined =>
  cluster.disks.find((disk) => disk.endsWith(`/${name}`));
const withoutDisk =
  (name: string) =>
  (cluster: TestCluster): string | undefined =>
    diskOf(cluster, name) === undefined ? MAY_NOT_MOUNT : undefined;

export const STATE_FAULTS: readonly Fault[] = [
  {
    name: "a node's disk is full",
    without: withoutDisk("n3"),
    run: async (cluster, dice, { say }) => {
      const ms = dice.pick([1_500, 6_000]);
      say(`n3 for ${ms} ms`);
      const disk = diskOf(cluster, "n3") as string;
      fill(disk);
      await sleep(ms);
      makeSpace(disk);
      const node = cluster.node("n3");
      // The node may have exited.
      if (!node.isAlive) await node.start();
    },
  },
  {
    name: "an etcd member's disk is full",
    without: withoutDisk("m3"),
    run: async (cluster, dice, { say }) => {
      const ms = dice.pick([1_500, 6_000]);
      say(`m3 for ${ms} ms`);
      const disk = diskOf(cluster, "m3") as string;
      fill(disk);
      await sleep(ms);
      makeSpace(disk);
      const member = cluster.members.all.find(({ name }) => name === "m3");
      // A member that cannot write exits, as it must.
      if (member?.pid === undefined) member?.start();
    },
  },
  {
    name: "a node's clock jumps",
    run: async (cluster, dice, { say }) => {
      const node = dice.pick(cluster.nodes);
      const leapMs = dice.pick(LEAPS_MS);
      say(`${node.name} by ${leapMs} ms`);
      node.setClock(leapMs);
      await sleep(dice.between(1_000, 5_000));
      node.setClock(0);
    },
  },
  {
    name: "a node starts with a wrong clock",
    run: async (cluster, dice, { say }) => {
      const node = dice.pick(cluster.nodes);
      const leapMs = dice.pick(LEAPS_MS);
      say(`${node.name} by ${leapMs} ms`);
      await node.kill();
      node.setClock(leapMs);
      // It must not accept orders with a clock that is ahead of the others', and may refuse to start.
      await node.start(WRONG_CLOCK_MS).catch(({ message }: Error) => say(message.split(";")[0] ?? ""));
      await sleep(2_000);
      await node.kill();
      node.setClock(0);
      await node.start();
    },
  },
  {
    name: "the log is compacted while a node is down",
    run: async (cluster, dice, { say, fellShort }) => {
      const node = dice.pick(cluster.nodes);
      say(node.name);
      await node.kill();
      await addBallast(cluster, node, say);
      await sleep(AWAY_MS);
      await comes(() => isTailShort(cluster, node), { withinMs: TRIMMED_WITHIN_MS, everyMs: 200 });
      await node.start();
      const entries = /"entries":(\d+).*"msg":"caught up"/.exec(node.exchange?.output() ?? "")?.[1];
      if (entries === undefined) fellShort(`${node.name} found all in the log`);
      else say(`it had ${entries} entries from another node`);
    },
  },
  {
    name: "the log is compacted while a node is paused",
    run: async (cluster, dice, { say }) => {
      const node = dice.pick(cluster.nodes);
      say(node.name);
      node.pause();
      await addBallast(cluster, node, say);
      await sleep(AWAY_MS);
      node.resume();
    },
  },
  {
    name: "an etcd member is lost and replaced",
    run: async (cluster, dice, { say }) => {
      const member = dice.pick(cluster.members.all);
      say(member.name);
      await cluster.members.replace(member.name);
    },
  },
];
