/** The parts of a node stop also when its folder cannot be written. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { stopInTurn } from "../../../src/program/start/life.ts";

test("every part of a node is stopped, and a failure to remove admin.json is reported", async (t) => {
  const folder = scratchFolder(t);
  // A folder of that name cannot be removed as a file.
  mkdirSync(join(folder, "admin.json"));
  const ended: string[] = [];
  const said: string[] = [];
  const end = (part: string) => (): Promise<void> => {
    ended.push(part);
    return Promise.resolve();
  };
  const ending = (part: string) => ({ stop: end(part), close: end(part), drain: () => Promise.resolve() });
  await stopInTurn(
    {
      faults: undefined,
      cluster: { endRoles: () => Promise.resolve(), stop: () => void ended.push("cluster") },
      demo: ending("demo"),
      gateway: ending("gateway"),
      streams: ending("streams"),
      admin: ending("admin"),
      source: ending("source"),
      audits: ending("audits"),
      tradingRules: ending("tradingRules"),
      dailyProofs: ending("dailyProofs"),
      wallet: ending("wallet"),
      mail: { outbox: ending("mail") },
      sequencer: ending("sequencer"),
      clock: ending("clock"),
      hour: ending("hour"),
      log: { warn: (...words: unknown[]) => void said.push(String(words.at(-1))) },
    },
    folder,
  );
  assert.deepEqual(ended, [
    ...["demo", "streams", "gateway", "admin", "hour", "dailyProofs", "source", "audits"],
    ...["tradingRules", "wallet", "mail", "sequencer", "cluster", "clock"],
  ]);
  assert.deepEqual(said, ["cannot remove admin.json"]);
});
