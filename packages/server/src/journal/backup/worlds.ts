/**
 * Copies the chains of sandbox networks. They stand for the world and are no part of the state, but a demo without its
 * world would see its coins leave the chain. They are copied after the journal, like a world that has moved on a
 * little.
 */
import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { makePrivateFile, makePrivateFolder } from "../../platform/disk/private-file.ts";

const FOLDER = "sandbox";
const IS_WORLD = /\.sqlite$/;
/** Enough to copy all pages in one step: a world that changes between steps would make the copy begin again. */
const PAGES_A_STEP = 1 << 20;

/** Copies all worlds to another folder, each whole or not at all, while a node runs. Returns their number. */
export async function copyWorlds(fromFolder: string, toFolder: string): Promise<number> {
  const from = join(fromFolder, FOLDER);
  const names = existsSync(from) ? readdirSync(from).filter((name) => IS_WORLD.test(name)) : [];
  if (names.length === 0) return 0;
  const to = join(toFolder, FOLDER);
  makePrivateFolder(to);
  for (const name of names) await copyWorld(join(from, name), join(to, name));
  return names.length;
}

async function copyWorld(from: string, to: string): Promise<void> {
  const partial = `${to}.partial`;
  rmSync(partial, { force: true });
  makePrivateFile(partial);
  const source = new DatabaseSync(from, { readOnly: true });
  try {
    await backup(source, partial, { rate: PAGES_A_STEP });
  } finally {
    source.close();
  }
  asOneFile(partial);
  for (const side of ["-wal", "-shm"]) rmSync(to + side, { force: true });
  renameSync(partial, to);
}

function asOneFile(path: string): void {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = DELETE");
  database.close();
}
