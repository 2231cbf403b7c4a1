/** All markets, and the exchange filters that apply to all of them. */
import type { Column } from "../../panels/data-table.tsx";
import { consoleMarkets, consoleSays } from "../../words/words.ts";
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
    label: consoleMarkets.symbol,
    text: ({ symbol }) => symbol,
    show: ({ symbol }) => <Link to={{ page: "markets", subject: symbol }}>{symbol}</Link>,
  },
  { label: consoleMarkets.status, text: ({ status }) => status, show: ({ status }) => <StatusTag status={status} /> },
  plain(consoleMarkets.base, ({ baseAsset }) => baseAsset),
  plain(consoleMarkets.quote, ({ quoteAsset }) => quoteAsset),
  plain(consoleMarkets.tick, (row) => filterOf(row, "priceFilter", "tickSize"), true),
  plain(consoleMarkets.step, (row) => filterOf(row, "lotSize", "stepSize"), true),
  plain(consoleMarkets.notional, (row) => filterOf(row, "minNotional", "minNotional"), true),
  plain(consoleMarkets.types, ({ orderTypes }) => String(orderTypes.length), true),
  plain(consoleMarkets.warnings, ({ warnings = [] }) => (warnings.length === 0 ? "" : String(warnings.length)), true),
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
        {row.status === TRADING ? consoleMarkets.halt(row.symbol) : consoleMarkets.resume(row.symbol)}
      </button>
    );
  return (
    <div class="page">
      <h1>{consoleMarkets.title}</h1>
      <Acts desk={desk} page="markets" on="list" now={{ "PUT /v1/exchange-filters": exchange.value ?? undefined }} />
      <List
        desk={desk}
        title={consoleMarkets.title}
        name="markets"
        rows={value}
        denied={denied}
        columns={[...columns, { label: consoleSays.action, isActs: true, show: act }]}
        keyOf={({ symbol }) => symbol}
        empty={consoleMarkets.none}
        whole={{ path: "/v1/symbols" }}
      />
      <Pane title={consoleMarkets.exchangeFilters} denied={exchange.denied}>
        <div class="padded">
          <Told value={exchange.value ?? undefined} />
        </div>
      </Pane>
    </div>
  );
}
