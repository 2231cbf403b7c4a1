/** The start page: shows the URLs as seen by this browser, and live prices. */

/**
 * The prices of all symbols have a weight of 40 of 1200 per minute, shared with bots at the same address, so an idle
 * page polls less often.
 */
const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 300_000;
let pauseMs = FIRST_PAUSE_MS;
const rows = new Map([...document.querySelectorAll("tr[data-symbol]")].map((row) => [row.dataset.symbol, row]));

for (const element of document.querySelectorAll("[data-scheme]")) {
  const base = element.dataset.scheme === "ws" ? location.origin.replace(/^http/, "ws") : location.origin;
  element.textContent = base + element.dataset.path;
}

function show(symbol, last, open) {
  const row = rows.get(symbol);
  // Zero means that the market has not traded.
  if (row === undefined || Number(last) === 0) return;
  const price = row.querySelector(".price");
  const change = row.querySelector(".change");
  const before = Number(price.textContent);
  price.textContent = plain(last);
  const percent = Number(open) === 0 ? 0 : (Number(last) / Number(open) - 1) * 100;
  change.textContent = `${percent > 0 ? "+" : ""}${percent.toFixed(2)}%`;
  change.dataset.way = wayOf(percent);
  if (!Number.isNaN(before) && before !== Number(last)) flash(price, wayOf(Number(last) - before));
}

/** Drops trailing zeros of the eight decimals, except for two. */
function plain(decimal) {
  return decimal.replace(/(\.\d\d\d*?)0+$/, "$1");
}

function wayOf(difference) {
  if (difference === 0) return "none";
  return difference > 0 ? "up" : "down";
}

function flash(element, way) {
  element.dataset.flash = way;
  setTimeout(() => delete element.dataset.flash, 600);
}

/** Loads prices once by request. Updates come from a stream, which has no request weight. */
async function firstPrices() {
  const answer = await fetch("/api/v3/ticker/24hr", { headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error(`the node answers ${answer.status}`);
  for (const { symbol, lastPrice, openPrice } of await answer.json()) show(symbol, lastPrice, openPrice);
}

function follow() {
  const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/ws/!miniTicker@arr`);
  socket.addEventListener("message", ({ data }) => {
    pauseMs = FIRST_PAUSE_MS;
    for (const { s: symbol, c: last, o: open } of JSON.parse(data)) show(symbol, last, open);
  });
  socket.addEventListener("close", again);
}

function again() {
  setTimeout(() => void start(), pauseMs);
  pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
}

/** Never rejects. */
async function start() {
  try {
    await firstPrices();
  } catch {
    // The node is unreachable, or the rate limit is used up.
    again();
    return;
  }
  follow();
}

if (rows.size > 0) void start();
