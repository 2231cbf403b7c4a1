/**
 * The chains of sandbox networks. They stand for the world and are no part of the state, but a demo whose world is gone
 * would see its coins leave the chain: so they are copied after the journal, as a world that went on a little.
 */
import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { makePrivateFile, makePrivateFolder } from "../disk/private-file.ts";

const FOLDER = "sandbox";
const IS_WORLD = /\.sqlite$/;
/** Copied in one go: a world that moves on meanwhile would have it begin again. */
const PAGES_A_STEP = 1 << 20;

/** Copies those of one folder to another, each whole or not at all, while a node plays in them. Answers with their number. */
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
