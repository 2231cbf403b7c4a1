/**
 * The top bar with the market, its 24-hour figures, the connection, the account and settings; and the banners below it.
 */
import { showPrice, showShort } from "../exact/shown.ts";
import type { Market } from "../market/port.ts";
import { numbers, terminalWords, signIn } from "../words/words.ts";
import type { TerminalContext } from "./page.ts";
import { Brand, theVenue } from "./brand.tsx";
import { Button, Icon } from "./controls.tsx";
import { changeOf, showChange, showDateTime, showLast, showSpan, toneOf, turnOf } from "./show.ts";
import { useSlowly } from "./pace.ts";

function Figures({ terminal, market }: { terminal: TerminalContext; market: Market }) {
  const tickers = useSlowly(terminal.feed.tickers, 100).value;
  const turn = turnOf(useSlowly(terminal.feed.prints, 100).value[0]);
  const ticker = tickers.get(market.symbol);
  const change = ticker === undefined ? null : changeOf(ticker);
  const price = (text: string | undefined): string => showPrice(text, market.priceDigits);
  const isStale = terminal.feed.connection.value.state === "down";
  return (
    <dl class={`figures ${isStale ? "stale" : ""}`}>
      <div class="last">
        <dt class="unseen">{terminalWords.lastPrice}</dt>
        <dd class={toneOf(turn)}>{showLast(ticker, turn, market.priceDigits)}</dd>
      </div>
      <div class="change">
        <dt class="unseen-narrow">{terminalWords.change24h}</dt>
        <dd class={toneOf(change)}>{showChange(change)}</dd>
      </div>
      <div class="middling">
        <dt>{terminalWords.high24h}</dt>
        <dd>{price(ticker?.highPrice)}</dd>
      </div>
      <div class="middling">
        <dt>{terminalWords.low24h}</dt>
        <dd>{price(ticker?.lowPrice)}</dd>
      </div>
      <div class="less">
        <dt>{terminalWords.volume24h(market.baseAsset)}</dt>
        <dd>{showShort(ticker?.volume ?? "")}</dd>
      </div>
      <div class="less">
        <dt>{terminalWords.volume24h(market.quoteAsset)}</dt>
        <dd>{showShort(ticker?.quoteVolume ?? "")}</dd>
      </div>
    </dl>
  );
}

