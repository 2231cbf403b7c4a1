/** The audit thread: runs tasks on the journal on disk that take too long for the node's own threads. */
import assert from "node:assert/strict";
import { parentPort } from "node:worker_threads";
import { JournalDamaged, JournalUnreadable } from "../../../journal/port.ts";
import { MACHINE } from "../../../platform/world/machine.ts";
import { ProofRefused } from "../lines.ts";
import { type AnsweredAudit, type AskedAudit, type AuditAnswer, AUDITS } from "./audits.ts";
import { AuditRefused } from "./port.ts";

const port = parentPort;
assert(port !== null, "this is the entry point of a worker thread");
/** Tasks run one after another, in the order in which they were requested. */
let last: Promise<void> = Promise.resolve();
port.on("message", (asked: AskedAudit) => {
  // An unexpected error ends the thread.
  last = last.then(async () => {
    port.postMessage({ id: asked.id, answer: await answerOf(asked) } satisfies AnsweredAudit);
  });
});

async function answerOf({ kind, node, given }: AskedAudit): Promise<AuditAnswer> {
  const audit = AUDITS[kind] as (context: object, ...given: readonly unknown[]) => unknown;
  try {
    return { type: "done", result: await audit({ ...node, world: MACHINE }, ...given) };
  } catch (error) {
    if (error instanceof AuditRefused) return { type: "refused", fault: error.fault, message: error.message };
    const isTold = [ProofRefused, JournalDamaged, JournalUnreadable].some((kind) => error instanceof kind);
    if (!isTold) throw error;
    return { type: "refused", fault: "NOT_POSSIBLE", message: (error as Error).message };
  }
}
