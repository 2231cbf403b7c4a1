/** Changes a price of an open order in its row, as a user does. */
import type { Terminal } from "./terminal.ts";
import type { Order } from "./venue.ts";

/** The columns in which an order is changed, with their names in the interface. */
export const COLUMNS = { Price: "price", Trigger: "stopPrice" } as const;
export type PriceColumn = keyof typeof COLUMNS;

const shownPrice = (price: string): string => Number(price).toLocaleString("en-US", { minimumFractionDigits: 2 });

/** The only cell of that column with that price. */
export async function changeCell(
  { tables }: Pick<Terminal, "tables">,
  column: PriceColumn,
  from: string,
  to: string,
): Promise<void> {
  await tables.getByRole("button", { name: `Change ${column.toLowerCase()} ${shownPrice(from)}` }).click();
  const field = tables.getByRole("textbox", { name: column });
  await field.fill(to);
  await field.press("Enter");
}

/** Waits until a cell of that column has this text. */
export async function untilCell(
  { tables }: Pick<Terminal, "tables">,
  column: PriceColumn,
  price: string,
): Promise<void> {
  await tables.getByRole("button", { name: `Change ${column.toLowerCase()} ${shownPrice(price)}` }).waitFor();
}

const UNMOVED = [
  ...(["symbol", "side", "type", "timeInForce", "status", "price", "stopPrice", "icebergQty", "origQty"] as const),
  ...(["trailingDelta", "pegPriceType", "pegOffsetValue", "selfTradePreventionMode"] as const),
] as const;

/** All fields that a moved order keeps, and its prices. */
export const unmoved = (order: Order): Partial<Order> =>
  Object.fromEntries(UNMOVED.flatMap((name) => (order[name] === undefined ? [] : [[name, order[name]]])));
