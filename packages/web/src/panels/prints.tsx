/** The market's latest trades. The rows are created once and then updated. */
import { useComputed } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { compare, decimal } from "../exact/decimal.ts";
import { showDecimal } from "../exact/shown.ts";
import type { Market, Print } from "../market/port.ts";
import { terminalWords } from "../words/words.ts";
import type { TerminalContext } from "./page.ts";
import { largeAbove } from "../market/tape.ts";
import { drawPaced } from "./pace.ts";
import { showTime, turnOf } from "./show.ts";

const TAPE_ROWS_MAX = 80;
interface Row {
  readonly element: HTMLElement;
  readonly cells: readonly [Text, Text, Text];
}

function makeRow(): Row {
  const element = document.createElement("div");
  const cells = [new Text(), new Text(), new Text()] as const;
  for (const cell of cells) {
    const place = document.createElement("span");
    place.append(cell);
    element.append(place);
  }
  return { element, cells };
}

function write(cell: Text, text: string): void {
  if (cell.data !== text) cell.data = text;
}

function drawRows(rows: readonly Row[], prints: readonly Print[], market: Market, zone: "utc" | "local"): void {
  const large = largeAbove(prints);
  for (const [at, { element, cells }] of rows.entries()) {
    const print = prints[at];
    element.hidden = print === undefined;
    if (print === undefined) continue;
    const isUp = turnOf(print) > 0;
    const isLarge = large !== null && compare(decimal(print.quantity), large) > 0;
    const name = `print ${isUp ? "up" : "down"}${isLarge ? " large" : ""}`;
    if (element.className !== name) element.className = name;
    write(cells[0], `${showDecimal(print.price, market.priceDigits)} ${isUp ? "▲" : "▼"}`);
    write(cells[1], showDecimal(print.quantity, market.quantityDigits));
    write(cells[2], showTime(print.timeMs, zone));
  }
}

/** Creates as many rows as fit and keeps them updated. The returned function stops this. */
function drawTape(place: HTMLElement, terminal: TerminalContext): () => void {
  const rows: Row[] = [];
  const rowPx = Number.parseFloat(getComputedStyle(place).getPropertyValue("--row")) || 20;
  const draw = (): void => {
    const market = terminal.feed.market.value;
    const prints = terminal.feed.prints.value;
    const zone = terminal.preferences.timeZone.value;
    if (market !== null) drawRows(rows, prints, market, zone);
    place.classList.toggle("stale", terminal.feed.connection.value.state === "down");
  };
  const sizes = new ResizeObserver(() => {
    const count = Math.min(TAPE_ROWS_MAX, Math.floor(place.clientHeight / rowPx));
    while (rows.length > count) rows.pop()?.element.remove();
    while (rows.length < count) {
      const row = makeRow();
      rows.push(row);
      place.append(row.element);
    }
    draw();
  });
  sizes.observe(place);
  const stop = drawPaced(draw);
  return () => {
    stop();
    sizes.disconnect();
  };
}

export function PrintsPanel({ terminal }: { terminal: TerminalContext }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => (place.current === null ? undefined : drawTape(place.current, terminal)), [terminal]);
  const market = terminal.feed.market.value;
  // If the market has no last price, it has never traded. Otherwise its trades are still loading.
  const isEmpty = useComputed(() => {
    const ticker = terminal.feed.tickers.value.get(terminal.feed.market.value?.symbol ?? "");
    return terminal.feed.prints.value.length === 0 && ticker !== undefined && !/[1-9]/.test(ticker.lastPrice);
  });
  return (
    <section class="pane prints" aria-label={terminalWords.prints}>
      <div class="pane-head">
        <h2>{terminalWords.prints}</h2>
      </div>
      <div class="tape" aria-live="off">
        <div class="heads tape-heads">
          <span>
            {terminalWords.price} <span class="unit">({market?.quoteAsset})</span>
          </span>
          <span>
            {terminalWords.quantity} <span class="unit">({market?.baseAsset})</span>
          </span>
          <span>{terminalWords.time}</span>
        </div>
        {isEmpty.value && <p class="nothing">{terminalWords.noPrints}</p>}
        <div class="rows" ref={place} />
      </div>
    </section>
  );
}
