/** Errors of proofs and audits whose message is for the user. */
import { JournalDamaged, JournalUnreadable } from "../../../journal/port.ts";
import { AuditRefused } from "../../../funds/proof/folder/port.ts";
import { ProofRefused } from "../../../funds/proof/refused.ts";
import { CommandFailed } from "../session/failure.ts";

const FORESEEN = [AuditRefused, ProofRefused, JournalDamaged, JournalUnreadable];

/** Turns them into `CommandFailed`. */
export function foreseen<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw told(error);
  }
}

/** As `foreseen`, for a promise. */
export async function foreseenLater(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    throw told(error);
  });
}

function told(error: unknown): unknown {
  const isForeseen = FORESEEN.some((kind) => error instanceof kind);
  return isForeseen ? new CommandFailed((error as Error).message, { cause: error }) : error;
}
