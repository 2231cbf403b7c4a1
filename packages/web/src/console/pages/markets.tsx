/**
 * The pages of markets: the list with the exchange filters, and one market with its status, filters, fees and synthetic
 * history.
 */
import type { BackfilledCandles, ListedSymbol, OtherRates, SymbolFees } from "@pricetime/server/answers";
import { Button } from "../../panels/controls.tsx";
import { consoleFees, consoleForms, consoleMarkets, consoleWords, pagesWords } from "../../words/words.ts";
import { type Context, mayDo, useFetched } from "../context.ts";
import type { Column } from "../../panels/data-table.tsx";
import { ActionButtons, FetchedList, FormButton, Link, linked, List, ofAccount } from "../elements.tsx";
import { Facts, Pane, plain } from "../../pages/pane.tsx";
import { Answer } from "../forms/confirmation.tsx";
import type { Json } from "../openapi.ts";
import { boundOf } from "../../exact/decimal.ts";
import { grouped } from "../../exact/shown.ts";
import { showMoment } from "../../pages/format.ts";

const TRADING = "TRADING";
const HALT = "HALT";
/** The route key of the action that halts or resumes a market. */
const STATUS = "PUT /v1/symbols/{symbol}/status";
const WITHDRAW_DELISTING = "POST /v1/symbols/{symbol}/delisting/withdraw";
const SET_RANGE = "PUT /v1/symbols/{symbol}/price-range";
const REMOVE_RANGE = "DELETE /v1/symbols/{symbol}/price-range";
const CHANGE_FEES = "PUT /v1/accounts/{account}/fees/{symbol}";

/** Opens the form that halts or resumes the market, with the button's label as its title. */
function openStatus(
  { openForm }: Pick<Context, "openForm">,
  { symbol, status: now }: ListedSymbol,
  status: string,
): void {
  const title = status === HALT ? consoleMarkets.halt(symbol) : consoleMarkets.resume(symbol);
  openForm.value = { key: STATUS, title, given: { symbol }, now: { status: now }, start: { status } };
}

const filterOf = ({ filters }: ListedSymbol, name: string, field: string): string => {
  const fields = (filters as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[name];
  const value = fields?.[field];
  return value === undefined ? "" : String(value);
};

function StatusTag({ status }: { status: string }) {
  return <span class={`tag ${status === TRADING ? "good" : "warn"}`}>{status}</span>;
}

const marketColumns: readonly Column<ListedSymbol>[] = [
  { ...linked<ListedSymbol>("markets", consoleMarkets.symbol, ({ symbol }) => symbol), isHead: true },
  { label: consoleMarkets.status, text: ({ status }) => status, show: ({ status }) => <StatusTag status={status} /> },
  plain(consoleMarkets.base, ({ baseAsset }) => baseAsset),
  plain(consoleMarkets.quote, ({ quoteAsset }) => quoteAsset),
  plain(consoleMarkets.tick, (row) => filterOf(row, "priceFilter", "tickSize"), true),
  plain(consoleMarkets.step, (row) => filterOf(row, "lotSize", "stepSize"), true),
  plain(
    consoleMarkets.notional,
    (row) => grouped(filterOf(row, "minNotional", "minNotional") || filterOf(row, "notional", "minNotional")),
    true,
  ),
  plain(consoleMarkets.types, ({ orderTypes }) => String(orderTypes.length), true),
  plain(consoleMarkets.warnings, ({ warnings = [] }) => (warnings.length === 0 ? "" : String(warnings.length)), true),
];

export function MarketsPage({ context }: { context: Context }) {
  const exchange = useFetched<Json>(context, "/v1/exchange-filters");
  const actionCell = (row: ListedSymbol) =>
    mayDo(context, STATUS) && (
      <Button
        class="link"
        onClick={() => {
          openStatus(context, row, row.status === TRADING ? HALT : TRADING);
        }}
      >
        {row.status === TRADING ? consoleMarkets.halt(row.symbol) : consoleMarkets.resume(row.symbol)}
      </Button>
    );
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
        title={consoleMarkets.title}
        name="markets"
        columns={[...marketColumns, { label: consoleWords.action, isActions: true, show: actionCell }]}
        keyOf={({ symbol }) => symbol}
        empty={consoleMarkets.none}
      />
      <Pane title={consoleMarkets.exchangeFilters} denied={exchange.denied}>
        <div class="padded">
          <Answer value={exchange.value ?? undefined} />
        </div>
      </Pane>
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
  const { value, denied } = useFetched<ListedSymbol>(context, path);
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
  const isAllowed = mayDo(context, STATUS);
  return (
    <div class="row-of">
      {isAllowed && status === TRADING && (
        <Button class="button grave" onClick={() => openStatus(context, market, HALT)}>
          {consoleMarkets.halt(symbol)}
        </Button>
      )}
      {isAllowed && status !== TRADING && (
        <Button class="button primary" onClick={() => openStatus(context, market, TRADING)}>
          {consoleMarkets.resume(symbol)}
        </Button>
      )}
      <ActionButtons
        context={context}
        page="markets"
        on="one"
        given={{ symbol }}
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
    </div>
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

function Listing({ symbol }: { symbol: ListedSymbol }) {
  const { baseAsset, quoteAsset, orderTypes, icebergAllowed, ocoAllowed, quoteOrderQtyMarketAllowed } = symbol;
  return (
    <Facts
      rows={{
        [consoleMarkets.base]: <Link to={{ page: "assets", subject: baseAsset }}>{baseAsset}</Link>,
        [consoleMarkets.quote]: <Link to={{ page: "assets", subject: quoteAsset }}>{quoteAsset}</Link>,
        [consoleMarkets.decimals]: `${symbol.priceDecimals} / ${symbol.quantityDecimals}`,
        [consoleMarkets.types]: orderTypes.join(", "),
        [consoleMarkets.icebergs]: yesNo(icebergAllowed),
        [consoleMarkets.ocos]: yesNo(ocoAllowed),
        [consoleMarkets.trailingStops]: yesNo(symbol.allowTrailingStop !== false),
        [consoleMarkets.pegged]: yesNo(symbol.pegInstructionsAllowed !== false),
        [consoleMarkets.quoteQuantity]: yesNo(quoteOrderQtyMarketAllowed),
        [consoleMarkets.acceptsRounding]: yesNo(symbol.acceptRounding === true),
        [consoleMarkets.openOrders]: String(symbol.openOrders),
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
