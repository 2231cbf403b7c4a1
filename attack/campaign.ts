/** Runs attacks one after another. An attack that cannot be run counts as broken. */
import type { Attack, Campaign, Row } from "./attack.ts";
import { Scope } from "./scope.ts";
import { FULL_SIZE, prepareVenue, SHORT_SIZE, type Venue, type VenueSize } from "./venue.ts";

export interface CampaignOptions {
  readonly attacks: readonly Attack[];
  readonly isShort: boolean;
  readonly seconds: number;
  readonly say: (line: string) => void;
  /** The size of the attacked exchange; undefined: the default. */
  readonly size?: VenueSize;
}

export async function attackAll({ attacks, isShort, seconds, say, size }: CampaignOptions): Promise<Row[]> {
  const all = new Scope();
  let prepared: Promise<Venue> | undefined;
  const venue = (): Promise<Venue> => (prepared ??= prepareVenue(all, size ?? (isShort ? SHORT_SIZE : FULL_SIZE)));
  const rows: Row[] = [];
  try {
    for (const attack of attacks) {
      say(attack.name);
      const scope = new Scope();
      rows.push(...(await carryOut(attack, { isShort, seconds, scope, say, venue })));
      for (const failure of await scope.end()) say(`  cleanup: ${failure}`);
    }
  } finally {
    await all.end();
  }
  return rows;
}

async function carryOut(attack: Attack, campaign: Campaign): Promise<Row[]> {
  try {
    return await attack.run(campaign);
  } catch (error) {
    const broken = [`could not be run: ${(error as Error).message}`];
    return [{ attack: attack.name, does: "", bound: "", saw: "", broken }];
  }
}
