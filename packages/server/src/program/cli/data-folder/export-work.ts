/** The work of `export`. Loaded only when it runs: only exports write Parquet. */
import { isDiskTrouble } from "../../../platform/disk.ts";
import { type Extracted, extract } from "../../../research/extract/extract.ts";
import { ExtractRefused, type ExtractRequest } from "../../../research/extract/request.ts";
import { JournalDamaged, JournalUnreadable } from "../../../journal/port.ts";
import { OutputRefused } from "../../../research/market-files/output-file.ts";
import { openReader } from "../../../journal/storage/open-journal.ts";
import { MACHINE } from "../../../platform/world/machine.ts";
import { progress } from "./folder-commands.ts";
import { CommandFailed, type Terminal } from "../session/terminal.ts";

const FORESEEN = [ExtractRefused, OutputRefused, JournalDamaged, JournalUnreadable];

/** Throws `CommandFailed`. */
export function exportFrom(journal: string, request: ExtractRequest, terminal: Terminal): Extracted {
  try {
    const reader = openReader(journal);
    try {
      return extract(reader, request, { dice: MACHINE, onStep: progress("replayed", terminal) });
    } finally {
      reader.close();
    }
  } catch (error) {
    const isTold = FORESEEN.some((kind) => error instanceof kind) || isDiskTrouble(error);
    throw isTold ? new CommandFailed((error as Error).message, { cause: error }) : error;
  }
}
