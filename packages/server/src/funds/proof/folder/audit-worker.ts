/** The audit thread: runs tasks on the journal on disk that take too long for the node's own threads. */
import assert from "node:assert/strict";
import { parentPort } from "node:worker_threads";
import { JournalDamaged, JournalUnreadable } from "../../../journal/port.ts";
import { MACHINE } from "../../../platform/world/machine.ts";
import { ProofRefused } from "../lines.ts";
import type { AnsweredAudit, AskedAudit, AuditAnswer, AuditTask } from "./auditor.ts";
import { journalEntries } from "../../../journal/storage/journal-entries.ts";
import { customerFile, storedProof, storedProofs, publicationsUpTo, summaryOf, wholeProof } from "./stored-proofs.ts";
import { addReserves, makeProof, shownReserves } from "./make-proof.ts";
import { newestMoment } from "./moments.ts";
import { AuditRefused } from "./port.ts";
import { treasuryAt } from "./treasury.ts";

const port = parentPort;
assert(port !== null, "this is the entry point of a worker thread");
/** Tasks run one after another, in the order of the requests. */
let last: Promise<void> = Promise.resolve();
port.on("message", ({ id, task }: AskedAudit) => {
  // An unexpected error ends the thread.
  last = last.then(async () => port.postMessage({ id, answer: await answerOf(task) } satisfies AnsweredAudit));
});

async function answerOf(task: AuditTask): Promise<AuditAnswer> {
  try {
    return { type: "done", result: await carryOut(task) };
  } catch (error) {
    if (error instanceof AuditRefused) return { type: "refused", fault: error.fault, message: error.message };
    const isTold = [ProofRefused, JournalDamaged, JournalUnreadable].some((kind) => error instanceof kind);
    if (!isTold) throw error;
    return { type: "refused", fault: "NOT_POSSIBLE", message: (error as Error).message };
  }
}

function carryOut(task: AuditTask): unknown {
  const { dataFolder, paths, masterKey } = task;
  switch (task.kind) {
    case "treasury":
      return treasuryAt({ paths, world: MACHINE, at: task.at }, task.withFlows);
    case "make":
      return summaryOf(makeProof({ dataFolder, paths, world: MACHINE, at: task.at, masterKey, place: task.place }));
    case "find": {
      const found = wholeProof(dataFolder, task.seq);
      return found === undefined ? null : summaryOf(found);
    }
    case "publications":
      return publicationsUpTo(dataFolder, task.seq, task.last);
    case "moment":
      return newestMoment(paths, task.nowMs);
    case "list":
      return storedProofs(dataFolder).map(summaryOf);
    case "entries":
      return journalEntries(paths, task);
    case "public":
      return storedProof(dataFolder, task.seq).text;
    case "reserves":
      return shownReserves(storedProof(dataFolder, task.seq));
    case "addReserves":
      return addReserves({ ...task, masterKey });
    case "customer":
      return customerFile(dataFolder, task.seq, task, masterKey);
  }
}
