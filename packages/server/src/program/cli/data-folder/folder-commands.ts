/**
 * The commands that work on a data folder, with or without a running node: verification, history, backup and
 * restore.
 */
import { existsSync } from "node:fs";
import type { Command } from "commander";
import { JournalDamaged, JournalUnreadable } from "../../../journal/port.ts";
import type { Verification } from "../../../journal/replica/verify-journal.ts";
import {
  type DataPaths,
  dataPaths,
  FolderInUse,
  type FolderLock,
  lockFolder,
} from "../../../journal/storage/data-folder.ts";
import { cutsOf, verifyJournalFile } from "../../../journal/storage/open-journal.ts";
import { rebuildHistory, verifyHistory } from "../../../journal/storage/rebuild-history.ts";
import { dataFolder } from "../session/connection.ts";
import { CommandFailed, createOutput, type Terminal } from "../session/terminal.ts";
import { addImportKlines } from "./import-klines.ts";
import { resolve } from "node:path";
import { takeBackup } from "../../../journal/backup/backup.ts";
import { CopyRefused } from "../../../journal/backup/copy.ts";
import { restoreBackup } from "../../../journal/backup/restore.ts";
import { heldPaymentsPath } from "../../../platform/config/held-payments.ts";
import { isDiskTrouble } from "../../../platform/disk.ts";
import { wholeNumber } from "../session/session.ts";

interface FolderOptions {
  readonly data?: string;
  readonly json?: boolean;
}

/** Adds `verify` to the `journal` command. */
export function addJournalVerify(journal: Command, terminal: Terminal): void {
  journal
    .command("verify")
    .description("Verify the whole journal by replaying it, also while a node runs.")
    .option("--data <folder>", "Data folder (default: ./data)")
    .option("--json", "Print JSON")
    .action(({ data, json }: FolderOptions) => {
      const { paths } = folderOf(data, terminal);
      const verification = verified(paths);
      const { rows, entries, head, eventDigest, stateHash, foreignSnapshots, uncomparedSnapshots, fault } =
        verification;
      const cuts = cutsTold(paths);
      const told = {
        ...{ journal: paths.journal, rows, commands: entries, chainHash: head.chainHash },
        ...{ eventDigest, stateHash: stateHash.hash, ...cuts },
      };
      const foreign = foreignSnapshots.map(({ path: of, parts }) => `${of} differs in: ${parts.join(", ")}`);
      const notCompared = uncomparedSnapshots.map(({ path, reason }) => ({ snapshot: path, reason }));
      const printed = {
        ...told,
        ...(foreign.length > 0 && { snapshots: foreign.join("; ") }),
        ...(notCompared.length > 0 && { notCompared }),
      };
      createOutput(json === true, terminal.print).one(
        fault === null
          ? { ...printed, verdict: "sound" }
          : { ...printed, verdict: "damaged", fault: fault.what, atSeq: fault.seq },
      );
      if (fault !== null) throw new CommandFailed(fault.what);
      if (foreign.length > 0)
        throw new CommandFailed(`These snapshots do not match the journal: ${foreign.join("; ")}`);
    });
}

/** A lab's journal records where a checkpoint was restored. */
function cutsTold({ journal }: DataPaths): { readonly cuts?: number; readonly lastCut?: string } {
  let cuts: ReturnType<typeof cutsOf>;
  try {
    cuts = cutsOf(journal);
  } catch (error) {
    if (error instanceof JournalDamaged || error instanceof JournalUnreadable) {
      throw new CommandFailed(error.message, { cause: error });
    }
    throw error;
  }
  const last = cuts.at(-1);
  return last === undefined ? {} : { cuts: cuts.length, lastCut: `from command ${last.fromSeq} to ${last.toSeq}` };
}

function verified({ journal, snapshots }: DataPaths): Verification {
  try {
    return verifyJournalFile(journal, snapshots);
  } catch (error) {
    if (error instanceof JournalUnreadable) throw new CommandFailed(error.message, { cause: error });
    throw error;
  }
}

export function addHistoryCommands(program: Command, terminal: Terminal): void {
  const history = program.command("history").description("Rebuild or verify the history database; import candles.");
  history
    .command("rebuild")
    .description("Rebuild the history database from the journal. Stop the node first.")
    .option("--data <folder>", "Data folder (default: ./data)")
    .action(({ data }: FolderOptions) => {
      const { folder, paths } = folderOf(data, terminal);
      terminal.print(`Rebuilt the history from ${whileAlone(folder, () => rebuildHistory(paths))} commands.`);
    });
  history
    .command("verify")
    .description("Compare the history database with the journal, row by row, also while a node runs.")
    .option("--data <folder>", "Data folder (default: ./data)")
    .action(({ data }: FolderOptions) => {
      const { folder, paths } = folderOf(data, terminal);
      const { rows, seq, fault } = aloneOrBeside(folder, (isBesideNode) => verifyHistory(paths, { isBesideNode }));
      if (fault !== null) throw new CommandFailed(`${fault}. Rebuild the history with \`pricetime history rebuild\`.`);
      terminal.print(`Verified ${rows} rows, up to command ${seq}.`);
    });
  addImportKlines(history, terminal);
}

