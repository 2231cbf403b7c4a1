/** Measures the most expensive request of each endpoint on the thread that accepts orders: docs/internals/costs.md. */
import { DearVenue } from "./dear-venue.ts";
import { heardOf } from "./heard.ts";
import { heardTableOf, measure, tableOf } from "./measure.ts";
import type { BenchOptions } from "../measure.ts";

const ROUNDS = 15;

export async function run({ rounds = ROUNDS }: BenchOptions): Promise<string[]> {
  const venue = new DearVenue();
  try {
    await venue.started();
    const asked = tableOf(await measure(venue, rounds));
    const heard = heardTableOf(await heardOf(venue)(rounds));
    return [`least of ${rounds} rounds`, "", ...asked, "", ...heard];
  } finally {
    await venue.close();
  }
}
