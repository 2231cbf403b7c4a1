/** Processes that are killed or paused. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Dice } from "@pricetime/testkit/dice";
import type { EtcdMember } from "@pricetime/testkit/etcd";
import type { TestCluster } from "../cluster/test-cluster.ts";
import type { Fault } from "./fault.ts";

async function followerOf(cluster: TestCluster, dice: Dice): Promise<EtcdMember> {
  const leader = await cluster.members.leader();
  return dice.pick(cluster.members.all.filter((member) => member !== leader));
}

async function killMember(member: EtcdMember, dice: Dice): Promise<void> {
  await member.kill();
  await sleep(dice.between(500, 3_000));
  member.start();
}

async function pauseMember(member: EtcdMember, dice: Dice): Promise<void> {
  member.pause();
  await sleep(dice.between(1_000, 5_000));
  member.resume();
}

export const PROCESS_FAULTS: readonly Fault[] = [
  {
    name: "kill a node",
    run: async ({ nodes }, dice, { say }) => {
      const node = dice.pick(nodes);
      say(node.name);
      await node.kill();
      await sleep(dice.between(200, 3_000));
      await node.start();
    },
  },
  {
    name: "pause and resume a node",
    run: async ({ nodes }, dice, { say }) => {
      const node = dice.pick(nodes);
      const ms = dice.pick([300, 1_500, 4_000, 7_000]);
      say(`${node.name} for ${ms} ms`);
      node.pause();
      await sleep(ms);
      node.resume();
    },
  },
  {
    name: "kill two nodes",
    run: async ({ nodes }, dice, { say }) => {
      const spared = dice.pick(nodes);
      const killed = nodes.filter((node) => node !== spared);
      say(`all but ${spared.name}`);
      await Promise.all(killed.map((node) => node.kill()));
      await sleep(dice.between(200, 2_000));
      for (const node of killed) await node.start();
    },
  },
  {
    name: "kill etcd's leader",
    run: async (cluster, dice, { say }) => {
      const leader = await cluster.members.leader();
      say(leader.name);
      await killMember(leader, dice);
    },
  },
  {
    name: "kill an etcd follower",
    run: async (cluster, dice, { say }) => {
      const follower = await followerOf(cluster, dice);
      say(follower.name);
      await killMember(follower, dice);
    },
  },
  {
    name: "pause and resume etcd's leader",
    run: async (cluster, dice, { say }) => {
      const leader = await cluster.members.leader();
      say(leader.name);
      await pauseMember(leader, dice);
    },
  },
  {
    name: "pause and resume an etcd follower",
    run: async (cluster, dice, { say }) => {
      const follower = await followerOf(cluster, dice);
      say(follower.name);
      await pauseMember(follower, dice);
    },
  },
  {
    name: "pause and resume two etcd members",
    run: async (cluster, dice, { say }) => {
      const spared = dice.pick(cluster.members.all);
      const stopped = cluster.members.all.filter((member) => member !== spared);
      const ms = dice.pick([1_500, 6_000, 13_000]);
      say(`all but ${spared.name} for ${ms} ms`);
      for (const member of stopped) member.pause();
      await sleep(ms);
      for (const member of stopped) member.resume();
    },
  },
  {
    name: "kill everything at once",
    run: async ({ nodes, members }, dice) => {
      await Promise.all([...nodes.map((node) => node.kill()), ...members.all.map((member) => member.kill())]);
      await sleep(dice.between(0, 1_000));
      for (const member of members.all) member.start();
      await members.ready();
      await Promise.all(nodes.map((node) => node.start()));
    },
  },
];
