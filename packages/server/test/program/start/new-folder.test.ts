import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { lockFolder } from "../../../src/journal/storage/data-folder.ts";
import { newFolder } from "../../../src/program/start/open-folder.ts";

let root = "";
beforeEach(() => {
  root = temporaryFolder();
});
afterEach(() => rmSync(root, { recursive: true }));

/** The folder that a start creates first. */
function make(folder: string): void {
  mkdirSync(join(folder, "sandbox"), { recursive: true });
  for (const name of ["journal.sqlite", "journal.sqlite-wal", "node.lock", "master.key", "sandbox/BTC.sqlite"]) {
    writeFileSync(join(folder, name), "");
  }
}

test("folders that the start created are removed again", () => {
  const made = newFolder(join(root, "a", "b", "c"));
  make(join(root, "a", "b", "c"));
  made?.remove();
  assert.deepEqual(readdirSync(root), []);
});

test("in an existing folder other files stay", () => {
  writeFileSync(join(root, "notes.txt"), "");
  writeFileSync(join(root, "master.key"), "");
  const made = newFolder(root);
  make(root);
  writeFileSync(join(root, "notes.swp"), "");
  made?.remove();
  assert.deepEqual(readdirSync(root).sort(), ["master.key", "notes.swp", "notes.txt"]);
});

test("an existing exchange and a folder in use by another node are not touched", () => {
  make(root);
  assert.equal(newFolder(root), undefined);
  const made = newFolder(join(root, "new"));
  make(join(root, "new"));
  rmSync(join(root, "new", "node.lock"));
  const lock = lockFolder(join(root, "new"));
  made?.remove();
  assert.ok(existsSync(join(root, "new", "journal.sqlite")));
  lock.release();
});

test("a start that created nothing removes nothing", () => {
  newFolder(join(root, "never"))?.remove();
  assert.deepEqual(readdirSync(root), []);
});
