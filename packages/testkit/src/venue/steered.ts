/**
 * For `node --import`: controls the clock and the disk of a process through a JSON file, `TEST_STEERING_FILE`.
 * `clockMs`: by how much the wall clock is ahead. `sleptMs`: how long the machine has slept. `commitMs`: the minimum
 * duration of each commit of the journal.
 */
import { readFileSync } from "node:fs";
import { StatementSync } from "node:sqlite";
import { moveUptime } from "./machine.ts";

interface Steering {
  readonly clockMs?: number;
  readonly sleptMs?: number;
  readonly commitMs?: number;
}

const path = process.env["TEST_STEERING_FILE"] ?? "";
const steering = (): Steering => JSON.parse(readFileSync(path, "utf8")) as Steering;

const now = Date.now;
Date.now = () => {
  const { clockMs = 0, sleptMs = 0 } = steering();
  return now() + clockMs + sleptMs;
};
moveUptime(() => steering().sleptMs ?? 0);

const IDLE = new Int32Array(new SharedArrayBuffer(4));
const run = StatementSync.prototype.run;
StatementSync.prototype.run = function slowRun(this: StatementSync, ...values: Parameters<typeof run>) {
  const done = run.apply(this, values);
  const { commitMs = 0 } = steering();
  if (commitMs > 0 && this.sourceSQL.startsWith("INSERT INTO batches")) Atomics.wait(IDLE, 0, 0, commitMs);
  return done;
} as typeof run;
