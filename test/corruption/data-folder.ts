/** A data folder with everything in it, ways to hurt it, and what a start and the checks say of it then. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { Engine } from "@pricetime/engine";
import {
  type DataPaths,
  dataPaths,
  JournalFile,
  openProjection,
  recover,
  SnapshotFolder,
  verifyHistory,
  verifyJournalFile,
} from "@pricetime/server/data-folder";
import { MACHINE } from "@pricetime/server/parts";
import { batchesOf, dumpHistory, randomFlow } from "@pricetime/testkit/journal";
import { scratchFolder } from "@pricetime/testkit/scratch";

const SEED = 21;
const WHOLE = new Engine();
const BATCHES = batchesOf(SEED, randomFlow(SEED, 500), WHOLE);

export interface Sound {
  readonly folder: string;
  readonly engine: Engine;
  readonly history: Readonly<Record<string, string[]>>;
  /** Sequence numbers of the first and the last row. */
  readonly firstSeqs: readonly number[];
}

/** `killed`: as a process leaves it that had no time to close its files. */
export function soundFolder(t: TestContext, how: "stopped" | "killed"): Sound {
  const folder = scratchFolder(t);
  const paths = dataPaths(folder);
  const journal = JournalFile.open(paths.journal);
  const half = BATCHES.length >> 1;
  for (const batch of BATCHES.slice(0, half)) journal.append(batch);
  const projection = openProjection({ paths, snapshotEveryEntries: 100 });
  const firstSeqs = BATCHES.map(({ firstSeq }) => firstSeq);
  for (const seq of firstSeqs) projection.advance(seq - 1);
  for (const batch of BATCHES.slice(half)) journal.append(batch);
  for (const seq of firstSeqs) projection.advance(seq - 1);
  while (projection.advance(Number.POSITIVE_INFINITY));
  const history = dumpHistory(paths.history);
  const killed = scratchFolder(t);
  if (how === "killed") cpSync(folder, killed, { recursive: true });
  projection.close();
  journal.close();
  return { folder: how === "killed" ? killed : folder, engine: WHOLE, history, firstSeqs };
}

export function copyOf(sound: Sound, to: string): DataPaths {
  rmSync(to, { recursive: true, force: true });
  cpSync(sound.folder, to, { recursive: true });
  return dataPaths(to);
}

/** Every file that has something in it, by its path from the folder on. Shared memory of SQLite holds nothing. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith("-shm"))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((name) => readFileSync(join(folder, name)).length > 0)
    .sort();
}

export type Hurt =
  | { readonly how: "flip"; readonly at: number; readonly bit: number }
  | { readonly how: "cut"; readonly to: number }
  | { readonly how: "remove" };

export function hurtFile(path: string, hurt: Hurt): void {
  if (hurt.how === "remove") return rmSync(path);
  if (hurt.how === "cut") return truncateSync(path, hurt.to);
  const bytes = readFileSync(path);
  bytes[hurt.at] = (bytes[hurt.at] as number) ^ (1 << hurt.bit);
  return writeFileSync(path, bytes);
}

export interface Verdict {
  /** What the journal's checks say, with the place; undefined: it is sound. */
  readonly journal: string | undefined;
  readonly history: string | undefined;
  /** Snapshots that were passed over, and why. */
  readonly snapshots: readonly string[];
  /** What would be served; undefined: nothing, the node does not start. */
  readonly engine: Engine | undefined;
}

/** A start as a node makes it, then every check there is. */
export async function examine(paths: DataPaths): Promise<Verdict> {
  const fault = faultOf(paths.journal);
  try {
    JournalFile.open(paths.journal).close();
  } catch (error) {
    return { journal: (error as Error).message, history: undefined, snapshots: [], engine: undefined };
  }
  const rows = JournalFile.openReadOnly(paths.journal);
  try {
    const { engine, refused } = recover(rows, new SnapshotFolder(paths.snapshots), { world: MACHINE });
    const { fault: history } = verifyHistory(paths);
    return { journal: fault?.what, history: history ?? undefined, snapshots: refused, engine };
  } catch (error) {
    return { journal: (error as Error).message, history: undefined, snapshots: [], engine: undefined };
  } finally {
    rows.close();
  }
}

/** History as a node has it a moment after its start. */
export function caughtUp(paths: DataPaths): Readonly<Record<string, string[]>> {
  const projection = openProjection({ paths, snapshotEveryEntries: 0 });
  try {
    while (projection.advance(Number.POSITIVE_INFINITY));
  } finally {
    projection.close();
  }
  return dumpHistory(paths.history);
}

function faultOf(journal: string): { readonly what: string } | null {
  if (!existsSync(journal)) return { what: `${journal}: there is no journal` };
  try {
    return verifyJournalFile(journal).fault;
  } catch (error) {
    return { what: (error as Error).message };
  }
}
