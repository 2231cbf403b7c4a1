/** The lines under the form's fields: what the order comes to. */
import { compare, cutTo, type Decimal, formatDecimal, formatShort, multiply, raiseTo } from "../exact/decimal.ts";
import { BLANK, grouped } from "../exact/shown.ts";
import { legsOf } from "../rules/check-oco.ts";
import { form as words, numbers } from "../words/words.ts";
import type { Desk } from "./desk.ts";
import type { Check } from "./form-check.ts";
import { costsOf } from "./form-costs.ts";
import { HUNDRED } from "./show.ts";

/** From here on a warning is shown: one percent. */
const SLIPPAGE_HIGH: Decimal = { units: 1n, digits: 2 };

const cut = (value: Decimal, digits: number): string => grouped(formatDecimal(cutTo(value, digits), digits));

export function FormSums({ desk, check }: { desk: Desk; check: Check }) {
  const { market, book, oco } = check;
  const draft = check.draft ?? (oco === null ? null : legsOf(oco)[1]);
  if (draft === null) return null;
  const { total, fee, estimate } = costsOf(draft, market, book, desk.account.commission.value);
  const shownDigits = Math.max(2, Math.min(market.quoteDigits, market.priceDigits));
  const lines: [string, string][] = [
    [words.total, total === null ? BLANK : `${cut(raiseTo(total, shownDigits), shownDigits)} ${market.quoteAsset}`],
  ];
  if (fee !== null) lines.push([words.fee(words[fee.role]), `${grouped(formatShort(fee.amount))} ${fee.asset}`]);
  if (estimate !== null) {
    const slippage = cut(raiseTo(multiply(estimate.slippage, HUNDRED), 2), 2);
    lines.push([words.average, cut(estimate.average, market.priceDigits)]);
    lines.push([words.worst, cut(estimate.worst, market.priceDigits)], [words.slippage, numbers.percent(slippage)]);
  }
  return (
    <>
      <dl class="sums">
        {lines.map(([name, value]) => (
          <div key={name} class="sum">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {estimate !== null && compare(estimate.slippage, SLIPPAGE_HIGH) >= 0 && (
        <p class="problem hint">{words.slippageHigh(numbers.percent(cut(multiply(estimate.slippage, HUNDRED), 1)))}</p>
      )}
      {estimate !== null && !estimate.isWhole && <p class="problem hint">{words.bookTooThin}</p>}
    </>
  );
}
