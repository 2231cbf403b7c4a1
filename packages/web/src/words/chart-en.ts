/** The texts of the chart in English. */
import { listWords } from "./order-lists-en.ts";
import { orderType } from "./terminal-en.ts";

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

export const PANEL = {
  chart: "Chart",
  interval: "Interval",
  indicators: "Indicators",
  view: "View",
  viewMenu: "View: chart type and layouts",
  alerts: "Alerts",
  alertsMenu: "Alerts: price alerts",
  table: "Table",
  tableView: "Show the candles as a table",
  latest: "Latest",
  latestCandle: "Go to the latest candle",
  noMarket: "This exchange has no markets yet.",
  loading: "Loading candles…",
  noCandles: "No trades yet. Candles appear with the first trade.",
  retry: "Try again",
  notLoaded: "The chart could not be loaded.",
  reload: "Reload page",
  loadingOlder: "Loading older candles…",
  olderFull: "This page holds no more candles. Choose a longer interval to see older prices.",
};

/** Names of intervals. */
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

/**
 * The accessible name of an interval's button. It begins with the visible label, so that voice control finds the
 * button.
 */
export function intervalButton(interval: string): string {
  return `${interval}: ${INTERVAL_NAMES[interval] ?? interval}`;
}

/** The label of the menu of other intervals. `chosen` is null if the selected interval has its own button. */
export function otherIntervals(chosen: string | null): string {
  return chosen === null ? "Other intervals" : `${chosen}: other intervals`;
}

export function candlesFailed(reason: string): string {
  return reason === "" ? "The candles could not be loaded." : `The candles could not be loaded: ${reason}`;
}

export function olderFailed(reason: string): string {
  return reason === "" ? "Older candles could not be loaded." : `Older candles could not be loaded: ${reason}`;
}

