/** `backup` and `restore`: they run on the machine of the data folder, with or without a running node. */
import { resolve } from "node:path";
import type { Command } from "commander";
import { takeBackup } from "../../backup/backup.ts";
import { CopyRefused } from "../../backup/refused.ts";
import { restoreBackup } from "../../backup/restore.ts";
import { heldPaymentsPath } from "../../config/held-payments.ts";
import { isDiskTrouble } from "../../disk/disk-trouble.ts";
import { JournalDamaged, JournalUnreadable } from "../../journal/port.ts";
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
    .description("copy journal and snapshots of a running node; again: what is new")
    .option("--data <folder>", "the node's data folder (./data)")
    .option("--with-key", "copy the master key, too: who has such a backup can open all secrets")
    .option("--full", "replay every row of the copy, not from its snapshot on")
    .option("--json", "print JSON")
    .action(async (folder: string, { data, withKey = false, full = false, json = false }: Options) => {
      const from = dataFolder(data, terminal.environment);
      const onStep = progress("copied", terminal);
      const taken = await told(() =>
        takeBackup({ dataFolder: from, folder: resolve(folder), withKey, isFull: full, nowMs: Date.now, onStep }),
      );
      createOutput(json, terminal.print).one({ backup: resolve(folder), of: from, ...taken });
      if (!taken.hasMasterKey && !json) terminal.complain("The master key is not in it: keep a copy of it elsewhere.");
    });
  program
    .command("restore <folder>")
    .description("make a data folder from a backup")
    .option("--data <folder>", "the data folder to make; not there, or empty (./data)")
    .option("--until-seq <entry>", "the state as it was at this entry", wholeNumber)
    .option("--full", "replay every row from the first")
    .option("--json", "print JSON")
    .action(async (folder: string, { data, untilSeq, full = false, json = false }: Options) => {
      const to = dataFolder(data, terminal.environment);
      const onStep = progress("restored", terminal);
      const restored = await told(() =>
        restoreBackup({ folder: resolve(folder), dataFolder: to, isFull: full, untilSeq, onStep }),
      );
      createOutput(json, terminal.print).one({ data: to, from: resolve(folder), ...restored });
      if (json) return;
      terminal.complain(`Nothing is paid on networks until you remove ${heldPaymentsPath(to)}, which says why.`);
      if (!restored.hasMasterKey) terminal.complain("Put the master key in it, or configure it, and start.");
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
