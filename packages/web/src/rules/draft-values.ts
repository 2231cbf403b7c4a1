/** A draft's texts as values; null: absent, or no decimal above zero. */
import type { OrderDraft } from "../account/port.ts";
import { type Decimal, parseDecimal } from "../exact/decimal.ts";

export interface DraftValues {
  readonly price: Decimal | null;
  readonly stopPrice: Decimal | null;
  readonly quantity: Decimal | null;
  readonly quoteQuantity: Decimal | null;
  readonly icebergQty: Decimal | null;
}

export function valuesOf(draft: OrderDraft): DraftValues {
  return {
    price: read(draft.price),
    stopPrice: read(draft.stopPrice),
    quantity: read(draft.quantity),
    quoteQuantity: read(draft.quoteOrderQty),
    icebergQty: read(draft.icebergQty),
  };
}

function read(text: string | undefined): Decimal | null {
  const value = text === undefined ? null : parseDecimal(text.trim());
  return value === null || value.units <= 0n ? null : value;
}