/** The age of the data since the connection was lost. */
export function staleFor(seconds: number): string {
  return seconds < 1
    ? "Disconnected"
    : `Disconnected. Data from ${seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`} ago`;
}

export const INDICATORS = {
  slots: {
    bollinger: "Bollinger bands",
    average1: "Moving average 1",
    average2: "Moving average 2",
    average3: "Moving average 3",
    vwap: "VWAP",
    rsi: "RSI",
    macd: "MACD",
    stochastic: "Stochastic",
    atr: "ATR",
  },
  /** Names of parameters, and their short forms beside the fields. */
  parameters: {
    form: "type",
    length: "length in candles",
    fast: "fast length in candles",
    slow: "slow length in candles",
    signal: "signal length in candles",
    smoothing: "smoothing in candles",
    deviations: "standard deviations",
    anchor: "restart in UTC",
  },
  short: {
    form: "",
    length: "Length",
    fast: "Fast",
    slow: "Slow",
    signal: "Signal",
    smoothing: "Smooth",
    deviations: "Dev.",
    anchor: "Restart",
  },
  options: { day: "Daily", week: "Weekly", month: "Monthly", year: "Yearly" } as Readonly<Record<string, string>>,
  parameter: (indicator: string, parameter: string): string => `${indicator}: ${parameter}`,
  /** Names in the legend. Moving averages have the name of their type. */
  kinds: { average: "", bollinger: "BB", vwap: "VWAP", rsi: "RSI", macd: "MACD", stochastic: "Stoch", atr: "ATR" },
};

export const LAYOUTS = {
  kind: "Chart type",
  kinds: { candles: "Candles", bars: "Bars", line: "Line", area: "Area" },
  logarithmic: "Logarithmic scale",
  saved: "Saved layouts",
  none: "A layout stores the chart type, interval, scale and indicators under a name, in this browser.",
  name: "Name of the layout",
  save: "Save layout",
  remove: (name: string): string => `Delete layout: ${name}`,
  full: (most: number): string => `This browser stores up to ${most} layouts. Delete one first.`,
};

export const ALERTS = {
  list: "Price alerts",
  price: (symbol: string): string => `Alert price for ${symbol}`,
  set: "Set alert",
  setAt: (price: string): string => `Set price alert at ${price}`,
  remove: (symbol: string, price: string): string => `Delete price alert: ${symbol} at ${price}`,
  directions: { up: "rises to", down: "falls to" },
  active: "Active",
  reachedAt: (time: string): string => `Reached ${time}`,
  reached: (symbol: string, price: string): string => `Price alert: ${symbol} has reached ${price}.`,
  hint: "Alerts work only while this page is open. They are stored in this browser and show a message with a sound and a notification.",
  blocked: "Your browser blocks notifications from this page. Alerts still show a message with a sound.",
  faults: {
    price: "Enter a price above 0.",
    ambiguous: "This text can mean two numbers. Enter the price without separating thousands.",
    unknown: "This market has no last price yet. Set the alert after the first trade.",
    equal: "This is the last price. Enter a price above or below it.",
    full: "This browser stores up to 50 alerts. Delete one first.",
  },
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
  /** Descriptions of the account's trades in this candle. */
  readonly fills: readonly string[];
}

/** Separates the unit, so that it is read as a word. */
const voiced = (number: string): string => number.replace("%", " %");

export function barSpoken({ time, fills, open, high, low, close, volume, change }: BarWords): string {
  const own = fills.length === 0 ? "" : ` Your trades: ${fills.join(", ")}.`;
  const prices = `open ${voiced(open)}, high ${voiced(high)}, low ${voiced(low)}, close ${voiced(close)}`;
  return `${time}: ${prices}, ${voiced(change)}, volume ${voiced(volume)}.${own}`;
}

export const TABLE = {
  caption: (symbol: string, interval: string): string => `${symbol}, ${interval} candles in view, newest first`,
  time: "Time",
  open: "Open",
  high: "High",
  low: "Low",
  close: "Close",
  change: "Change",
  volume: "Volume",
  fills: "Your trades",
};

export function chartHint(symbol: string, interval: string): string {
  return `${symbol}, ${interval} candles. Use the left and right arrow keys to read candle by candle, with Shift by ten. Home and End go to the first and last candle in view. Plus and minus zoom.`;
}

export interface LineWords {
  readonly side: "BUY" | "SELL";
  readonly type: string;
  readonly quantity: string;
  readonly price: string;
  readonly part: "price" | "stopPrice";
  /** The kind of the order's list; null if it does not depend on another order. */
  readonly list: "OCO" | "OTO" | null;
  /** The number of pending orders of the list. */
  readonly pending: number;
  /** Whether a move restarts a trailing stop of the list. */
  readonly restartsTrailing: boolean;
  /** Whether the price was taken from the book. */
  readonly isPegged: boolean;
  readonly hasOtherPrice: boolean;
}

const sideWords = (side: "BUY" | "SELL"): string => (side === "BUY" ? "Buy" : "Sell");

/** The short text of a label. An order with two prices has two labels. */
export function lineLabel({ side, type, quantity, part, list, isPegged, hasOtherPrice }: LineWords): string {
  const which = hasOtherPrice ? (part === "stopPrice" ? " trigger" : " price") : "";
  const kind = `${orderType(type)}${isPegged ? " pegged" : ""}${list === null ? "" : ` ${list}`}`;
  return `${sideWords(side)} ${kind}${which} ${quantity}`.trim();
}

/** The shortest text of a label: side, quantity, and the kind of order unless it is a limit order. */
export function lineTag({ side, type, quantity, list }: LineWords): string {
  const kind = type.startsWith("STOP") ? " stop" : type.startsWith("TAKE") ? " TP" : "";
  return `${sideWords(side)}${list === "OCO" ? " OCO" : kind} ${quantity}`.trim();
}

function lineSpoken(line: LineWords): string {
  const quantity = line.quantity === "" ? "" : ` ${line.quantity}`;
  const kind = `${orderType(line.type).toLowerCase()}${line.isPegged ? " pegged" : ""}`;
  return `${sideWords(line.side)} ${kind}${quantity}${line.list === null ? "" : ` of an ${line.list}`}`;
}

const partWords = (part: "price" | "stopPrice"): string => (part === "stopPrice" ? "trigger price" : "price");

export const LINES = {
  list: "Your open orders on the chart",
  hint: "Use the up and down arrow keys to move the price by one tick, with Shift by ten. Enter applies the new price, Escape discards it, Delete cancels the order.",
  name: (line: LineWords): string => `${lineSpoken(line)}, ${partWords(line.part)} ${line.price}`,
  cancel: (line: LineWords): string => `Cancel order: ${lineSpoken(line)} at ${line.price}`,
  sending: "Sending",
  unknown: "Status unknown",
  pending: "Waiting for another order to fill",
  buys: (count: number): string => `${count} buy`,
  sells: (count: number): string => `${count} sell`,
  distance: (percent: string): string => `${percent}% from the market`,
  total: (amount: string, asset: string): string => `Total ${amount} ${asset}`,
  above: "above the visible prices",
  below: "below the visible prices",
};

export const ASK = {
  move: (line: LineWords, to: string): string =>
    [
      `Move ${lineSpoken(line)}: ${partWords(line.part)} from ${line.price} to ${to}?`,
      line.list === null ? "The order will be canceled and placed again." : listWords.moved(line.list, line.pending),
      ...(line.restartsTrailing ? [listWords.trailingRestarts] : []),
    ].join(" "),
  cancel: (line: LineWords): string =>
    [
      `Cancel ${lineSpoken(line)} at ${line.price}?`,
      ...(line.list === null ? [] : [listWords.canceled(line.list, line.pending)]),
    ].join(" "),
  yesMove: "Move order",
  yesCancel: "Cancel order",
  no: "Keep",
};

export function fillSpoken(side: "BUY" | "SELL", quantity: string, price: string, isAverage = false): string {
  return `${side === "BUY" ? "bought" : "sold"} ${quantity} at ${isAverage ? "an average of " : ""}${price}`;
}

export const DEPTH = {
  name: "Depth",
  loading: "Loading the order book…",
  oneSided: "The order book has no bids or no asks, so there is no depth to display.",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  hint: "Use the left and right arrow keys to read the depth from the mid price outward.",
  point: (side: "bid" | "ask", price: string, total: string, amount: string): string =>
    `${side === "bid" ? "Bids down" : "Asks up"} to ${price}: ${total}, value ${amount}`,
  summary: (bids: string, lowPrice: string, asks: string, highPrice: string): string =>
    `Bids: ${bids} down to ${lowPrice}. Asks: ${asks} up to ${highPrice}.`,
};

/** The license notice of the chart library (Apache-2.0) requires this attribution and link. */
export const ATTRIBUTION = {
  text: "TradingView",
  title: "Chart by TradingView Lightweight Charts™. Copyright (c) 2025 TradingView, Inc.",
  address: "https://www.tradingview.com/",
};
