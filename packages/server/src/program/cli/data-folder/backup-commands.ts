/** `backup` and `restore`: they run on the machine of the data folder, with or without a running node. */
import { resolve } from "node:path";
import type { Command } from "commander";
import { takeBackup } from "../../../journal/backup/backup.ts";
import { CopyRefused } from "../../../journal/backup/refused.ts";
import { restoreBackup } from "../../../journal/backup/restore.ts";
import { heldPaymentsPath } from "../../../platform/config/held-payments.ts";
import { isDiskTrouble } from "../../../platform/disk/disk-trouble.ts";
import { JournalDamaged, JournalUnreadable } from "../../../journal/port.ts";
import { dataFolder } from "../session/connection.ts";
import { CommandFailed } from "../session/failure.ts";
import { createOutput } from "../session/output.ts";
import { wholeNumber } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

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
