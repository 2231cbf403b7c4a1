/**
 * The pages of markets: the list with the exchange filters, and one market with its status, filters, fees and synthetic
 * history.
 */
import type { BackfilledCandles, ListedSymbol, MarketReport, OtherRates, SymbolFees } from "@pricetime/server/answers";
import { consoleFees, consoleForms, consoleMarkets, consoleWords, pagesWords } from "../../words/words.ts";
import { type Context, SELDOM_MS, useFetched } from "../context.ts";
import type { Column } from "../../panels/data-table.tsx";
import { ActionButtons, FetchedList, FormButton, Link, linked, List, ofAccount } from "../elements.tsx";
import { Facts, Pane, plain } from "../../pages/pane.tsx";
import { Answer } from "../forms/confirmation.tsx";
import type { Json } from "../openapi.ts";
import { boundOf } from "../../exact/decimal.ts";
import { grouped, showBrief } from "../../exact/shown.ts";
import { showMoment } from "../../pages/format.ts";

const TRADING = "TRADING";
const HALT = "HALT";
/** The route key of the action that halts or resumes a market. */
const STATUS = "PUT /v1/symbols/{symbol}/status";
const WITHDRAW_DELISTING = "POST /v1/symbols/{symbol}/delisting/withdraw";
const SET_RANGE = "PUT /v1/symbols/{symbol}/price-range";
const REMOVE_RANGE = "DELETE /v1/symbols/{symbol}/price-range";
const CHANGE_FEES = "PUT /v1/accounts/{account}/fees/{symbol}";

/** The label of the action that halts or resumes the market. */
const statusTitle = (symbol: string, next: string): string =>
  next === HALT ? consoleMarkets.halt(symbol) : consoleMarkets.resume(symbol);

