/**
 * Editions of the rules. A rule that is mended must not change what a journal led to that is already written: so the
 * engine keeps to the edition that its journal says, the first for a journal that never says, and a node that
 * knows a newer one journals `adoptRules` at its start. See docs/decisions/0013.
 *
 * 2: a withdrawal that is signed fails by word of its network alone; a second two-factor secret does not replace the
 * first, and a withdrawal says which secret its code was of; a stop that buys at any price spends free money too; what is
 * said of dust does not depend on the order in which assets are named.
 * 3: the event digest, which a journal keeps with each batch, is of all fields of all events.
 */
export const FIRST_EDITION = 1;
export const NEWEST_EDITION = 3;

/** The entry that a node appends to a journal that follows an older edition. */
export const ADOPT_NEWEST_RULES = { type: "adoptRules", edition: NEWEST_EDITION } as const;

/** Whether this release can follow the edition. */
export function isKnownEdition(edition: number): boolean {
  return Number.isInteger(edition) && edition >= FIRST_EDITION && edition <= NEWEST_EDITION;
}
