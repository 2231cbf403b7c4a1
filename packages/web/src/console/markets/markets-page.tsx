/** All markets, and the filters that hold for all of them together. */
import type { Column } from "../../panels/data-table.tsx";
import { consoleMarkets as words, consoleSays } from "../../words/words.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { Acts } from "../draw/acts.tsx";
import { Link } from "../draw/link.tsx";
import { List } from "../draw/list.tsx";
import { plain } from "../../pages/columns.ts";
import { Pane } from "../../pages/pane.tsx";
import { Told } from "../forms/told.tsx";
import type { Json } from "../wire/document.ts";
import { mayDo } from "../rights.ts";
import { StatusTag } from "./status-tag.tsx";
import { filterOf, HALT, type ListedSymbol, openStatus, STATUS, TRADING } from "./symbol.ts";

const columns: readonly Column<ListedSymbol>[] = [
  {
    label: words.symbol,
    text: ({ symbol }) => symbol,
    show: ({ symbol }) => <Link to={{ page: "markets", subject: symbol }}>{symbol}</Link>,
  },
  { label: words.status, text: ({ status }) => status, show: ({ status }) => <StatusTag status={status} /> },
  plain(words.base, ({ baseAsset }) => baseAsset),
  plain(words.quote, ({ quoteAsset }) => quoteAsset),
  plain(words.tick, (row) => filterOf(row, "priceFilter", "tickSize"), true),
  plain(words.step, (row) => filterOf(row, "lotSize", "stepSize"), true),
  plain(words.notional, (row) => filterOf(row, "minNotional", "minNotional"), true),
  plain(words.types, ({ orderTypes }) => String(orderTypes.length), true),
  plain(words.warnings, ({ warnings = [] }) => (warnings.length === 0 ? "" : String(warnings.length)), true),
];

export function MarketsPage({ desk }: { desk: Desk }) {
  const { value, denied } = useAsked<readonly ListedSymbol[]>(desk, "/v1/symbols");
  const exchange = useAsked<Json>(desk, "/v1/exchange-filters");
  const act = (row: ListedSymbol) =>
    mayDo(desk, STATUS) && (
      <button
        type="button"
        class="link"
        onClick={() => {
          openStatus(desk, row, row.status === TRADING ? HALT : TRADING);
        }}
      >
        {row.status === TRADING ? words.halt(row.symbol) : words.resume(row.symbol)}
      </button>
    );
  return (
    <div class="page">
      <h1>{words.title}</h1>
      <Acts desk={desk} page="markets" on="list" now={{ "PUT /v1/exchange-filters": exchange.value ?? undefined }} />
      <List
        desk={desk}
        title={words.title}
        name="markets"
        rows={value}
        denied={denied}
        columns={[...columns, { label: consoleSays.action, isActs: true, show: act }]}
        keyOf={({ symbol }) => symbol}
        empty={words.none}
        whole={{ path: "/v1/symbols" }}
      />
      <Pane title={words.exchangeFilters} denied={exchange.denied}>
        <div class="padded">
          <Told value={exchange.value ?? undefined} />
        </div>
      </Pane>
    </div>
  );
}
