/**
 * Versions of the rules. A corrected rule must not change the result of an existing journal: the engine follows the
 * version named in its journal, or the first if there is none, and a node that has a newer version journals
 * `adoptRules` when it starts. See docs/decisions/0013.
 *
 * 2: a signed withdrawal fails only by a report of its network; a second two-factor secret does not replace the first,
 * and a withdrawal names the secret of its code; a stop order that buys at market price also spends the free balance;
 * rejections about dust do not depend on the order of the assets.
 * 3: the event digest, which a journal stores with each batch, covers all fields of all events.
 * 4: locking an account ends its open orders; see the list in docs/decisions/0068-rules-version-4.md.
 * 5: self-trade prevention, amendments and expiry reasons; see docs/decisions/0091-rules-version-5.md.
 */
export const FIRST_EDITION = 1;
export const NEWEST_EDITION = 5;

/** The entry that a node appends to a journal with older rules. */
export const ADOPT_NEWEST_RULES = { type: "adoptRules", edition: NEWEST_EDITION } as const;

/** Whether this release supports the rules version. */
export function isKnownEdition(edition: number): boolean {
  return Number.isInteger(edition) && edition >= FIRST_EDITION && edition <= NEWEST_EDITION;
}
