/** What can be said of an order beside its prices and its quantity: how long, post only, iceberg. */
import type { Market } from "../market/port.ts";
import { TIMES_IN_FORCE } from "../rules/order-types.ts";
import type { Problem } from "../rules/problem.ts";
import { form as words } from "../words/words.ts";
import { placeOf } from "./form-check.ts";
import { NumberField } from "./number-field.tsx";
import { isIcebergOf, mayBeIceberg, type Ticket } from "./ticket.ts";

interface Props {
  readonly ticket: Ticket;
  readonly market: Market;
  readonly problems: readonly Problem[];
  readonly onTouch: () => void;
}

export function FormOptions({ ticket, market, problems, onTouch }: Props) {
  const kind = ticket.kind.value;
  if (kind === "market" || kind === "stop" || kind === "take-profit") return null;
  const isPostOnly = kind === "limit" && ticket.isPostOnly.value;
  const hasIceberg = isIcebergOf(ticket);
  return (
    <>
      <div class="options">
        {kind === "limit" && market.orderTypes.includes("LIMIT_MAKER") && (
          <label class="tick" title={words.postOnlyWhy}>
            <input
              type="checkbox"
              name="postOnly"
              checked={isPostOnly}
              onChange={(event) => {
                ticket.isPostOnly.value = event.currentTarget.checked;
              }}
            />
            {words.postOnly}
          </label>
        )}
        {market.icebergAllowed && mayBeIceberg(ticket) && (
          <label class="tick">
            <input
              type="checkbox"
              name="iceberg"
              checked={hasIceberg}
              onChange={(event) => {
                ticket.isIceberg.value = event.currentTarget.checked;
              }}
            />
            {words.iceberg}
          </label>
        )}
        {!isPostOnly && (
          <label class="tif">
            <span class="unseen">{words.timeInForce}</span>
            <select
              name="timeInForce"
              title={`${words.timeInForce}: ${words.times[ticket.timeInForce.value]}`}
              disabled={hasIceberg}
              value={hasIceberg ? "GTC" : ticket.timeInForce.value}
              onChange={(event) => {
                ticket.timeInForce.value = TIMES_IN_FORCE.find((time) => time === event.currentTarget.value) ?? "GTC";
              }}
            >
              {TIMES_IN_FORCE.map((time) => (
                <option key={time} value={time} title={words.times[time]}>
                  {time}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {hasIceberg && (
        <NumberField
          name="icebergQty"
          label={words.fields.icebergQty}
          unit={market.baseAsset}
          value={ticket.fields.icebergQty}
          step={market.stepSize}
          digits={market.quantityDigits}
          problems={problems.filter((problem) => placeOf(problem) === "icebergQty")}
          onTouch={onTouch}
        />
      )}
    </>
  );
}
