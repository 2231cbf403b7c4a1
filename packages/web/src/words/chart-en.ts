/** What the chart says, in English. */

export const MONTHS: readonly string[] = [
  "Jan",
  "Feb",
  "Mar",
  "Apr",
  "May",
  "Jun",
  "Jul",
  "Aug",
  "Sep",
  "Oct",
  "Nov",
  "Dec",
];

/** What stands around the drawing. */
export const PANEL = {
  chart: "Chart",
  interval: "Interval",
  indicators: "Indicators",
  log: "Log",
  logScale: "Log: logarithmic price scale",
  table: "Table",
  tableView: "Show the candles as a table",
  latest: "Latest",
  latestCandle: "Go to the latest candle",
  noMarket: "No market is listed.",
  loading: "Loading candles…",
  noCandles: "No trade yet: candles begin with the first one.",
  retry: "Try again",
  notLoaded: "The chart could not be loaded.",
  reload: "Reload the page",
  loadingOlder: "Loading older candles…",
  olderFull: "No more candles are held here: a longer interval shows more.",
};

/** Names of intervals as one says them. */
export const INTERVAL_NAMES: Readonly<Record<string, string>> = {
  "1m": "1 minute",
  "3m": "3 minutes",
  "5m": "5 minutes",
  "15m": "15 minutes",
  "30m": "30 minutes",
  "1h": "1 hour",
  "2h": "2 hours",
  "4h": "4 hours",
  "6h": "6 hours",
  "8h": "8 hours",
  "12h": "12 hours",
  "1d": "1 day",
  "3d": "3 days",
  "1w": "1 week",
  "1M": "1 month",
};

/** What is read aloud begins with what is seen: who speaks to the page says that. */
export function intervalButton(interval: string): string {
  return `${interval}: ${INTERVAL_NAMES[interval] ?? interval}`;
}

/** Null: the chosen one has a button of its own. */
export function otherIntervals(chosen: string | null): string {
  return chosen === null ? "Other intervals" : `${chosen}: other intervals`;
}

export function candlesFailed(reason: string): string {
  return reason === "" ? "The candles could not be loaded." : `The candles could not be loaded: ${reason}`;
}

export function olderFailed(reason: string): string {
  return reason === "" ? "Older candles could not be loaded." : `Older candles could not be loaded: ${reason}`;
}

