/** The list of markets, with search, sorting and favorites. Arrow keys move through it. */
import { BLANK, showAmount, showPrice, showShort } from "../exact/shown.ts";
import { type Signal, useSignal } from "@preact/signals";
import { type Decimal, formatDecimal } from "../exact/decimal.ts";
import { marketAddress } from "../market/address.ts";
import type { Market, Ticker } from "../market/port.ts";
import { oneOf, type Preferences } from "../preferences.ts";
import { terminalWords } from "../words/words.ts";
import type { TerminalContext } from "./page.ts";
import { Button, Icon, Window } from "./controls.tsx";
import { listMarkets, SORTS, type Sort, type SortKey, volumesOf } from "./market-list.ts";
import { changeOf, showChange, toneOf } from "./show.ts";
import { useSlowly } from "./pace.ts";

const sorts = new WeakMap<Preferences, ReturnType<typeof rememberSort>>();
const rememberSort = (preferences: Preferences) =>
  preferences.remember<Sort>("markets.sort", "volume:down", oneOf(...SORTS));

function sortOf(preferences: Preferences) {
  const sort = sorts.get(preferences) ?? rememberSort(preferences);
  sorts.set(preferences, sort);
  return sort;
}

function Head({ sort, asset, onSort }: { sort: Sort; asset: string; onSort: (sort: Sort) => void }) {
  const [chosen, way] = sort.split(":");
  const columns: readonly (readonly [SortKey, string])[] = [
    ["name", terminalWords.name],
    ["price", terminalWords.price],
    ["change", terminalWords.change],
    ["volume", terminalWords.volume24h(asset)],
  ];
  return (
    <thead>
      <tr>
        <th>
          <span class="unseen">{terminalWords.favourites}</span>
        </th>
        {columns.map(([key, label]) => (
          <th
            key={key}
            class={key === "name" ? "" : "number"}
            aria-sort={key !== chosen ? "none" : way === "up" ? "ascending" : "descending"}
          >
            <button
              type="button"
              onClick={() =>
                onSort(`${key}:${key === chosen ? (way === "up" ? "down" : "up") : key === "name" ? "up" : "down"}`)
              }
            >
              {label}
              {key === chosen ? (way === "up" ? " ↑" : " ↓") : ""}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface LineProps {
  readonly market: Market;
  /** The address of the market's page, which can be opened in another tab. */
  readonly address: string;
  readonly ticker: Ticker | undefined;
  /** The 24-hour volume in the asset of the column. */
  readonly volume: Decimal | undefined;
  readonly isCurrent: boolean;
  readonly isWalked: boolean;
  readonly isFavourite: boolean;
  readonly onPick: () => void;
  readonly onStar: () => void;
}

function Line({ market, address, ticker, volume, isCurrent, isWalked, isFavourite, onPick, onStar }: LineProps) {
  const change = ticker === undefined ? null : changeOf(ticker);
  return (
    <tr
      class={isCurrent ? "current" : ""}
      aria-selected={isWalked}
      onClick={(event) => {
        const isForNewTab = event.ctrlKey || event.metaKey || event.shiftKey;
        if (isForNewTab && event.target instanceof HTMLAnchorElement) return;
        event.preventDefault();
        onPick();
      }}
    >
      <td>
        <Button
          class="quiet star"
          aria-label={terminalWords.favourite(market.symbol)}
          aria-pressed={isFavourite}
          onClick={(event) => {
            event.stopPropagation();
            onStar();
          }}
        >
          <Icon name="star" />
        </Button>
      </td>
      <td>
        <a class="market-name" href={address} tabIndex={-1}>
          {market.baseAsset}
          <span class="muted">/{market.quoteAsset}</span>
        </a>
        {market.status !== "TRADING" && <span class="tag warn">{market.status}</span>}
      </td>
      <td class="number">{showPrice(ticker?.lastPrice, market.priceDigits)}</td>
      <td class={`number ${toneOf(change)}`}>{showChange(change)}</td>
      <td class="number muted" title={`${showAmount(ticker?.quoteVolume ?? "")} ${market.quoteAsset}`}>
        {volume === undefined ? BLANK : showShort(formatDecimal(volume))}
      </td>
    </tr>
  );
}

interface SearchProps {
  readonly search: Signal<string>;
  readonly only: Signal<boolean>;
  readonly walked: Signal<number>;
  readonly onKey: (event: KeyboardEvent) => void;
}

function Search({ search, only, walked, onKey }: SearchProps) {
  return (
    <div class="search">
      <label class="field">
        <span class="unseen">{terminalWords.searchMarkets}</span>
        <input
          class="words"
          type="search"
          placeholder={terminalWords.searchMarkets}
          autocomplete="off"
          spellcheck={false}
          value={search.value}
          onKeyDown={onKey}
          onInput={(event) => {
            search.value = event.currentTarget.value;
            walked.value = 0;
          }}
        />
      </label>
      <Button class="quiet" aria-pressed={only.value} onClick={() => (only.value = !only.value)}>
        <Icon name="star" /> <span class="unseen-narrow">{terminalWords.favourites}</span>
      </Button>
    </div>
  );
}

/** The search and the list. `onChosen` is called after a market was selected. */
function MarketChoice({ terminal, onChosen }: { terminal: TerminalContext; onChosen: () => void }) {
  const { base, feed, preferences } = terminal;
  const sort = sortOf(preferences);
  const search = useSignal("");
  const only = useSignal(false);
  const walked = useSignal(0);
  const tickers = useSlowly(feed.tickers, 500);
  const favourites = preferences.favourites.value;
  const query = { search: search.value, sort: sort.value, favourites, only: only.value };
  const volumes = volumesOf(feed.markets.value, tickers.value);
  const listed = listMarkets(feed.markets.value, tickers.value, volumes, query);
  const choose = (market: Market | undefined): void => {
    if (market === undefined) return;
    feed.select(market.symbol);
    onChosen();
  };
  const press = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Enter") choose(listed[walked.value]);
    else if (by !== 0) walked.value = Math.min(listed.length - 1, Math.max(0, walked.value + by));
    else return;
    event.preventDefault();
  };
  return (
    <>
      <Search search={search} only={only} walked={walked} onKey={press} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- can be scrolled by keyboard */}
      <div class="scroll" tabIndex={0} role="region" aria-label={terminalWords.markets}>
        <table class="table">
          <Head sort={sort.value} asset={volumes.asset} onSort={(chosen) => (sort.value = chosen)} />
          <tbody>
            {listed.map((market, at) => (
              <Line
                key={market.symbol}
                market={market}
                address={marketAddress(base, market.symbol)}
                ticker={tickers.value.get(market.symbol)}
                volume={volumes.of.get(market.symbol)}
                isCurrent={market.symbol === feed.market.value?.symbol}
                isWalked={at === walked.value}
                isFavourite={favourites.includes(market.symbol)}
                onPick={() => choose(market)}
                onStar={() => {
                  preferences.favourites.value = favourites.includes(market.symbol)
                    ? favourites.filter((symbol) => symbol !== market.symbol)
                    : [...favourites, market.symbol];
                }}
              />
            ))}
          </tbody>
        </table>
        {listed.length === 0 && (
          <p class="nothing">{feed.markets.value.size === 0 ? terminalWords.noMarkets : terminalWords.noMarketFound}</p>
        )}
      </div>
    </>
  );
}

export function MarketPicker({ terminal }: { terminal: TerminalContext }) {
  const close = (): void => {
    terminal.overlay.value = "none";
  };
  return (
    <Window title={terminalWords.markets} class="picker" onClose={close}>
      <MarketChoice terminal={terminal} onChosen={close} />
    </Window>
  );
}

/** Replaces the panels if the address names a market that the exchange does not list. */
export function UnlistedMarket({ terminal, symbol }: { terminal: TerminalContext; symbol: string }) {
  return (
    <main class="picker unlisted">
      <h2>{terminalWords.unlisted(symbol)}</h2>
      <p class="muted">{terminalWords.unlistedHelp}</p>
      <MarketChoice terminal={terminal} onChosen={() => {}} />
    </main>
  );
}
