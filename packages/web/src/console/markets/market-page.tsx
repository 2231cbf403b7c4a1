/** One market: whether it trades, its filters, and what it has of the time before its first trade. */
import { boundOf } from "../../exact/decimal.ts";
import { consoleForms, consoleMarkets, consoleSays, pagesSay } from "../../words/words.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { Acts } from "../draw/acts.tsx";
import { Link } from "../draw/link.tsx";
import { Facts, Pane } from "../../pages/pane.tsx";
import { showMoment, timeText } from "../../pages/shown.ts";
import { mayDo } from "../rights.ts";
import { FeesPane } from "./fees-pane.tsx";
import { StatusTag } from "./status-tag.tsx";
import { HALT, type ListedSymbol, openStatus, STATUS, TRADING } from "./symbol.ts";

interface Past {
  readonly interval: string | null;
  readonly firstMs: number | null;
  readonly endMs: number | null;
  readonly firstTradeMs: number | null;
}

export function MarketPage({ desk }: { desk: Desk }) {
  const symbol = desk.place.value.subject;
  const path = `/v1/symbols/${encodeURIComponent(symbol)}`;
  const { value, denied } = useAsked<ListedSymbol>(desk, path);
  const past = useAsked<Past>(desk, `${path}/backfilled-candles`);
  return (
    <div class="page">
      <h1>
        <Link to={{ page: "markets" }}>{consoleMarkets.title}</Link> / {symbol}{" "}
        {value !== null && <StatusTag status={value.status} />}
      </h1>
      {value !== null && <MarketActs desk={desk} market={value} />}
      {value !== null && <EndOfTrading desk={desk} market={value} />}
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
          <Pane title={consoleMarkets.past} denied={past.denied}>
            {past.value !== null && <PastFacts desk={desk} past={past.value} />}
          </Pane>
        </div>
      </div>
      <FeesPane desk={desk} symbol={symbol} />
    </div>
  );
}

/** What is announced or in progress: a delisting, and open orders that are ending. */
function EndOfTrading({
  desk,
  market: { delisting, isEndingOrders, openOrders },
}: {
  desk: Desk;
  market: ListedSymbol;
}) {
  const when = delisting === null ? "" : timeText(delisting.atMs);
  const isOver = delisting !== null && delisting.atMs <= desk.nowMs.value;
  return (
    <>
      {delisting !== null && (
        <p class="warned">{isOver ? consoleMarkets.delisted(when) : consoleMarkets.delisting(when, delisting.why)}</p>
      )}
      {isEndingOrders && <p class="warned">{consoleMarkets.endingOrders(openOrders)}</p>}
    </>
  );
}

/** All at once, when the market is known: a button that comes later would push another one away from under the pointer. */
function MarketActs({ desk, market }: { desk: Desk; market: ListedSymbol }) {
  const { symbol, status, acceptRounding } = market;
  const filters = { ...market.filters, ...(acceptRounding !== undefined && { acceptRounding }) };
  const isAllowed = mayDo(desk, STATUS);
  return (
    <div class="row-of">
      {isAllowed && status === TRADING && (
        <button type="button" class="button grave" onClick={() => openStatus(desk, market, HALT)}>
          {consoleMarkets.halt(symbol)}
        </button>
      )}
      {isAllowed && status !== TRADING && (
        <button type="button" class="button primary" onClick={() => openStatus(desk, market, TRADING)}>
          {consoleMarkets.resume(symbol)}
        </button>
      )}
      <Acts
        desk={desk}
        page="markets"
        on="one"
        given={{ symbol }}
        now={{
          [STATUS]: { status },
          ...(market.delisting !== null && { "PUT /v1/symbols/{symbol}/delisting": market.delisting }),
          "PUT /v1/symbols/{symbol}/filters": filters,
          "POST /v1/symbols/{symbol}/filters/preview": filters,
        }}
      />
    </div>
  );
}

/** In these filters a zero turns the bound or the step off (Interface 2.8). */
const RANGES: readonly string[] = ["priceFilter", "lotSize", "marketLotSize"];

function shownValue(filter: string, value: string | number | boolean): string {
  const isOff = RANGES.includes(filter) && typeof value === "string" && boundOf(value) === null;
  return isOff ? consoleMarkets.off : String(value);
}

function Filters({ symbol: { filters } }: { symbol: ListedSymbol }) {
  const all = Object.entries(filters);
  if (all.length === 0) return <p class="nothing">{consoleMarkets.noFilters}</p>;
  return (
    <table class="table filters" aria-label={consoleMarkets.filters}>
      <tbody>
        {all.flatMap(([filter, fields]) =>
          Object.entries(fields).map(([field, value], place) => (
            <tr key={`${filter} ${field}`}>
              <td>{place === 0 ? consoleForms.fieldName(filter) : ""}</td>
              <td class="muted">{consoleForms.fieldName(field)}</td>
              <td class="number">{shownValue(filter, value)}</td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  );
}

function Listing({ symbol }: { symbol: ListedSymbol }) {
  const { baseAsset, quoteAsset, orderTypes, icebergAllowed, ocoAllowed, quoteOrderQtyMarketAllowed } = symbol;
  const yesNo = (value: boolean): string => (value ? consoleSays.yes : consoleSays.no);
  return (
    <Facts
      rows={{
        [consoleMarkets.base]: <Link to={{ page: "assets", subject: baseAsset }}>{baseAsset}</Link>,
        [consoleMarkets.quote]: <Link to={{ page: "assets", subject: quoteAsset }}>{quoteAsset}</Link>,
        [consoleMarkets.decimals]: `${symbol.priceDecimals} / ${symbol.quantityDecimals}`,
        [consoleMarkets.types]: orderTypes.join(", "),
        [consoleMarkets.icebergs]: yesNo(icebergAllowed),
        [consoleMarkets.ocos]: yesNo(ocoAllowed),
        [consoleMarkets.quoteQuantity]: yesNo(quoteOrderQtyMarketAllowed),
        [consoleMarkets.acceptsRounding]: yesNo(symbol.acceptRounding === true),
        [consoleMarkets.openOrders]: String(symbol.openOrders),
      }}
    />
  );
}

function PastFacts({ desk, past: { interval, firstMs, endMs, firstTradeMs } }: { desk: Desk; past: Past }) {
  const moment = (timeMs: number | null): string => (timeMs === null ? pagesSay.noFigure : showMoment(desk, timeMs));
  return (
    <Facts
      rows={{
        [consoleMarkets.pastInterval]: interval ?? pagesSay.noFigure,
        [consoleMarkets.pastFrom]: moment(firstMs),
        [consoleMarkets.pastTo]: moment(endMs),
        [consoleMarkets.firstTrade]: moment(firstTradeMs),
      }}
    />
  );
}
