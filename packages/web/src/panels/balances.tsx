/** What the account has: the table, and a few lines under the order form. */
import type { Balance } from "../account/port.ts";
import { add, compare, type Decimal, decimal, formatDecimal, isZero, cutTo } from "../exact/decimal.ts";
import { BLANK, grouped, showDecimal } from "../exact/shown.ts";
import type { Ticker } from "../market/port.ts";
import { form, tables as words } from "../words/words.ts";
import type { Column } from "./data-table.tsx";
import type { Desk } from "./desk.ts";
import { worthIn } from "./worth.ts";

export interface Holding {
  readonly balance: Balance;
  readonly total: Decimal;
  readonly worth: Decimal | null;
}

/** What is not zero, the most worth first. */
export function holdingsOf(
  balances: Iterable<Balance>,
  inAsset: string,
  tickers: ReadonlyMap<string, Ticker>,
  by: readonly string[],
): Holding[] {
  return [...balances]
    .map((balance) => {
      const total = add(decimal(balance.free), decimal(balance.locked));
      return { balance, total, worth: worthIn(total, balance.asset, inAsset, tickers, by) };
    })
    .filter(({ total }) => !isZero(total))
    .toSorted((one, other) => {
      if (one.worth !== null && other.worth !== null) return compare(other.worth, one.worth);
      if (one.worth === null && other.worth === null) return one.balance.asset < other.balance.asset ? -1 : 1;
      return one.worth === null ? 1 : -1;
    });
}

const worthText = (worth: Decimal | null): string =>
  worth === null ? BLANK : `≈ ${grouped(formatDecimal(cutTo(worth, 2), 2))}`;

export function balanceColumns(inAsset: string): Column<Holding>[] {
  const amount = (label: string, read: (row: Holding) => string): Column<Holding> => ({
    label,
    isNumber: true,
    show: (row) => showDecimal(read(row), 8),
    text: read,
  });
  return [
    { label: words.columns.asset, show: ({ balance }) => <b>{balance.asset}</b>, text: ({ balance }) => balance.asset },
    amount(words.columns.free, ({ balance }) => balance.free),
    amount(words.columns.locked, ({ balance }) => balance.locked),
    amount(words.columns.total, ({ total }) => formatDecimal(total)),
    {
      label: words.columns.value(inAsset),
      isNumber: true,
      show: ({ worth }) => <span class="muted">{worthText(worth)}</span>,
      text: ({ worth }) => (worth === null ? "" : formatDecimal(worth)),
    },
  ];
}

/** The two assets of the market that is looked at. */
export function MarketBalances({ desk }: { desk: Desk }) {
  const market = desk.feed.market.value;
  if (market === null || desk.account.session.value === null) return null;
  const { baseAsset, quoteAsset, quantityDigits } = market;
  const balances = desk.account.balances.value;
  const isStale = desk.account.freshness.value !== "live";
  return (
    <section class={`holdings ${isStale ? "stale" : ""}`} aria-label={form.balances}>
      <h2>{form.balances}</h2>
      <dl class="rows">
        {[
          [baseAsset, quantityDigits] as const,
          [quoteAsset, Math.max(2, Math.min(market.quoteDigits, market.priceDigits))] as const,
        ].map(([asset, digits]) => {
          const balance = balances.get(asset);
          const locked = balance !== undefined && !isZero(decimal(balance.locked));
          return (
            <div key={asset} class="holding">
              <dt>{asset}</dt>
              <dd>
                {showDecimal(balance?.free ?? "0", digits)}
                {locked && (
                  <span class="muted">
                    {" "}
                    + {showDecimal(balance.locked, digits)} {words.columns.locked.toLowerCase()}
                  </span>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
