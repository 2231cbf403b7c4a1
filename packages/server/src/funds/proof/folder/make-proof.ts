/** Makes a proof in a data folder from its journal: for the command line, and for the thread of a node. */
import { masterKeyCheck } from "../../../platform/config/master-key.ts";
import { FolderInUse, type FolderLock, lockFolder } from "../../../journal/storage/folder-lock.ts";
import type { Place } from "../proof.ts";
import type { SignedStatement } from "../statement.ts";
import { keepProof, proofsFolder } from "./kept-proofs.ts";
import { AuditRefused } from "./port.ts";
import { stateAt, type StateAtOptions } from "./state-at.ts";

export interface MakeProofOptions extends Omit<StateAtOptions, "visit"> {
  readonly dataFolder: string;
  readonly masterKey: string;
  /** Where the journal says that it was published. Default: it follows the newest one. */
  readonly place?: Place | undefined;
}

/** Throws `AuditRefused`, `ProofRefused` for a kept public part that does not hold, and as `stateAt` does. */
export function makeProof(options: MakeProofOptions): SignedStatement {
  const { dataFolder, masterKey } = options;
  const lock = lockProofs(dataFolder);
  try {
    const state = stateAt(options);
    const check = state.engine.masterKeyCheck;
    if (check !== "" && check !== masterKeyCheck(masterKey)) {
      throw new AuditRefused("NOT_POSSIBLE", "The master key is not the one that this journal was created with.");
    }
    return keepProof(dataFolder, state, masterKey, options.place);
  } finally {
    lock.release();
  }
}

/** Two proofs that are made at once would both follow the same one. */
export function lockProofs(dataFolder: string): FolderLock {
  try {
    return lockFolder(proofsFolder(dataFolder));
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    throw new AuditRefused("BUSY", "Another proof of this data folder is being created. Try again later.", {
      cause: error,
    });
  }
}
