/** `backup.json` describes a backup; it is written once a run is complete and verified, and not before. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../../platform/config/config-error.ts";
import { writePrivateFile } from "../../platform/config/private-file.ts";
import { CopyRefused } from "./refused.ts";

/** Format 1, of 0.2.0, had the event digest in `stateHash` and no hash of the state. */
const FORMAT = 2;

export interface BackupRecord {
  /** When the backup was taken, ISO 8601 in UTC. */
  readonly takenAt: string;
  /** The last entry, and when it was journaled (milliseconds since 1970). */
  readonly seq: number;
  readonly timeMs: number;
  /** The journal's hash just after that entry. */
  readonly chainHash: string;
  /** The digest of all events up to there. */
  readonly eventDigest: string;
  /** The hash of the state that the copy leads to; "" in a backup of 0.2.0. */
  readonly stateHash: string;
  /** Whether the backup contains `master.key`. */
  readonly hasMasterKey: boolean;
}

function recordPath(folder: string): string {
  return join(folder, "backup.json");
}

/** Refuses to run a node on a backup: its journaling would spoil it. Throws `ConfigError`. */
export function checkIsNoBackup(dataFolder: string): void {
  if (!existsSync(recordPath(dataFolder))) return;
  throw new ConfigError(
    `${dataFolder} is a backup, not a data folder. Create a data folder from it with \`pricetime restore\``,
  );
}

export function writeRecord(folder: string, record: BackupRecord): void {
  writePrivateFile(recordPath(folder), `${JSON.stringify({ format: FORMAT, ...record }, null, 2)}\n`);
}

const UNFINISHED: Omit<BackupRecord, "takenAt"> = {
  ...{ seq: 0, timeMs: 0, chainHash: "", eventDigest: "", stateHash: "", hasMasterKey: false },
};

/** Marks the folder as one that is not whole yet: no node starts on it. */
export function markUnfinished(folder: string): void {
  writeRecord(folder, { takenAt: "", ...UNFINISHED });
}

/** The folder is no backup, or not any more. */
export function removeRecord(folder: string): void {
  rmSync(recordPath(folder), { force: true });
}

/** Returns undefined when no run has ended yet. Throws `CopyRefused` for an unreadable file. */
export function readRecord(folder: string): BackupRecord | undefined {
  const path = recordPath(folder);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new CopyRefused(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
  const { format, ...told } = parse(text, path);
  if (format !== FORMAT && format !== 1) {
    throw new CopyRefused(
      `${path} has format ${String(format)}, and this release supports up to ${FORMAT}. Use a newer release`,
    );
  }
  const record = format === 1 ? { ...told, eventDigest: told.stateHash, stateHash: "" } : told;
  if (
    !Number.isSafeInteger(record.seq) ||
    [record.eventDigest, record.stateHash].some((hash) => typeof hash !== "string")
  ) {
    throw new CopyRefused(`${path} is damaged: it does not describe the backup`);
  }
  return record;
}

function parse(text: string, path: string): BackupRecord & { readonly format: unknown } {
  try {
    return JSON.parse(text) as BackupRecord & { readonly format: unknown };
  } catch (error) {
    throw new CopyRefused(`${path} is damaged`, { cause: error });
  }
}
