/** The compared setups: a node on SQLite, a cluster of one node and one of three, all on the same data. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { metric, pricetime } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { JournalMaker } from "../venue/journal-maker.ts";
import { MASTER_KEY } from "../venue/listing.ts";
import { copyFolder, startVenue, type Venue, withFolder } from "../venue/venue.ts";

export interface Side {
  readonly name: string;
  readonly nodes: readonly Venue[];
}

/** All run at once, so that their rounds can alternate. */
export async function withSides<Result>(
  endpoints: readonly string[],
  accounts: number,
  measure: (sides: readonly [alone: Side, one: Side, three: Side]) => Promise<Result>,
): Promise<Result> {
  return withFolder(async (folder) => {
    new JournalMaker({ folder, accounts, keys: accounts }).close({ snapshot: true });
    const started: Venue[] = [];
    const start = async (data: string, settings: Readonly<Record<string, unknown>>): Promise<Venue> => {
      const venue = await startVenue(data, { settings });
      started.push(venue);
      return venue;
    };
    try {
      const data = (name: string): string => `${folder}-${name}`;
      copyFolder(folder, data("alone"));
      const alone = { name: "SQLite", nodes: [await start(data("alone"), {})] };
      const one = { name: "one node", nodes: await cluster(folder, endpoints, { prefix: "one", count: 1, start }) };
      const three = {
        name: "three nodes",
        nodes: await cluster(folder, endpoints, { prefix: "three", count: 3, start }),
      };
      return await measure([alone, one, three]);
    } finally {
      await Promise.all(started.map((venue) => venue.kill()));
    }
  });
}

interface ClusterOf {
  readonly prefix: string;
  readonly count: number;
  readonly start: (data: string, settings: Readonly<Record<string, unknown>>) => Promise<Venue>;
}

/** Bootstraps a cluster from the folder, and starts nodes with copies of it. */
async function cluster(
  folder: string,
  endpoints: readonly string[],
  { prefix, count, start }: ClusterOf,
): Promise<readonly Venue[]> {
  const settings = { cluster: { endpoints, prefix, mirrors: Math.min(2, count) } };
  const names = Array.from({ length: count }, (_, at) => `n${at + 1}`);
  const data = (name: string): string => `${folder}-${prefix}-${name}`;
  for (const name of names) copyFolder(folder, data(name));
  const config = `${folder}-${prefix}.yaml`;
  writeFileSync(config, JSON.stringify({ masterKey: MASTER_KEY, demo: false, node: "n1", ...settings }));
  const { code, stderr } = pricetime("cluster", "bootstrap", "--from", data("n1"), "--config", config);
  assert.equal(code, 0, stderr);
  const nodes: Venue[] = [];
  for (const name of names) nodes.push(await start(data(name), { ...settings, node: name }));
  for (const node of nodes)
    await until("all nodes see each other", async () => (await metric(node, "pricetime_cluster_live_nodes")) === count);
  return nodes;
}
