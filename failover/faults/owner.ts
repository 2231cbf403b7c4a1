/**
 * The node that owns the network task is paused until another node owns it, with a command in progress that it sends
 * again when it continues, before it learns that it was replaced.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { operate } from "@pricetime/testkit/venue";
import { comes } from "@pricetime/testkit/waiting";
import { type TestCluster, COIN, NETWORK, PAYER } from "../cluster/test-cluster.ts";
import type { ClusterNode } from "../cluster/node.ts";
import type { Fault } from "./fault.ts";

const ACTS_AFTER_MS = 100;
const MOVED_WITHIN_MS = 25_000;

interface ToldRoles {
  readonly tasks: readonly { readonly task: string; readonly node: string }[];
}

/** The name of the owner, as one of these nodes has read it; undefined if there was none yet. */
async function holder(nodes: readonly ClusterNode[]): Promise<string | undefined> {
  const exchange = nodes.find((node) => node.exchange !== undefined)?.exchange;
  if (exchange === undefined) return undefined;
  const { tasks } = await operate<ToldRoles>(exchange, "GET", "/v1/cluster");
  return tasks.find(({ task }) => task === `network:${NETWORK}`)?.node;
}

/** Mines a block with a deposit for the customer. The node checks at once, and has begun to act when this resolves. */
async function mineAt({ exchange }: ClusterNode): Promise<void> {
  if (exchange === undefined) return;
  const at = `/v1/networks/${NETWORK}/sandbox`;
  await operate(exchange, "POST", `${at}/faucet`, { asset: COIN, amount: "10", account: PAYER });
  await operate(exchange, "POST", `${at}/mine`, { blocks: 2 });
  await sleep(ACTS_AFTER_MS);
}

export const OWNER_FAULT: Fault = {
  name: "the owner of a network task is paused and resumed",
  run: async ({ nodes }: TestCluster, _dice, { say, fellShort }) => {
    const name = await holder(nodes);
    const held = nodes.find((node) => node.name === name);
    if (held === undefined) return fellShort("no node owns the network task");
    const others = nodes.filter((node) => node !== held);
    try {
      // Its reaction to the new block is lost, so that it is sent again.
      for (const link of held.links) link.silence("toMember");
      await mineAt(held);
      held.pause();
      const beganMs = performance.now();
      const moves = async (): Promise<boolean> => (await holder(others)) !== held.name;
      const hasMoved = await comes(moves, { withinMs: MOVED_WITHIN_MS, everyMs: 200 });
      if (hasMoved)
        say(`${held.name}, until another node owned the task after ${(performance.now() - beganMs).toFixed(0)} ms`);
      else fellShort(`${held.name} still owned the task after ${MOVED_WITHIN_MS} ms`);
    } finally {
      for (const link of held.links) link.heal();
      held.resume();
    }
  },
};
