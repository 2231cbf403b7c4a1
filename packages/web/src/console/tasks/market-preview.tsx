/** What clients will see of a new market, warnings about it, and an order to try on its filters. */
import { useSignal } from "@preact/signals";
import { Field } from "../../pages/form.tsx";
import { Facts } from "../../pages/pane.tsx";
import { decimal, formatShort, multiply, parseDecimal } from "../../exact/decimal.ts";
import { grouped } from "../../exact/shown.ts";
import {
  type Example,
  exampleFor,
  type NewMarket,
  rejectionsOf,
  scaleOf,
  shownFilters,
  smallestOrder,
  warningsOf,
} from "../../rules/new-market.ts";
import { consoleForms, consoleListMarket as words } from "../../words/words.ts";
import { Part } from "./task-window.tsx";
import { cell } from "./typed-text.ts";

interface Props {
  readonly market: NewMarket;
  readonly status: string;
  readonly price: string;
  readonly takerBps: number;
}

export function MarketPreview({ market, status, price, takerBps }: Props) {
  const scale = scaleOf(market);
  const warnings = warningsOf(market, price, takerBps);
  return (
    <div class="column">
      <Part title={words.preview}>
        <Facts
          rows={{
            [words.symbol]: <b>{market.symbol}</b>,
            [words.status]: status,
            ...(scale !== null && { [words.decimals]: `${scale.priceDecimals} / ${scale.quantityDecimals}` }),
            ...Object.fromEntries(shownFilters(market.filters).map(filterRow)),
          }}
        />
      </Part>
      <Part title={words.warningsTitle}>
        {warnings.length === 0 && <p class="muted">{words.noWarnings}</p>}
        {warnings.map(({ name, figure }) => (
          <p key={name} class="warned">
            {name === "coarseTick" ? words.warnings.coarseTick(figure) : words.warnings[name]}
          </p>
        ))}
      </Part>
      <TryOrder market={market} price={price} />
    </div>
  );
}

/** A filter as clients receive it: its name, and the names and values of its fields. */
function filterRow({ filterType, ...fields }: ReturnType<typeof shownFilters>[number]): [string, string] {
  const texts = Object.entries(fields).map(([name, value]) =>
    words.filterValue(
      consoleForms.fieldName(name).toLowerCase(),
      typeof value === "string" ? grouped(value) : String(value),
    ),
  );
  return [filterType, texts.join(" · ")];
}

function TryOrder({ market, price }: Pick<Props, "market" | "price">) {
  const typed = useSignal<Partial<Example>>({});
  const example = { ...exampleFor(market, price), ...typed.value };
  const set = (name: keyof Example) => cell(example[name], (text) => (typed.value = { ...typed.value, [name]: text }));
  const rejections = rejectionsOf(market, { price: example.price.trim(), quantity: example.quantity.trim() }, price);
  const smallest = smallestOrder(market, price);
  const worth = ({ price: at, quantity }: Example): string =>
    `${grouped(formatShort(multiply(decimal(at), decimal(quantity))))} ${market.quote.asset}`;
  return (
    <Part title={words.example}>
      <div class="pairs">
        <Field id="try-price" label={words.examplePrice} value={set("price")} inputMode="decimal" />
        <Field id="try-quantity" label={words.exampleQuantity} value={set("quantity")} inputMode="decimal" />
      </div>
      <div role="status">
        {rejections === null ? (
          <p class="muted">{words.noExample}</p>
        ) : rejections.length === 0 ? (
          <p class="good">
            {words.accepted(worth({ price: example.price.trim(), quantity: example.quantity.trim() }))}
          </p>
        ) : (
          <>
            <p class="warned">{words.rejected}</p>
            <ul>
              {rejections.map(({ text }) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </>
        )}
      </div>
      {smallest !== null && parseDecimal(smallest.quantity) !== null && (
        <p class="muted">{words.smallest(`${smallest.quantity} ${market.base.asset}`, worth(smallest))}</p>
      )}
    </Part>
  );
}