/** The last price and 24-hour figures on phones, in two lines below the bar. */
export function DayStrip({ terminal }: { terminal: TerminalContext }) {
  const tickers = useSlowly(terminal.feed.tickers, 100).value;
  const turn = turnOf(useSlowly(terminal.feed.prints, 100).value[0]);
  const market = terminal.feed.market.value;
  const ticker = market === null ? undefined : tickers.get(market.symbol);
  const digits = market?.priceDigits ?? 0;
  const change = ticker === undefined ? null : changeOf(ticker);
  const figures = [
    [terminalWords.high24h, showPrice(ticker?.highPrice, digits)],
    [terminalWords.low24h, showPrice(ticker?.lowPrice, digits)],
    [terminalWords.volume24hShort, `${showShort(ticker?.quoteVolume ?? "")} ${market?.quoteAsset ?? ""}`],
  ] as const;
  return (
    <dl class={`day-strip ${terminal.feed.connection.value.state === "down" ? "stale" : ""}`}>
      <div class="last">
        <dt class="unseen">{terminalWords.lastPrice}</dt>
        <dd class={toneOf(turn)}>{showLast(ticker, turn, digits)}</dd>
        {change !== null && (
          <>
            <dt class="unseen">{terminalWords.change24h}</dt>
            <dd class={`change ${toneOf(change)}`}>{showChange(change)}</dd>
          </>
        )}
      </div>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt> <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function ConnectionState({ terminal }: { terminal: TerminalContext }) {
  const { state } = terminal.feed.connection.value;
  const text = { live: terminalWords.live, connecting: terminalWords.connecting, down: terminalWords.down }[state];
  return (
    <span class={`state ${state}`} role="status" title={text}>
      <span class="unseen-narrow">{text}</span>
    </span>
  );
}

function AccountButton({ terminal }: { terminal: TerminalContext }) {
  const session = terminal.account.session.value;
  const open = (): void => {
    terminal.overlay.value = "sign-in";
  };
  if (session === null)
    return (
      <Button class="button primary" onClick={open}>
        {terminalWords.signIn}
      </Button>
    );
  return (
    <Button class="quiet account" aria-label={signIn.signedInAs(session.label)} onClick={open}>
      <Icon name="person" />
      <span class="label-wide">{session.label}</span>
    </Button>
  );
}

export function Header({ terminal }: { terminal: TerminalContext }) {
  const market = terminal.feed.market.value;
  return (
    <header class="top">
      <a class="brand" href={`${terminal.base}/start`} title={terminalWords.startPage}>
        <Brand />
      </a>
      <h1 class="unseen">{theVenue().name}</h1>
      <Button
        class="market-button"
        aria-haspopup="dialog"
        title={`${terminalWords.chooseMarket} (/)`}
        onClick={() => (terminal.overlay.value = "markets")}
      >
        {market === null ? (
          terminalWords.noMarket
        ) : (
          <span>
            {market.baseAsset}
            <span class="quote-asset">/{market.quoteAsset}</span>
          </span>
        )}
        <Icon name="down" />
      </Button>
      {market === null ? <div class="figures" /> : <Figures terminal={terminal} market={market} />}
      <div class="top-end">
        <ConnectionState terminal={terminal} />
        <a class="quiet to-account" href={`${terminal.base}/account/`}>
          {terminalWords.accountPages}
        </a>
        <AccountButton terminal={terminal} />
        {(["keyboard", "settings"] as const).map((name) => (
          <Button
            key={name}
            class={`quiet show-${name}`}
            aria-label={terminalWords[name]}
            title={terminalWords[name]}
            onClick={() => (terminal.overlay.value = name)}
          >
            <Icon name={name === "settings" ? "gear" : "keyboard"} />
          </Button>
        ))}
      </div>
    </header>
  );
}

// Banners: no connection, stale data, a wrong clock, a market that is not trading.

/** The clock difference from which a banner is shown. */
const CLOCK_OFF_MS = 500;
/** The clock difference from which the banner shows seconds or larger units. */
const IN_SECONDS_MS = 10_000;

/** Formats a clock difference. Small differences are in milliseconds. */
function differenceOf(offsetMs: number): string {
  const spanMs = Math.abs(offsetMs);
  return spanMs < IN_SECONDS_MS ? numbers.milliseconds(spanMs) : showSpan(spanMs);
}

export function Banner({ terminal }: { terminal: TerminalContext }) {
  const connection = terminal.feed.connection.value;
  // The difference does not matter in a lab, whose clock may be at any time. A slow connection is not a wrong clock.
  const offsetMs = terminal.lab.clock.value === null ? terminal.feed.certainOffsetMs.value : 0;
  const { symbol = "", status = "TRADING", delistTime } = terminal.feed.market.value ?? {};
  const isDelisted = delistTime !== undefined && delistTime <= terminal.nowMs.value;
  const blockedUntilMs = terminal.feed.blockedUntilMs.value;
  const failure = terminal.feed.failure.value;
  const isStale = terminal.account.session.value !== null && terminal.account.freshness.value === "stale";
  return (
    <div role="status" aria-live="polite">
      {connection.state === "down" && (
        <p class="banner bad">
          {terminalWords.downSince(showSpan(terminal.nowMs.value - connection.sinceMs), connection.reason)}
        </p>
      )}
      {connection.state !== "down" && isStale && <p class="banner">{terminalWords.accountStale}</p>}
      {blockedUntilMs !== null && (
        <p class="banner bad">{terminalWords.blocked(showSpan(blockedUntilMs - terminal.nowMs.value))}</p>
      )}
      {connection.state !== "down" && blockedUntilMs === null && failure !== null && (
        <p class="banner">{terminalWords.failure(failure)}</p>
      )}
      {Math.abs(offsetMs) > CLOCK_OFF_MS && (
        <p class="banner">{terminalWords.clockOff(differenceOf(offsetMs), offsetMs > 0)}</p>
      )}
      {delistTime !== undefined && (
        <p class="banner">
          {isDelisted
            ? terminalWords.delisted(symbol)
            : terminalWords.delisting(symbol, showDateTime(delistTime, terminal.preferences.timeZone.value))}
        </p>
      )}
      {status !== "TRADING" && !isDelisted && <p class="banner">{terminalWords.marketClosed(status)}</p>}
    </div>
  );
}
