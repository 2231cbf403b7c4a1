/** The order lists of the model. */
import type { ListKind } from "@pricetime/engine";
import type { ModelOrder } from "./market.ts";
import type { Amount } from "./money.ts";

interface ListHead {
  readonly orderListId: number;
  readonly listClientOrderId: string;
  readonly accountId: number;
  readonly symbolId: number;
  readonly timeMs: number;
  readonly kind: ListKind;
}

/** A working order, and the orders that are placed when it is filled. */
export interface ModelOto extends ListHead {
  readonly working: ModelOrder;
  /** One order, or the stop leg and the limit leg of a pair. */
  readonly pending: readonly ModelOrder[];
  /** What the working order bought, locked for pending orders that sell it. */
  held: Amount;
}

/** Two orders, one of which is cancelled when the other trades or ends. */
export interface ModelList extends ListHead {
  /** The order after whose fill the pair was placed; null if there was none. */
  readonly after: ModelOrder | null;
  readonly stopLeg: ModelOrder;
  readonly limitLeg: ModelOrder;
  /** The amount that the list has locked. Its orders lock nothing themselves while the list exists. */
  locked: Amount;
}
