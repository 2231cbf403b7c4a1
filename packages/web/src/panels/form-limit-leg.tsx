/** The type of an OCO's limit leg: a maker in the book, or an order that waits for its trigger as the stop leg does. */
import type { Market } from "../market/port.ts";
import { LIMIT_LEG_TYPES } from "../rules/order-types.ts";
import { tables, form as words } from "../words/words.ts";
import type { Ticket } from "./ticket.ts";

export function LimitLeg({ ticket, market }: { ticket: Ticket; market: Market }) {
  const types = LIMIT_LEG_TYPES.filter((type) => market.orderTypes.includes(type));
  return (
    <label class="tif leg">
      <span>{words.limitLeg}</span>
      <select
        name="limitType"
        value={ticket.limitType.value}
        onChange={(event) => {
          ticket.limitType.value = types.find((type) => type === event.currentTarget.value) ?? "LIMIT_MAKER";
        }}
      >
        {types.map((type) => (
          <option key={type} value={type}>
            {tables.types[type] ?? type}
          </option>
        ))}
      </select>
    </label>
  );
}
