/** A thread that always reads an SQLite file: each of its two connections begins before the other ends. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

const { path, stop } = workerData as { readonly path: string; readonly stop: Int32Array };
const READ_MS = 3;

const [first, second] = [open(), open()];
begin(first);
parentPort?.postMessage(null);
while (Atomics.load(stop, 0) === 0) {
  for (const [next, last] of [
    [second, first],
    [first, second],
  ] as const) {
    begin(next);
    last.exec("COMMIT");
    Atomics.wait(stop, 0, 0, READ_MS);
  }
}

function open(): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true });
  database.exec("PRAGMA busy_timeout = 0");
  return database;
}

function begin(database: DatabaseSync): void {
  database.exec("BEGIN");
  assert.ok(database.prepare("SELECT count(*) FROM rows").get());
}
