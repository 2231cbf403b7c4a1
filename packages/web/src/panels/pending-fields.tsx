/**
 * The take profit and the stop loss of a limit order in the form: their fields, their outcome, and their part of the
 * confirmation (decision 101).
 */
import type { OtoDraft } from "../account/port.ts";
import { compare, cutTo, formatDecimal, HUNDRED, multiply, NONE, raiseTo, subtract } from "../exact/decimal.ts";
import { grouped, MINUS, showPercent } from "../exact/shown.ts";
import type { Book, Market } from "../market/port.ts";
import { amountDigits } from "../rules/market-filters.ts";
import { type ExitField, exitField, exitFieldsOf, outcomesOf } from "../rules/pending-orders.ts";
import { exitWords, form as words } from "../words/words.ts";
import { type FactGroup, Tick } from "./controls.tsx";
import { placeOf } from "./form-check.ts";
import { type FieldsProps, NumberField, StopChoice, unitOf } from "./order-fields.tsx";
import { draftFacts, orderFacts } from "./order-summary.ts";
import type { Costs } from "./order-amounts.ts";
import { isTrailingExit, mayHaveExits, type Ticket } from "./ticket.ts";

export function PendingFields({ ticket, market, problems, onTouch }: FieldsProps) {
  if (!mayHaveExits(ticket, market)) return null;
  const isOn = ticket.hasExits.value;
  const back = ticket.side.value === "BUY" ? words.sell : words.buy;
  return (
    <>
      <div class="options">
        <Tick
          name="exits"
          title={exitWords.why(back)}
          isOn={isOn}
          onTick={(on) => {
            ticket.hasExits.value = on;
            onTouch();
          }}
        >
          {exitWords.title}
        </Tick>
      </div>
      {isOn &&
        exitFieldsOf(market).map((exit) => {
          const isStop = exit === "stopLossPrice" && market.allowTrailingStop;
          const name = isStop && isTrailingExit(ticket, market) ? "trailingDelta" : exit;
          return (
            <NumberField
              key={exit}
              name={name}
              label={words.fields[name]}
              {...unitOf(name, market)}
              {...(isStop && { choice: <StopChoice ticket={ticket} label={words.fields[exit]} /> })}
              value={ticket.fields[name]}
              problems={problems.filter((problem) => placeOf(problem) === name)}
              onTouch={onTouch}
            />
          );
        })}
    </>
  );
}

/** Clears the exits after the order was accepted: the next order has other prices. */
export function clearExits(ticket: Ticket): void {
  ticket.hasExits.value = false;
  ticket.fields.takeProfitPrice.value = "";
  ticket.fields.stopLossPrice.value = "";
}

/** The profit or loss at each exit, before fees. Losses are rounded up. */
export function outcomeFacts(draft: OtoDraft, market: Market, book: Book | null): (readonly [ExitField, string])[] {
  const digits = amountDigits(market);
  return outcomesOf(draft, { market, book }).map(({ field, amount, fraction }) => {
    const isLoss = compare(amount, NONE) < 0 || compare(fraction, NONE) < 0;
    const sign = isLoss ? MINUS : "+";
    const whole = isLoss ? raiseTo(subtract(NONE, amount), digits) : cutTo(amount, digits);
    const percent = multiply(isLoss ? subtract(NONE, fraction) : fraction, HUNDRED);
    const shown = showPercent(isLoss ? raiseTo(percent, 2) : cutTo(percent, 2));
    const text = `${sign}${grouped(formatDecimal(whole, digits))} ${market.quoteAsset}`;
    return [field, exitWords.outcome(words.about(text), `${sign}${shown}`)] as const;
  });
}

/** The facts of all orders for the confirmation: the working order first, then the take profit and the stop loss. */
export function otoFacts(draft: OtoDraft, market: Market, costs: Costs, book: Book | null): readonly FactGroup[] {
  const outcomes = new Map(outcomeFacts(draft, market, book));
  const groups = draft.pending.toReversed().map((order): FactGroup => {
    const field = exitField(order);
    const facts: (readonly [string, string])[] = [
      [exitWords.placed, exitWords.whenFilled],
      [words.side, order.side === "BUY" ? words.buy : words.sell],
      ...draftFacts(order, market).filter(([name]) => name !== words.activationPrice),
    ];
    if (order.quantity === undefined) facts.push([words.fields.quantity, exitWords.bought]);
    const outcome = outcomes.get(field);
    if (outcome !== undefined) facts.push([exitWords.outcomes[field], outcome]);
    return { title: exitWords.names[field], facts };
  });
  return [{ title: exitWords.working, facts: orderFacts(draft.working, market, costs) }, ...groups];
}
