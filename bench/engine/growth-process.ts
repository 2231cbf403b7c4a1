/** `growth-process.ts <resting orders> <accounts>` prints a `Growth`, in a process of its own. */
import assert from "node:assert/strict";
import type { Growth } from "./growth.ts";
import { makeFlow, type Step } from "./flow.ts";
import { commandOf, Venue } from "./flow-venue.ts";
import { collectGarbage, usedBytes } from "./garbage.ts";

const ROUNDS = 6;
const STEPS_A_ROUND = 50_000;
const SEED = 1;

const [resting, accounts] = process.argv.slice(2).map(Number) as [number, number];
const flow = makeFlow("mixed", 1, SEED, ROUNDS * STEPS_A_ROUND, resting);

const atFirst = usedBytes();
const venue = new Venue(1, accounts);
const withAccounts = usedBytes();
for (const step of flow.opening) apply(step);
const open = venue.engine.openOrderCount;
const bytesPerOrder = (usedBytes() - withAccounts) / open - bytesPerClientId(open);

const nsPerCommand: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const from = round * STEPS_A_ROUND;
  const commands = flow.steps.slice(from, from + STEPS_A_ROUND).map((step) => commandOf(step, accounts));
  collectGarbage();
  const started = performance.now();
  for (const command of commands) venue.apply(command);
  if (round > 0) nsPerCommand.push(((performance.now() - started) * 1e6) / STEPS_A_ROUND);
}
const bytesPerAccount = (withAccounts - atFirst) / accounts;
console.log(JSON.stringify({ nsPerCommand, bytesPerAccount, bytesPerOrder } satisfies Growth));

function apply(step: Step): void {
  const [event] = venue.apply(commandOf(step, accounts));
  assert.ok(event !== undefined && event.type !== "rejected");
}

/** The text only, without an object that refers to it. */
function bytesPerClientId(count: number): number {
  const before = usedBytes();
  const places = Array.from({ length: count }, () => "");
  const withPlaces = usedBytes();
  for (let i = 0; i < count; i++) places[i] = `order${resting - i}`;
  const withTexts = usedBytes();
  assert.ok(places.length === count && before < withTexts);
  return (withTexts - withPlaces) / count;
}