/** Throws `CommandFailed` when there is no journal. */
export function folderOf(data: string | undefined, terminal: Terminal): { folder: string; paths: DataPaths } {
  const folder = dataFolder(data, terminal.environment);
  const paths = dataPaths(folder);
  if (!existsSync(paths.journal))
    throw new CommandFailed(`${paths.journal} does not exist. Specify the data folder with --data.`);
  return { folder, paths };
}

/** Locks the folder for the work; when a node runs on it, the work receives `true` instead. */
function aloneOrBeside<T>(folder: string, work: (isBesideNode: boolean) => T): T {
  let lock: FolderLock;
  try {
    lock = lockFolder(folder);
  } catch (error) {
    if (error instanceof FolderInUse) return work(true);
    throw error;
  }
  try {
    return work(false);
  } finally {
    lock.release();
  }
}

/** Runs the work; throws `CommandFailed` while a node runs on the folder. */
function whileAlone<T>(folder: string, work: () => T): T {
  try {
    const lock = lockFolder(folder);
    try {
      return work();
    } finally {
      lock.release();
    }
  } catch (error) {
    if (error instanceof FolderInUse) throw new CommandFailed(error.message, { cause: error });
    if (error instanceof JournalDamaged) throw new CommandFailed(error.message, { cause: error });
    throw error;
  }
}

interface Options {
  readonly data?: string;
  readonly withKey?: boolean;
  readonly full?: boolean;
  readonly untilSeq?: number;
  readonly json?: boolean;
}

/** The interval between reports of progress. */
const PROGRESS_MS = 5000;

export function addBackupCommands(program: Command, terminal: Terminal): void {
  program
    .command("backup <folder>")
    .description("Back up the journal and snapshots, also of a running node. Repeat it to add new entries.")
    .option("--data <folder>", "Data folder of the node (default: ./data)")
    .option("--with-key", "Include the master key. Anyone with this backup can then decrypt all secrets")
    .option("--full", "Verify by replaying the copy from its first batch, not from a snapshot")
    .option("--json", "Print JSON")
    .action(async (folder: string, { data, withKey = false, full = false, json = false }: Options) => {
      const from = dataFolder(data, terminal.environment);
      const onStep = progress("copied", terminal);
      const taken = await told(() =>
        takeBackup({ dataFolder: from, folder: resolve(folder), withKey, isFull: full, nowMs: Date.now, onStep }),
      );
      createOutput(json, terminal.print).one({ backup: resolve(folder), of: from, ...taken });
      if (!taken.hasMasterKey && !json)
        terminal.complain("The backup does not include the master key. Keep a copy of the key elsewhere.");
    });
  program
    .command("restore <folder>")
    .description("Restore a data folder from a backup. For checkpoints of a lab: lab restore.")
    .option("--data <folder>", "New or empty data folder (default: ./data)")
    .option("--until-seq <entry>", "Restore the state at this journal entry", wholeNumber)
    .option("--full", "Replay the journal from its first batch")
    .option("--json", "Print JSON")
    .action(async (folder: string, { data, untilSeq, full = false, json = false }: Options) => {
      const to = dataFolder(data, terminal.environment);
      const onStep = progress("restored", terminal);
      const restored = await told(() =>
        restoreBackup({ folder: resolve(folder), dataFolder: to, isFull: full, untilSeq, onStep }),
      );
      createOutput(json, terminal.print).one({ data: to, from: resolve(folder), ...restored });
      if (json) return;
      terminal.complain(`Payments are held until you remove ${heldPaymentsPath(to)}. The file explains why.`);
      if (!restored.hasMasterKey)
        terminal.complain("Copy the master key into the data folder, or configure it, before you start the node.");
    });
}

type ErrorKind = abstract new (...args: never) => Error;

export function progress(what: string, terminal: Terminal): (seq: number, untilSeq: number) => void {
  let saidMs = performance.now();
  return (seq, untilSeq) => {
    if (performance.now() - saidMs < PROGRESS_MS) return;
    saidMs = performance.now();
    terminal.complain(`${what} ${seq} of ${untilSeq} entries`);
  };
}

/** Turns errors that were written for the operator, `kinds` among them, into `CommandFailed`. */
export async function told<T>(work: () => Promise<T>, kinds: readonly ErrorKind[] = [CopyRefused]): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isTold = [...kinds, JournalDamaged, JournalUnreadable].some((kind) => error instanceof kind);
    if (!isTold && !isDiskTrouble(error)) throw error;
    throw new CommandFailed((error as Error).message, { cause: error });
  }
}
