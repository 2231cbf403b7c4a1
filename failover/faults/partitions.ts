/**
 * Connections that drop messages: between a node and members of etcd, and between members; in one direction, in both,
 * or partially.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Dice } from "@pricetime/testkit/dice";
import type { Direction, Link } from "@pricetime/testkit/etcd";
import type { TestCluster } from "../cluster/test-cluster.ts";
import type { Fault } from "./fault.ts";

/** Shorter than, about as long as, and longer than a node may serve stale reads. */
const HOLDS_MS = [1_200, 4_000, 7_000];
/** Longer than a node may serve reads without its store. */
const LONG_MS = 13_000;
/**
 * How long a node may take to detect that its member does not respond, and to use another. A few seconds suffice on an
 * idle machine, as the benchmark shows; the campaign checks that it happens at all, also under load.
 */
const SERVES_WITHIN_MS = 40_000;
const BOTH: readonly Direction[] = ["toMember", "toClient"];

async function hold(cluster: TestCluster, ms: number): Promise<void> {
  await sleep(ms);
  cluster.healLines();
}

/** A fault on connections from one node to members. */
function nodeFault(
  name: string,
  cut: (links: readonly Link[], dice: Dice) => void,
  holdsMs: readonly number[] = HOLDS_MS,
): Fault {
  return {
    name,
    run: async (cluster, dice, { say }) => {
      const node = dice.pick(cluster.nodes);
      const ms = dice.pick(holdsMs);
      say(`${node.name} for ${ms} ms`);
      cut(node.links, dice);
      await hold(cluster, ms);
    },
  };
}

/**
 * A fault on connections between members. `lines` returns the pairs whose messages from the first to the second are
 * dropped.
 */
function memberFault(
  name: string,
  lines: (leader: string, followers: readonly [string, string]) => readonly (readonly [from: string, to: string])[],
): Fault {
  return {
    name,
    run: async (cluster, dice, { say }) => {
      const leader = await cluster.members.leader();
      const [one, other] = cluster.members.all.filter((member) => member !== leader).map((member) => member.name);
      const lost = lines(leader.name, [one as string, other as string]);
      const ms = dice.pick(HOLDS_MS);
      say(`${lost.map(([from, to]) => `${from} to ${to}`).join(", ")} for ${ms} ms`);
      for (const [from, to] of lost) cluster.members.lines.lose(from, to);
      await hold(cluster, ms);
    },
  };
}

const silence = (links: readonly Link[], ...directions: readonly Direction[]): void => {
  for (const link of links) link.silence(...directions);
};

export const PARTITION_FAULTS: readonly Fault[] = [
  nodeFault("a node's connections to etcd are silent", (links) => silence(links, ...BOTH)),
  nodeFault("a node's connections to etcd are silent for long", (links) => silence(links, ...BOTH), [LONG_MS]),
  nodeFault("a node's connections to etcd are cut", (links) => {
    for (const link of links) link.cut();
  }),
  nodeFault("nothing that a node sends reaches etcd", (links) => silence(links, "toMember")),
  nodeFault("nothing that etcd sends reaches a node", (links) => silence(links, "toClient")),
  nodeFault("a node reaches one member of etcd", (links, dice) => {
    const spared = dice.pick(links);
    silence(
      links.filter((link) => link !== spared),
      ...BOTH,
    );
  }),
  nodeFault("a node does not reach one member of etcd", (links, dice) => silence([dice.pick(links)], ...BOTH)),
  nodeFault("a node's connections to etcd are slow", (links, dice) => {
    for (const link of links) link.delayMs = dice.between(20, 400);
  }),
  {
    name: "an etcd member is silent for a while",
    run: async (cluster, dice, { say, mustServe }) => {
      const member = dice.pick(cluster.members.all);
      say(member.name);
      const at = cluster.members.all.indexOf(member);
      for (const { links } of cluster.nodes) links[at]?.silence(...BOTH);
      await sleep(500);
      await mustServe(SERVES_WITHIN_MS);
      cluster.healLines();
    },
  },
  memberFault("etcd's leader is cut off from its peers, and nodes reach it", (leader, followers) =>
    followers.flatMap((follower) => [[leader, follower] as const, [follower, leader] as const]),
  ),
  memberFault("nothing that etcd's leader sends reaches its peers", (leader, followers) =>
    followers.map((follower) => [leader, follower] as const),
  ),
  memberFault("nothing that peers send reaches etcd's leader", (leader, followers) =>
    followers.map((follower) => [follower, leader] as const),
  ),
  memberFault("a follower of etcd is cut off from its peers", (leader, [one, other]) => [
    ...[leader, other].flatMap((peer) => [[one, peer] as const, [peer, one] as const]),
  ]),
  memberFault("etcd's leader and a follower do not reach each other", (leader, [one]) => [
    [leader, one],
    [one, leader],
  ]),
];
