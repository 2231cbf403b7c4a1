/**
 * Several nodes over etcd: the shared log compared with plain puts; the order path of one node and of three compared
 * with a node on SQLite; the lag of streams between nodes. Three etcd members that sync to disk, with the
 * timers that we ship, share this machine with everything else.
 */
import assert from "node:assert/strict";
import { noEtcd, startEtcd } from "@pricetime/testkit/etcd";
import { metric } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { model } from "./model.ts";
import { Orders } from "./orders.ts";
import { sharedLog } from "./shared-log.ts";
import { type Side, withSides } from "./sides.ts";
import { streamLag } from "./stream-lag.ts";
import type { BenchOptions } from "../measure.ts";

const ROUNDS = 5;
const ACCOUNTS = 10;
const NODES = 3;

export async function run({ rounds = ROUNDS }: BenchOptions): Promise<string[]> {
  if (noEtcd !== false) return [noEtcd];
  const log = await withEtcd((endpoints) => sharedLog(endpoints, rounds));
  const nodes = await withEtcd((endpoints, members) => measureNodes(endpoints, members, rounds));
  return [`the shared log; one pending batch per writer; medians of ${rounds} rounds`, "", ...log, "", ...nodes];
}

async function withEtcd<Result>(
  measure: (endpoints: readonly string[], members: readonly number[]) => Promise<Result>,
): Promise<Result> {
  const etcd = await startEtcd({ members: 3, fsync: true });
  try {
    return await measure(
      etcd.endpoints,
      etcd.members.map(({ pid }) => pid ?? 0),
    );
  } finally {
    await etcd.stop();
  }
}

function measureNodes(endpoints: readonly string[], members: readonly number[], rounds: number): Promise<string[]> {
  return withSides(endpoints, ACCOUNTS, async (sides) => {
    const orders = new Orders(ACCOUNTS, members, NODES);
    try {
      const { lines, mainUs } = await orders.measure(sides, rounds);
      const [, one = Number.NaN, ofThree = Number.NaN] = mainUs;
      for (const side of sides) await nothingIsOpen(side);
      const [, , three] = sides;
      return [
        `orders that rest, cancels, orders that rest and orders that fill them; medians of ${rounds} rounds`,
        "",
        ...lines,
        "",
        "trades made at one node, received at the others",
        "",
        ...(await streamLag(three, ACCOUNTS)),
        "",
        ...model(one, ofThree),
      ];
    } finally {
      orders.close();
    }
  });
}

/** Checks at each node that every sell was filled and every resting buy canceled. */
async function nothingIsOpen({ nodes }: Side): Promise<void> {
  for (const node of nodes)
    await until("nothing is open", async () => (await metric(node, "pricetime_open_orders")) === 0, {
      withinMs: 20_000,
    });
  assert.ok(nodes.length > 0);
}
