/**
 * Versions of the rules, and the interface that some of them follow. A corrected rule must not change the result of an existing journal: the engine follows the
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
import type { StepOrigin } from "../numbers.ts";
import type { SelfTradePreventionMode } from "./order-record.ts";

export const FIRST_EDITION = 1;
export const NEWEST_EDITION = 5;

/**
 * The interfaces with which a venue may answer: that of 2019 and today's. The name is part of the state, because the
 * engine's rules follow it (`setInterface`). See docs/decisions/0095.
 */
export const INTERFACES = ["2019", "today"] as const;
export type InterfaceName = (typeof INTERFACES)[number];

/** The rules of the engine that follow the interface. What else differs is in `interfaces.ts` of the protocol. */
export const INTERFACE_RULES = {
  "2019": { stepOrigin: "minimum", selfTradePrevention: "NONE", hasListenKeys: true },
  today: { stepOrigin: "zero", selfTradePrevention: "EXPIRE_MAKER", hasListenKeys: false },
} as const satisfies Readonly<Record<InterfaceName, InterfaceRules>>;

interface InterfaceRules {
  readonly stepOrigin: StepOrigin;
  /** The mode of orders that name none, on symbols without a default of their own. */
  readonly selfTradePrevention: SelfTradePreventionMode;
  /** Whether user streams are opened with listen keys. */
  readonly hasListenKeys: boolean;
}

/** The entry that a node appends to a journal with older rules. */
export const ADOPT_NEWEST_RULES = { type: "adoptRules", edition: NEWEST_EDITION } as const;

/** Whether this release supports the rules version. */
export function isKnownEdition(edition: number): boolean {
  return Number.isInteger(edition) && edition >= FIRST_EDITION && edition <= NEWEST_EDITION;
}