/** Said of what was true when the connection was lost. */
export function staleFor(seconds: number): string {
  return seconds < 1
    ? "Not connected"
    : `Not connected: as of ${seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`} ago`;
}

export const INDICATORS = {
  average: (place: number): string => `Average ${place}`,
  form: (place: number): string => `Kind of average ${place}`,
  forms: { SMA: "SMA", EMA: "EMA" },
  bollinger: "Bollinger bands",
  bollingerShort: "BB",
  vwap: "VWAP",
  vwapHint: "from the start of the day; from 1 d on, of the year (UTC)",
  rsi: "RSI",
  length: (name: string): string => `Candles of ${name}`,
  deviations: "Standard deviations of the bands",
};

export const LEGEND = { open: "O", high: "H", low: "L", close: "C", volume: "Vol" };

export interface BarWords {
  readonly time: string;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
  readonly change: string;
  /** What the account bought and sold in it; empty: nothing. */
  readonly fills: readonly string[];
}

/** To a voice a comma between digits is a pause, and the unit a word. */
const voiced = (number: string): string => number.replaceAll(",", "").replace("%", " %");

export function barSpoken({ time, fills, open, high, low, close, volume, change }: BarWords): string {
  const own = fills.length === 0 ? "" : ` Yours: ${fills.join(", ")}.`;
  const prices = `open ${voiced(open)}, high ${voiced(high)}, low ${voiced(low)}, close ${voiced(close)}`;
  return `${time}: ${prices}, ${voiced(change)}, volume ${voiced(volume)}.${own}`;
}

export const TABLE = {
  caption: (symbol: string, interval: string): string => `${symbol}, candles of ${interval} in view, newest first`,
  time: "Time",
  open: "Open",
  high: "High",
  low: "Low",
  close: "Close",
  change: "Change",
  volume: "Volume",
  fills: "Your fills",
};

export function chartHint(symbol: string, interval: string): string {
  return `${symbol}, candles of ${interval}. Left and right arrow keys read candle by candle, with Shift ten at a time; Home and End go to the first and the last in view; plus and minus zoom.`;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  LIMIT: "Limit",
  LIMIT_MAKER: "Post only",
  STOP_LOSS: "Stop",
  STOP_LOSS_LIMIT: "Stop limit",
  TAKE_PROFIT: "Take profit",
  TAKE_PROFIT_LIMIT: "Take profit limit",
};

export interface LineWords {
  readonly side: "BUY" | "SELL";
  readonly type: string;
  readonly quantity: string;
  readonly price: string;
  readonly part: "price" | "stopPrice";
  readonly isList: boolean;
  readonly hasOtherPrice: boolean;
}

const sideWords = (side: "BUY" | "SELL"): string => (side === "BUY" ? "Buy" : "Sell");
const typeWords = (type: string): string => TYPE_WORDS[type] ?? type;

/** On the label: short. Of an order with two prices it says which one. */
export function lineLabel({ side, type, quantity, part, isList, hasOtherPrice }: LineWords): string {
  const which = hasOtherPrice ? (part === "stopPrice" ? " trigger" : " price") : "";
  return `${sideWords(side)} ${typeWords(type)}${isList ? " OCO" : ""}${which} ${quantity}`;
}

function lineSpoken(line: LineWords): string {
  return `${sideWords(line.side)} ${typeWords(line.type).toLowerCase()} ${line.quantity}${line.isList ? " of an OCO" : ""}`;
}

const partWords = (part: "price" | "stopPrice"): string => (part === "stopPrice" ? "trigger price" : "price");

export const LINES = {
  list: "Your open orders on the chart",
  hint: "Up and down arrow keys move the price by a tick, with Shift by ten; Enter applies, Escape puts it back, Delete cancels the order.",
  name: (line: LineWords): string => `${lineSpoken(line)}, ${partWords(line.part)} ${line.price}`,
  cancel: (line: LineWords): string => `Cancel: ${lineSpoken(line)} at ${line.price}`,
  moving: (line: LineWords, to: string): string => `${partWords(line.part)} ${to}`,
  sending: "sending",
  unknown: "unknown",
  above: "above the prices in view",
  below: "below the prices in view",
};

export const ASK = {
  move: (line: LineWords, to: string): string =>
    `Move ${lineSpoken(line)}: ${partWords(line.part)} from ${line.price} to ${to}?${
      line.isList ? " Both orders of the OCO are cancelled and placed anew." : " It is cancelled and placed anew."
    }`,
  cancel: (line: LineWords): string =>
    `Cancel ${lineSpoken(line)} at ${line.price}?${line.isList ? " Both orders of the OCO are cancelled." : ""}`,
  yesMove: "Move",
  yesCancel: "Cancel order",
  no: "Keep",
};

export function fillSpoken(side: "BUY" | "SELL", quantity: string, price: string): string {
  return `${side === "BUY" ? "bought" : "sold"} ${quantity} at ${price}`;
}

export const DEPTH = {
  name: "Depth",
  loading: "Loading the book…",
  oneSided: "The book has no bids or no asks: there is no depth to draw around a middle.",
  zoomIn: "Show less of the book, larger",
  zoomOut: "Show more of the book",
  hint: "Left and right arrow keys read the depth from the middle outwards.",
  point: (side: "bid" | "ask", price: string, total: string, amount: string): string =>
    `${side === "bid" ? "Bids" : "Asks"} to ${price}: ${total}, worth ${amount}`,
  summary: (bids: string, lowPrice: string, asks: string, highPrice: string): string =>
    `Bids of ${bids} down to ${lowPrice}, asks of ${asks} up to ${highPrice}.`,
};

/** What the chart library's notice asks for (Apache-2.0): its authors are named, and linked. */
export const ATTRIBUTION = {
  text: "Lightweight Charts™ by TradingView",
  title: "The chart is drawn by TradingView Lightweight Charts™. Copyright (c) 2025 TradingView, Inc.",
  address: "https://www.tradingview.com/",
};
