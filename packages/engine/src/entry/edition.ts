/**
 * Editions of the rules. A corrected rule must not change the outcome of a journal that is already written: the engine
 * follows the edition named in its journal, or the first if there is none, and a node that knows a newer one journals
 * `adoptRules` at its start. See docs/decisions/0013.
 *
 * 2: a signed withdrawal fails only by word of its network; a second two-factor secret does not replace the first, and
 * a withdrawal names the secret of its code; a stop that buys at any price spends free money too; refusals about dust
 * do not depend on the order of the assets.
 * 3: the event digest, which a journal keeps with each batch, covers all fields of all events.
 * 4: a freeze ends open orders; see the list in docs/decisions/0068-rules-version-4.md.
 */
export const FIRST_EDITION = 1;
export const NEWEST_EDITION = 4;

/** The entry that a node appends to a journal that follows an older edition. */
export const ADOPT_NEWEST_RULES = { type: "adoptRules", edition: NEWEST_EDITION } as const;

/** Whether this release can follow the edition. */
export function isKnownEdition(edition: number): boolean {
  return Number.isInteger(edition) && edition >= FIRST_EDITION && edition <= NEWEST_EDITION;
}
