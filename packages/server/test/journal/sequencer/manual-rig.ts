/** A node on a shared log controlled by the test. */
import { setImmediate as turn } from "node:timers/promises";
import { type Command, Engine } from "@pricetime/engine";
import { listAsset } from "@pricetime/testkit/commands";
import type { LogPlace } from "../../../src/journal/port.ts";
import { type GroupCommitOptions, GroupCommitSequencer } from "../../../src/journal/sequencer/group-commit.ts";
import type { Outcome } from "../../../src/journal/sequencer/port.ts";
import type { SharedOrder } from "../../../src/journal/sequencer/shared-placement.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { FaultyJournal } from "./faulty-journal.ts";
import { ManualLog } from "./manual-log.ts";

export const TICK: Command = { type: "tick" };
export const LIST: Command = listAsset("A");
/** The incarnation of the node under test. */
export const OURS = "1".repeat(16);

export function handRig(
  options: Partial<GroupCommitOptions> = {},
  place: LogPlace | null = null,
  shared: Partial<SharedOrder> = {},
) {
  const log = new ManualLog();
  const journal = new FaultyJournal();
  const engine = new Engine();
  const seen: string[] = [];
  const fatal: Error[] = [];
  const sequencer = new GroupCommitSequencer({
    ...{ journal, engine, node: "n1", shared: { log, place, incarnation: OURS, release: "1.0.0", ...shared } },
    onApplied: ({ seq }, events) => void seen.push(`${seq} ${events[0]?.type}`),
    onBatch: ({ firstSeq, count }) => void seen.push(`batch ${firstSeq}+${count}`),
    onFatal: (error) => void fatal.push(error),
    world: MACHINE,
    limits: { retryPauseMs: 10, recoveryPauseMs: 1 },
    ...options,
  });
  sequencer.start();
  /** Returns the answers as they come. */
  const submit = async (...commands: Command[]): Promise<(Outcome | Error)[]> => {
    const answers: (Outcome | Error)[] = [];
    for (const command of commands) {
      sequencer.submit(command, (answer) => {
        answers.push(answer);
        seen.push(answer instanceof Error ? answer.name : `answer ${answer.seq}`);
      });
    }
    await turn();
    return answers;
  };
  return { log, journal, engine, sequencer, seen, fatal, submit };
}