const filterOf = ({ filters }: ListedSymbol, name: string, field: string): string => {
  const fields = (filters as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[name];
  const value = fields?.[field];
  return value === undefined ? "" : String(value);
};

function StatusTag({ status }: { status: string }) {
  const name = consoleForms.choiceName("status", status);
  return <span class={`tag ${status === TRADING ? "good" : "warn"}`}>{name}</span>;
}

/** The volume and the trades of a market today; dashes until they are loaded. */
type Today = (symbol: Pick<ListedSymbol, "symbol" | "quoteAsset">) => readonly [volume: string, trades: string];

function useToday(context: Context): Today {
  const asked = { query: { periods: 1 }, everyMs: SELDOM_MS };
  const { value } = useFetched<MarketReport>(context, "/v1/reports/markets", asked);
  return ({ symbol, quoteAsset }) => {
    if (value === null) return [pagesWords.noFigure, pagesWords.noFigure];
    const row = value.rows.find((one) => one.symbol === symbol);
    return [`${showBrief(row?.quoteVolume ?? "0", 2)} ${quoteAsset}`, grouped(String(row?.trades ?? 0))];
  };
}

const columnsOf = (today: Today): readonly Column<ListedSymbol>[] => [
  { ...linked<ListedSymbol>("markets", consoleMarkets.symbol, ({ symbol }) => symbol), isHead: true },
  { label: consoleMarkets.status, text: ({ status }) => status, show: ({ status }) => <StatusTag status={status} /> },
  plain(consoleMarkets.volume, (row) => today(row)[0], true),
  plain(consoleMarkets.trades, (row) => today(row)[1], true),
  plain(consoleMarkets.openOrders, ({ openOrders }) => grouped(String(openOrders)), true),
  plain(consoleMarkets.tick, (row) => filterOf(row, "priceFilter", "tickSize"), true),
  plain(consoleMarkets.step, (row) => filterOf(row, "lotSize", "stepSize"), true),
  plain(
    consoleMarkets.notional,
    (row) => grouped(filterOf(row, "minNotional", "minNotional") || filterOf(row, "notional", "minNotional")),
    true,
  ),
  plain(consoleMarkets.warnings, ({ warnings = [] }) => (warnings.length === 0 ? "" : String(warnings.length)), true),
];

export function MarketsPage({ context }: { context: Context }) {
  const today = useToday(context);
  const exchange = useFetched<Json>(context, "/v1/exchange-filters");
  const isEmpty = Object.keys(exchange.value ?? {}).length === 0 && exchange.denied === null;
  const actionCell = ({ symbol, status }: ListedSymbol) => {
    const next = status === TRADING ? HALT : TRADING;
    const title = statusTitle(symbol, next);
    return (
      <FormButton
        context={context}
        form={{ key: STATUS, title, given: { symbol }, now: { status }, start: { status: next } }}
      >
        {title}
      </FormButton>
    );
  };
  return (
    <div class="page">
      <h1>{consoleMarkets.title}</h1>
      <ActionButtons
        context={context}
        page="markets"
        on="list"
        now={{ "PUT /v1/exchange-filters": exchange.value ?? undefined }}
      />
      <FetchedList
        context={context}
        path="/v1/symbols"
        everyMs={SELDOM_MS}
        title={consoleMarkets.title}
        name="markets"
        columns={[...columnsOf(today), { label: consoleWords.action, isActions: true, show: actionCell }]}
        keyOf={({ symbol }) => symbol}
        empty={consoleMarkets.none}
      />
      {!isEmpty && (
        <Pane title={consoleMarkets.exchangeFilters} denied={exchange.denied}>
          <div class="padded">
            <Answer value={exchange.value ?? undefined} />
          </div>
        </Pane>
      )}
    </div>
  );
}

// The fees of a market: the venue's rates, and accounts with other rates.

function FeesPane({ context, symbol }: { context: Context; symbol: string }) {
  const path = `/v1/symbols/${encodeURIComponent(symbol)}/fees`;
  const { value, denied } = useFetched<SymbolFees>(context, path);
  return (
    <>
      <Pane title={consoleMarkets.fees} denied={denied}>
        {value !== null && (
          <Facts
            rows={{
              [consoleMarkets.maker]: consoleMarkets.percent(value.makerBps),
              [consoleMarkets.taker]: consoleMarkets.percent(value.takerBps),
            }}
          />
        )}
      </Pane>
      <List
        context={context}
        title={consoleMarkets.otherFees}
        name={`fees-${symbol}`}
        rows={value?.accounts ?? null}
        denied={denied}
        columns={feeColumns}
        keyOf={({ accountId }) => accountId}
        empty={consoleMarkets.noOtherFees}
        tools={
          <FormButton context={context} form={{ key: CHANGE_FEES, given: { symbol } }} class="button">
            {consoleFees.title}
          </FormButton>
        }
        whole={{ path }}
        more={value !== null && value.next !== null && <p class="nothing">{consoleMarkets.moreFees}</p>}
      />
    </>
  );
}

const feeColumns: readonly Column<OtherRates>[] = [
  ofAccount(consoleMarkets.account),
  plain(consoleMarkets.email, ({ email }) => email),
  plain(consoleMarkets.maker, ({ makerBps }) => consoleMarkets.percent(makerBps), true),
  plain(consoleMarkets.taker, ({ takerBps }) => consoleMarkets.percent(takerBps), true),
  plain(consoleMarkets.onlyThisMarket, ({ isOfSymbol }) => (isOfSymbol ? consoleWords.yes : consoleWords.no)),
];

// The page of one market: its status, its filters and its synthetic history.

export function MarketPage({ context }: { context: Context }) {
  const symbol = context.place.value.subject;
  const path = `/v1/symbols/${encodeURIComponent(symbol)}`;
  const { value, denied } = useFetched<ListedSymbol>(context, path, { everyMs: SELDOM_MS });
  const past = useFetched<BackfilledCandles>(context, `${path}/backfilled-candles`);
  return (
    <div class="page">
      <h1>
        <Link to={{ page: "markets" }}>{consoleMarkets.title}</Link> / {symbol}{" "}
        {value !== null && <StatusTag status={value.status} />}
      </h1>
      {value !== null && <MarketActions context={context} market={value} />}
      {value !== null && <EndOfTrading context={context} market={value} />}
      {value?.warnings?.map((warning) => (
        <p key={warning} class="warned">
          {warning}
        </p>
      ))}
      <div class="two">
        <Pane title={consoleMarkets.filters} denied={denied}>
          {value !== null && <Filters symbol={value} />}
        </Pane>
        <div class="column">
          <Pane title={consoleMarkets.activity}>{value !== null && <Activity context={context} market={value} />}</Pane>
          <Pane title={consoleMarkets.listing}>{value !== null && <Listing symbol={value} />}</Pane>
          <Pane title={consoleMarkets.priceRange}>{value !== null && <PriceRange symbol={value} />}</Pane>
          <Pane title={consoleMarkets.past} denied={past.denied}>
            {past.value !== null && <PastFacts context={context} past={past.value} />}
          </Pane>
        </div>
      </div>
      <FeesPane context={context} symbol={symbol} />
    </div>
  );
}

/** A delisting or closing of open orders that is announced or in progress. */
function EndOfTrading({
  context,
  market: { delisting, isEndingOrders, openOrders },
}: {
  context: Context;
  market: ListedSymbol;
}) {
  const when = delisting === null ? "" : showMoment(context, delisting.atMs);
  const isOver = delisting !== null && delisting.atMs <= context.nowMs.value;
  return (
    <>
      {delisting !== null && (
        <p class="warned">{isOver ? consoleMarkets.delisted(when) : consoleMarkets.delisting(when, delisting.why)}</p>
      )}
      {isEndingOrders && <p class="warned">{consoleMarkets.endingOrders(openOrders)}</p>}
    </>
  );
}

/**
 * The actions on a market. All buttons appear at once, when the market is loaded, so that none moves under the pointer.
 */
function MarketActions({ context, market }: { context: Context; market: ListedSymbol }) {
  const { symbol, status, acceptRounding } = market;
  const filters = { ...market.filters, ...(acceptRounding !== undefined && { acceptRounding }) };
  const next = status === TRADING ? HALT : TRADING;
  return (
    <ActionButtons
      context={context}
      page="markets"
      on="one"
      given={{ symbol }}
      labels={{ [STATUS]: statusTitle(symbol, next) }}
      starts={{ [STATUS]: { status: next } }}
      hidden={[
        ...(market.delisting === null ? [WITHDRAW_DELISTING] : []),
        ...(market.priceRange === undefined ? [REMOVE_RANGE] : []),
      ]}
      now={{
        [STATUS]: { status },
        ...(market.delisting !== null && { "PUT /v1/symbols/{symbol}/delisting": market.delisting }),
        ...(market.priceRange !== undefined && { [SET_RANGE]: market.priceRange }),
        "PUT /v1/symbols/{symbol}/filters": filters,
        "POST /v1/symbols/{symbol}/filters/preview": filters,
      }}
    />
  );
}

/** Filters in which zero disables a bound or step (Interface 2.8). */
const RANGES: readonly string[] = ["priceFilter", "lotSize", "marketLotSize"];

const yesNo = (value: boolean): string => (value ? consoleWords.yes : consoleWords.no);

function shownValue(filter: string, value: string | number | boolean): string {
  const isOff = RANGES.includes(filter) && typeof value === "string" && boundOf(value) === null;
  return isOff ? consoleMarkets.off : typeof value === "boolean" ? yesNo(value) : grouped(String(value));
}

function Filters({ symbol: { filters } }: { symbol: ListedSymbol }) {
  const all = Object.entries(filters);
  if (all.length === 0) return <p class="nothing">{consoleMarkets.noFilters}</p>;
  const [filter, setting, value] = consoleMarkets.filterColumns;
  return (
    <table class="table filters" aria-label={consoleMarkets.filters}>
      <thead>
        <tr>
          <th scope="col">{filter}</th>
          <th scope="col">{setting}</th>
          <th scope="col" class="number">
            {value}
          </th>
        </tr>
      </thead>
      <tbody>
        {all.flatMap(([name, fields]) =>
          Object.entries(fields).map(([field, one], place) => (
            <tr key={`${name} ${field}`}>
              <td>{place === 0 ? consoleForms.fieldName(name) : ""}</td>
              <td class="muted">{consoleForms.fieldName(field)}</td>
              <td class="number">{shownValue(name, one)}</td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  );
}

function Activity({ context, market }: { context: Context; market: ListedSymbol }) {
  const [volume, trades] = useToday(context)(market);
  const openOrders = grouped(String(market.openOrders));
  const { volume: volumeToday, trades: tradesToday, openOrders: open } = consoleMarkets;
  return <Facts rows={{ [volumeToday]: volume, [tradesToday]: trades, [open]: openOrders }} />;
}

function Listing({ symbol }: { symbol: ListedSymbol }) {
  const { baseAsset, quoteAsset, orderTypes, icebergAllowed, ocoAllowed, quoteOrderQtyMarketAllowed } = symbol;
  return (
    <Facts
      rows={{
        [consoleMarkets.base]: <Link to={{ page: "assets", subject: baseAsset }}>{baseAsset}</Link>,
        [consoleMarkets.quote]: <Link to={{ page: "assets", subject: quoteAsset }}>{quoteAsset}</Link>,
        [consoleMarkets.decimals]: `${symbol.priceDecimals} / ${symbol.quantityDecimals}`,
        [consoleMarkets.types]: orderTypes.map(consoleMarkets.orderType).join(", "),
        [consoleMarkets.icebergs]: yesNo(icebergAllowed),
        [consoleMarkets.ocos]: yesNo(ocoAllowed),
        [consoleMarkets.trailingStops]: yesNo(symbol.allowTrailingStop !== false),
        [consoleMarkets.pegged]: yesNo(symbol.pegInstructionsAllowed !== false),
        [consoleMarkets.quoteQuantity]: yesNo(quoteOrderQtyMarketAllowed),
        [consoleMarkets.acceptsRounding]: yesNo(symbol.acceptRounding === true),
      }}
    />
  );
}

function PriceRange({ symbol: { priceRange } }: { symbol: ListedSymbol }) {
  if (priceRange === undefined) return <p class="nothing">{consoleMarkets.noPriceRange}</p>;
  const { bucketCount, bucketWidthMs, ...bounds } = priceRange;
  const [buy, sell] = [
    [bounds.bidLimitMultDown, bounds.bidLimitMultUp],
    [bounds.askLimitMultDown, bounds.askLimitMultUp],
  ].map(([down = "", up = ""]) => consoleMarkets.rangeIs(down, up)) as [string, string];
  return (
    <Facts
      rows={{
        [consoleMarkets.buyRange]: buy,
        [consoleMarkets.sellRange]: sell,
        [consoleMarkets.referenceOver]: consoleMarkets.buckets(bucketCount, bucketWidthMs / 1000),
      }}
    />
  );
}

function PastFacts({
  context,
  past: { interval, firstMs, endMs, firstTradeMs },
}: {
  context: Context;
  past: BackfilledCandles;
}) {
  const moment = (timeMs: number | null): string =>
    timeMs === null ? pagesWords.noFigure : showMoment(context, timeMs);
  return (
    <Facts
      rows={{
        [consoleMarkets.pastInterval]: interval ?? pagesWords.noFigure,
        [consoleMarkets.pastFrom]: moment(firstMs),
        [consoleMarkets.pastTo]: moment(endMs),
        [consoleMarkets.firstTrade]: moment(firstTradeMs),
      }}
    />
  );
}
