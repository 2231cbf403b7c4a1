/** An exchange with its own data folder and published proofs: real journal, sequencer and audit threads. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { type Command, Engine } from "@pricetime/engine";
import { setup } from "@pricetime/testkit/journal";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { Auditor } from "../../../src/funds/proof/folder/auditor.ts";
import type { ProofSummary } from "../../../src/funds/proof/folder/port.ts";
import { adoptNewestRules } from "../../../src/journal/sequencer/start.ts";
import { GroupCommitSequencer } from "../../../src/journal/sequencer/group-commit.ts";
import { dataPaths, type DataPaths } from "../../../src/journal/storage/data-folder.ts";
import { openJournal } from "../../../src/journal/storage/open-journal.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import type { World } from "../../../src/platform/world/port.ts";
import { MASTER_KEY } from "./venue.ts";

export interface LiveVenue {
  readonly folder: string;
  readonly paths: DataPaths;
  readonly engine: Engine;
  readonly sequencer: GroupCommitSequencer;
  readonly auditor: Auditor;
  /** Journals a command that must not be rejected. */
  must(command: Command): Promise<void>;
  /** The proof of the newest entry, after one more entry. */
  make(): Promise<ProofSummary>;
  /** Publishes as the node plans it; returns the numbers. */
  publish(seq: number): Promise<number[]>;
}

export async function liveVenue(t: TestContext, world: World = MACHINE): Promise<LiveVenue> {
  const folder = scratchFolder(t);
  const paths = dataPaths(folder);
  const onFatal = (error: Error): void => {
    throw error;
  };
  const engine = new Engine();
  const journal = openJournal(paths.journal, onFatal);
  const sequencer = new GroupCommitSequencer({ world, journal, engine, node: "test", onFatal, onApplied: () => {} });
  const auditor = new Auditor(folder, MASTER_KEY);
  t.after(async () => {
    await auditor.close();
    await sequencer.stop();
    await journal.close();
  });
  const must = async (command: Command): Promise<void> => {
    const [event] = (await sequencer.run(command)).events;
    if (event?.type === "rejected") assert.fail(`${command.type}: ${event.reason}`);
  };
  await adoptNewestRules(engine, sequencer);
  // The rules are adopted once, as by a node that starts.
  for (const command of setup()) if (command.type !== "adoptRules") await must(command);
  const make = async (): Promise<ProofSummary> => {
    const reference = `more ${engine.seq}`;
    await must({ type: "deposit", by: "test", accountId: 100, asset: "BTC", amount: "1", reference });
    return auditor.makeProof(engine.seq);
  };
  const publish = async (seq: number): Promise<number[]> => {
    const plan = await auditor.publications(seq, engine.venue.lastProof);
    for (const each of plan)
      await must({ type: "publishProof", by: "test", ...each } satisfies Command<"publishProof">);
    return plan.map(({ number }) => number);
  };
  return { folder, paths, engine, sequencer, auditor, must, make, publish };
}
