/** The order of faults: each once, in a random order from the seed; then more of them while there is time. */
import type { Dice } from "@pricetime/testkit/dice";
import type { Fault } from "./fault.ts";
import { OWNER_FAULT } from "./owner.ts";
import { PARTITION_FAULTS } from "./partitions.ts";
import { PROCESS_FAULTS } from "./processes.ts";
import { STATE_FAULTS } from "./state.ts";

export const FAULTS: readonly Fault[] = [...PROCESS_FAULTS, OWNER_FAULT, ...PARTITION_FAULTS, ...STATE_FAULTS];

/** Yields faults without end; none if the list is empty. */
export function* schedule(dice: Dice, faults: readonly Fault[]): Generator<Fault, void> {
  while (faults.length > 0) yield* shuffled(dice, faults);
}

function shuffled<T>(dice: Dice, all: readonly T[]): T[] {
  const left = [...all];
  return all.map(() => left.splice(dice.below(left.length), 1)[0] as T);
}
