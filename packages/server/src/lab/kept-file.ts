/**
 * What a lab holds beside its journal, for when it is started again on its folder: the hand on its markets, its faults,
 * its latency, and where its clock stood. Written at its end and at each checkpoint; a lab that is killed goes on with
 * what was written last.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ConfigError } from "../platform/config/config-error.ts";
import { makePrivateFile } from "../platform/disk/private-file.ts";
import type { KeptValue } from "../platform/world/kept.ts";
import { keptCount, keptPart, KeptUnreadable, readKept } from "../platform/world/read-kept.ts";

export const LAB_KEPT_FILE = "lab-kept.json";

const KEPT = z.strictObject({
  /** The last entry of the journal then. */
  seq: keptCount,
  nowMs: keptCount,
  markets: keptPart,
  faults: keptPart,
  latency: keptPart,
});

export interface KeptOfLab {
  readonly seq: number;
  readonly nowMs: number;
  readonly markets: KeptValue;
  readonly faults: KeptValue;
  readonly latency: KeptValue;
}

/** Either all of it is written or nothing. Throws errors of the disk. */
export function writeLabKept(folder: string, kept: KeptOfLab): void {
  const path = join(folder, LAB_KEPT_FILE);
  const fresh = `${path}.new`;
  makePrivateFile(fresh);
  writeFileSync(fresh, `${JSON.stringify(kept)}\n`);
  renameSync(fresh, path);
}

/** Undefined when there is no file, or when it belongs to entries that the journal lacks. Throws `ConfigError`. */
export function readLabKept(folder: string, lastSeq: number): KeptOfLab | undefined {
  const path = join(folder, LAB_KEPT_FILE);
  if (!existsSync(path)) return undefined;
  return orUnusable(path, () => {
    const kept = readKept("the lab", KEPT, JSON.parse(readFileSync(path, "utf8")) as KeptValue);
    return kept.seq > lastSeq ? undefined : kept;
  });
}

/** Throws `ConfigError` when the file cannot be used. */
export function orUnusable<T>(path: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (!(error instanceof KeptUnreadable || error instanceof SyntaxError)) throw error;
    throw new ConfigError(`${path} is damaged. Remove it to start without its moves, faults and latency`);
  }
}
