/** The texts of the terminal in English: its panels, order form, tables, checks and notifications. */
import { orderWords } from "./pages-en.ts";
import { exitWords } from "./order-lists-en.ts";
import { portfolioWords } from "./portfolio-en.ts";

const SIDES: Readonly<Record<string, string>> = { BUY: "Buy", SELL: "Sell" };

export const orderType = (type: string): string => orderWords.types[type] ?? type;
const statusInSentence = (status: string): string => (orderWords.statuses[status] ?? status).toLowerCase();
const withCode = (message: string, code: number | null): string => (code === null ? message : `${message} (${code})`);
const rowCount = (rows: number): string => (rows === 1 ? "1 row" : `${rows} rows`);

/** The header, the panels, the settings and the keyboard shortcuts. */
export const terminalWords = {
  brand: "Pricetime",
  skip: "Skip to the order form",
  // Markets.
  markets: "Markets",
  chooseMarket: "Choose a market",
  noMarket: "No market",
  noMarkets: "This exchange has no markets yet. They appear here when they are listed.",
  noMarketFound: "No markets match your search.",
  unlisted: (symbol: string): string => `${symbol} is not listed`,
  unlistedHelp: "This exchange has no market with the symbol in the address. Choose one of its markets.",
  searchMarkets: "Search markets",
  favourites: "Favorites",
  favourite: (symbol: string): string => `Favorite: ${symbol}`,
  lastPrice: "Last price",
  change24h: "24h change",
  high24h: "24h high",
  low24h: "24h low",
  volume24hShort: "24h vol",
  name: "Market",
  price: "Price",
  change: "Change",
  volume24h: (asset: string): string => `24h volume (${asset})`,
  settings: "Settings",
  keyboard: "Keyboard shortcuts",
  accountPages: "Wallet",
  signIn: "Sign in",
  signOut: "Sign out",
  // The connection.
  live: "Live",
  connecting: "Connecting",
  down: "Disconnected",
  downSince: (span: string, reason: string): string =>
    `Disconnected for ${span}${reason === "" ? "" : `: ${reason.replace(/\.$/, "")}`}. The data shown is out of date. Reconnecting automatically.`,
  blocked: (span: string): string =>
    `Too many requests from this IP address. The exchange accepts requests again in ${span}.`,
  failure: (why: string): string =>
    `Market data could not be loaded: ${why.replace(/\.$/, "")}. Retrying automatically.`,
  accountStale: "Orders and balances are out of date. Reloading.",
  clockOff: (span: string, isBehind: boolean): string =>
    `This device's clock is ${span} ${isBehind ? "behind" : "ahead of"} the exchange. Your orders use the exchange's time.`,
  delisting: (symbol: string, when: string): string =>
    `${symbol} will be delisted on ${when}. Trading ends then, and open orders expire.`,
  delisted: (symbol: string): string => `${symbol} is delisted. You can cancel orders, but not place new ones.`,
  marketClosed: (status: string): string =>
    status === "CANCEL_ONLY"
      ? "This market is in cancel-only mode. You can cancel orders and reduce them, but not place new ones."
      : `This market is closed (${status}). You can cancel orders, but not place new ones.`,
  // The order book.
  book: "Order book",
  bookShort: "Book",
  quantity: "Quantity",
  sum: "Sum",
  time: "Time",
  spread: (spread: string, percent: string): string => `Spread ${spread} · ${percent}`,
  bookViews: { both: "Bids and asks", bids: "Bids only", asks: "Asks only" },
  grouping: "Group prices by",
  showPerLevel: "Switch between quantity per level and cumulative quantity",
  showIn: (now: string, other: string): string => `Quantities in ${now}. Switch to ${other}`,
  bookLoading: "Loading the order book…",
  bookEmpty: "The order book is empty.",
  staleFor: (span: string): string => `Out of date: ${span} old`,
  bestPrices: (bid: string, ask: string): string => `Best bid ${bid}, best ask ${ask}.`,
  noBestPrices: "The order book has no bids or no asks.",
  // Recent trades.
  prints: "Recent trades",
  noPrints: "No trades yet.",
  // Panes.
  chart: "Chart",
  depth: "Depth",
  chartAndDepth: "Chart or depth",
  trade: "Trade",
  orders: "Orders",
  resize: (name: string): string => `Resize ${name.toLowerCase()}`,
  // Settings.
  theme: "Theme",
  themes: { system: "System", dark: "Dark", light: "Light" },
  colours: "Colors for up and down",
  colourSets: { default: "Green / red", swapped: "Red / green", "colour-blind": "Blue / orange" },
  timeZone: "Time zone",
  zones: { local: "Local", utc: "UTC" },
  numbers: "Numbers",
  numberChoices: { system: "System", point: "1,234.56", comma: "1.234,56", space: "1 234,56" },
  sounds: "Play a sound when an order is filled",
  warnings: "Order warnings",
  warnPrice: "Price away from the market by more than (%)",
  warnValue: (asset: string): string => `Order value above (${asset})`,
  warnBook: "Share of the visible order book above (%)",
  warnOff: "An empty field has the default. 0 turns a warning off.",
  confirms: "Confirm before placing, moving or canceling an order",
  on: "On",
  off: "Off",
  resetLayout: "Reset layout",
  charts: "Charts by Lightweight Charts™, © TradingView, Inc. (Apache-2.0).",
  startPage: "API and documentation",
  keys: [
    ["/", "Choose a market"],
    ["b", "Buy: go to the order form"],
    ["s", "Sell: go to the order form"],
    ["m", "Market order"],
    ["l", "Limit order"],
    ["r", "Read the best prices aloud (screen readers)"],
    ["1 – 4", "Go to the chart, order book, order form, orders"],
    ["t", "Switch between dark and light"],
    ["?", "Show keyboard shortcuts"],
    ["Esc", "Close a window or leave a field"],
    ["↑ ↓", "Change a price or quantity by one step, with Shift by ten"],
    ["Enter", "Submit the order form"],
    ["← →", "Resize the panes at a divider, or switch tabs"],
  ] as readonly (readonly [string, string])[],
} as const;

export const ask = { no: "Cancel" } as const;

export const form = {
  title: "Order form",
  side: "Side",
  buy: "Buy",
  sell: "Sell",
  kind: "Order type",
  kinds: {
    limit: "Limit",
    market: "Market",
    "stop-limit": "Stop limit",
    "take-profit-limit": "Take profit limit",
    stop: "Stop market",
    "take-profit": "Take profit",
    "trailing-stop": "Trailing stop",
    oco: "OCO",
  },
  more: "More",
  fields: {
    price: "Price",
    limitStopPrice: "Trigger price",
    stopPrice: "Stop price",
    stopLimitPrice: "Stop limit price",
    quantity: "Quantity",
    quoteQuantity: "Amount",
    icebergQty: "Visible quantity",
    trailingDelta: "Trailing distance",
    pegLevel: "Levels behind the best price",
    ...exitWords.fields,
  },
  priceFrom: "Price from",
  bestPrice: (isBid: boolean, behind = 0): string =>
    `Best ${isBid ? "bid" : "ask"}${behind === 0 ? "" : `, ${behind} ${behind === 1 ? "level" : "levels"} behind`}`,
  levelsBehind: "levels behind",
  priceNow: "Price now",
  limitPrice: "Limit price",
  activationPrice: "Activation price",
  atOnce: "Now",
  limitLeg: "Limit leg",
  stopLeg: "Stop leg",
  orMarket: "Market",
  stopBy: "Stop type",
  by: "Amount in",
  available: "Available",
  share: "Share of the available balance",
  timeInForce: "Time in force",
  times: { GTC: "Good till canceled", IOC: "Immediate or cancel", FOK: "Fill or kill" },
  postOnly: "Post only",
  postOnlyWhy: "The order is rejected if it would execute immediately, so you never pay the taker fee.",
  iceberg: "Iceberg",
  icebergParts: (quantity: string): string => `${quantity} visible`,
  yes: "Yes",
  no: "No",
  total: "Total",
  fee: (side: string): string => `Fee (${side})`,
  /** The fee in the asset received, or a part of it in the discount asset. */
  orDiscounted: (fee: string, percent: string, asset: string): string => `${fee}, or ${percent} of it in ${asset}`,
  about: (value: string): string => `≈ ${value}`,
  maker: "maker",
  taker: "taker",
  both: "taker and maker",
  average: "Estimated average price",
  worst: "Estimated worst price",
  slippage: "Estimated slippage",
  round: (value: string): string => `Round to ${value}`,
  submit: (side: string, asset: string): string => `${side} ${asset}`,
  signInToTrade: "Sign in to trade",
  useLimit: (price: string): string => (price === "" ? "Use a limit order" : `Use a limit order at ${price}`),
  sending: "Sending…",
  confirmTitle: (side: string, kind: string, symbol: string): string => `${side} ${symbol}: ${kind}`,
  refused: (code: number | null, message: string): string => withCode(message, code),
  balances: "Balances",
} as const;

const nearestValues = (values: readonly string[]): string =>
  values.length === 0 ? "" : `. Nearest: ${values.join(" or ")}`;
const FILTERED: Readonly<Record<string, string>> = {
  PRICE_FILTER: "Price",
  LOT_SIZE: "Quantity",
  MARKET_LOT_SIZE: "Quantity of a market order",
};
const filtered = (filter: string): string => FILTERED[filter] ?? filter;

/** Problems in the order form, by market rule. */
export const RULES = {
  below: (filter: string, least: string): string => `${filtered(filter)} must be at least ${least}`,
  above: (filter: string, most: string): string => `${filtered(filter)} must be at most ${most}`,
  step: (filter: string, step: string, nearest: readonly string[]): string =>
    `${filtered(filter)} must be in steps of ${step}${nearestValues(nearest)}`,
  digits: (digits: number, nearest: readonly string[]): string =>
    `Use at most ${digits} decimal ${digits === 1 ? "place" : "places"}${nearestValues(nearest)}`,
  percent: (low: string, high: string, isOfReference: boolean): string =>
    `Price must be from ${low} to ${high}, based on the ${isOfReference ? "reference" : "average"} price`,
  unmet: (filter: string): string => `The market does not accept this order (${filter})`,
  icebergParts: (most: number, least: string): string =>
    `Visible quantity must be at least ${least}, for at most ${most} parts`,
  icebergTooLarge: "Visible quantity cannot exceed the quantity of the order",
  icebergGtc: "Iceberg orders must be good till canceled (GTC)",
  noIcebergs: "This market does not accept iceberg orders",
  notional: (bound: string, isMost: boolean): string => `Order value must be at ${isMost ? "most" : "least"} ${bound}`,
  notionalAt: (bound: string, quantity: string, isMost: boolean): string =>
    `Order value must be at ${isMost ? "most" : "least"} ${bound}: use a quantity of at ${isMost ? "most" : "least"} ${quantity}`,
  trailing: (low: string, high: string): string => `Trailing distance must be from ${low} to ${high}`,
  pegLevel: (most: number): string => `Enter 1 to ${most} levels behind the best price, or 0 for the best price`,
  noPegLevel: "The book has no such price now",
  noTrailingStops: "This market does not accept trailing stops",
  position: (most: string, asset: string): string =>
    `Your ${asset}, with your open buy orders and this one, must not exceed ${most}`,
  nothingForIt: "Amount is too small for the minimum quantity at the best price",
  neverTraded: "This market has no trades yet, so it accepts no market orders.",
  counted: { open: "orders", algo: "stop orders", iceberg: "iceberg orders", lists: "order lists" },
  tooMany: (counted: string, there: number, most: number): string =>
    `Too many open ${counted}: you have ${there}, the limit is ${most}`,
  closed: (symbol: string): string => `${symbol} is not open for trading`,
  cancelOnly: (symbol: string): string => `${symbol} only accepts cancels and smaller quantities of open orders`,
  typeNotTaken: "This market does not accept this order type",
  noLists: "This market does not accept OCO orders",
  missing: {
    price: "Enter a price",
    stopPrice: "Enter a trigger price",
    quantity: "Enter a quantity",
    amount: "Enter an amount",
    icebergQty: "Enter a visible quantity",
    trailingDelta: "Enter a trailing distance",
    timeInForce: "Choose a time in force",
  },
  reached: (isAbove: boolean, last: string): string =>
    `This order would trigger immediately: the price must be ${isAbove ? "above" : "below"} the last price of ${last}`,
  activated: (isAbove: boolean, last: string): string =>
    `The activation price must be ${isAbove ? "above" : "below"} the last price of ${last}`,
  wouldTake: (side: "BUY" | "SELL", best: string): string =>
    `This order would execute immediately. For post only, use a price ${side === "BUY" ? "below" : "above"} ${best}`,
  ocoPrices: (side: "BUY" | "SELL", price: "limit" | "trigger"): string => {
    const [limit, stop] = side === "SELL" ? ["above", "below"] : ["below", "above"];
    return `The ${price} price must be ${limit} the last price, the stop price ${stop} it`;
  },
  funds: (need: string, has: string, asset: string): string =>
    `Insufficient balance: this order needs ${need} ${asset}, and ${has} ${asset} is available`,
} as const;

/** Warnings about orders that may be mistakes. */
export const WARNINGS = {
  price: (percent: string, isAbove: boolean, reference: string, isStop: boolean): string =>
    `The price is ${percent} ${isAbove ? "above" : "below"} the ${isStop ? "stop price" : "market"} (${reference}).`,
  large: (limit: string): string => `This is a large order: more than ${limit}.`,
  book: (percent: string, side: "BUY" | "SELL"): string =>
    `This order takes ${percent} of the ${side === "BUY" ? "asks" : "bids"} in the visible order book.`,
  slippage: (percent: string): string =>
    `High slippage: the average price would be at least ${percent} worse than the best price.`,
  bookTooThin: "The visible order book is too thin to fill this order. The unfilled quantity would expire.",
} as const;

export const signIn = {
  title: "Sign in",
  tradeAs: "Trade as:",
  demo: "This is a demo. Anyone can use its accounts.",
  tradeAsName: (name: string): string => `Trade as ${name}`,
  byEmail: "Sign in with email and password",
  useKey: "Use an API key instead",
  byKey: "Sign in with an API key",
  withKey: "This tab trades with an API key. Your account pages need a sign-in of their own.",
  forgetKey: "Remove the API key from this tab",
  accountPages: "Account",
  pages: {
    overview: "Overview",
    deposit: "Deposit",
    withdraw: "Withdraw",
    history: "History",
    security: "Security",
  },
  apiKey: "API key",
  secretKey: "Secret key",
  kept: "Your keys are stored only in this tab, until you sign out or close it. Your browser signs each request. The secret key is never sent.",
  noKey: "No API key yet?",
  createKey: "Create one in your account.",
  go: "Sign in",
  signedInAs: (name: string): string => `Signed in as ${name}`,
  refused: (code: number | null, message: string): string => `Sign-in failed: ${withCode(message, code)}`,
} as const;

/** The tables of orders, trades and balances. */
export const tables = {
  title: "Orders and balances",
  tabs: {
    open: "Open orders",
    lists: "Order lists",
    history: "Order history",
    trades: "Trades",
    balances: "Balances",
    portfolio: "Portfolio",
  },
  columns: {
    time: "Time",
    market: "Market",
    type: "Type",
    side: "Side",
    price: "Price",
    stop: "Trigger",
    filled: "Filled",
    quantity: "Quantity",
    total: "Total",
    average: "Average",
    status: "Status",
    fee: "Fee",
    feeAsset: "Fee asset",
    role: "Role",
    asset: "Asset",
    free: "Available",
    locked: "In orders",
    value: (asset: string): string => `Estimated value (${asset})`,
    list: "List",
    acts: "Actions",
  },
  thisMarket: "This market only",
  cancel: "Cancel",
  cancelOrder: (side: string, symbol: string, price: string): string =>
    `Cancel order: ${SIDES[side] ?? side} ${symbol} at ${price}`,
  cancelTitle: (side: string, type: string): string => `Cancel this ${side.toLowerCase()} order (${type})?`,
  cancelYes: "Cancel order",
  keep: "Keep",
  cancelAll: "Cancel all",
  cancelAllTitle: "Cancel all open orders?",
  cancelAllCount: "Open orders",
  allMarkets: "All markets",
  cancelList: "Cancel list",
  change: (what: string, value: string): string => `Change ${what.toLowerCase()} ${value}`,
  moveTitle: (side: string, type: string): string => `Move this ${side.toLowerCase()} order (${type})?`,
  move: "Move order",
  reduceTitle: (side: string, type: string): string => `Reduce this ${side.toLowerCase()} order (${type})?`,
  reduce: "Reduce order",
  queue: "Queue",
  placeKept: "The order keeps its place.",
  onlyLess: "The quantity can only be reduced. The order then keeps its place in the queue.",
  nothingLeft: "Nothing would be left to fill. Cancel the order instead.",
  save: "Save",
  discard: "Discard",
  fromTo: (from: string, to: string): string => `${from} → ${to}`,
  csv: "Export CSV",
  csvTitle: "Save this table as a CSV file",
  saving: (rows: number): string => `Loading… ${rows}`,
  savedAll: (rows: number, file: string): string => `Saved ${rowCount(rows)} to ${file}`,
  savedNewest: (rows: number, file: string): string =>
    `Saved the newest ${rowCount(rows)} to ${file}. Older rows are not included.`,
  notSaved: (why: string, code: number | null): string =>
    `Export failed: older rows could not be loaded. ${withCode(why, code)}`,
  more: "Show more",
  older: "Load older",
  loading: "Loading…",
  none: {
    open: "No open orders. Orders that you place appear here until they are filled or canceled.",
    lists: "No open order lists. OCO orders, and orders with a take profit or stop loss, appear here.",
    history: "No orders in this market yet. All orders that you place in it appear here.",
    trades: "No trades in this market yet. Your trades in it appear here.",
    balances: "No balances yet. Assets appear here when you deposit or receive them.",
    portfolio: portfolioWords.none,
  },
  signedOut: "Sign in to see your orders, trades and balances.",
  failed: (code: number | null, message: string): string => `Loading failed: ${withCode(message, code)}`,
  again: "Try again",
  market: "Market",
  states: { sending: "Sending…", unknown: "Unknown: checking with the exchange" },
  types: orderWords.types,
  buy: "Buy",
  sell: "Sell",
  maker: "Maker",
  taker: "Taker",
  iceberg: "iceberg",
  trailing: (percent: string): string => `Trailing ${percent}`,
  trailingLimit: (percent: string): string => `Trailing ${percent} limit`,
  pegged: (price: string): string => `pegged: ${price.toLowerCase()}`,
  trailingStates: { waiting: "not activated", following: "active" },
} as const;

/** Notifications about orders. */
export const ACCOUNT = {
  order: (side: string, quantity: string, symbol: string, price: string, stopPrice: string, trailing: string): string =>
    [
      SIDES[side] ?? side,
      quantity,
      symbol,
      ...(price === "" ? [] : [`at ${price}`]),
      ...(stopPrice === "" ? [] : [`stop ${stopPrice}`]),
      ...(trailing === "" ? [] : [`trailing ${trailing}`]),
    ]
      .filter((word) => word !== "")
      .join(" "),
  placed: (order: string): string => `Order placed: ${order}`,
  moved: (order: string): string => `Order moved: ${order}`,
  reduced: (order: string): string => `Order reduced, with its place in the queue: ${order}`,
  listPlaced: (orders: readonly string[]): string => `Order list placed: ${orders.join(" | ")}`,
  /** A fill, such as "Buy 0.2 of 0.5 BTCUSDT at 60,000.00, fee 0.0002 BTC". */
  fill: (side: string, quantity: string, of: string, symbol: string, price: string, fees: readonly string[]): string =>
    [
      `${SIDES[side] ?? side} ${of === "" ? quantity : `${quantity} of ${of}`} ${symbol} at ${price}`,
      ...fees.map((fee) => `fee ${fee}`),
    ].join(", "),
  filled: (fill: string): string => `Order filled: ${fill}`,
  partlyFilled: (fill: string): string => `Order partially filled: ${fill}`,
  expiredInMatch: (order: string, fill: string): string =>
    `Order expired: it would have traded with another order of yours. ${fill === "" ? order : `Filled: ${fill}`}`,
  expired: (order: string, fill: string): string =>
    fill === "" ? `Order expired: ${order}` : `Order expired. Filled: ${fill}`,
  ended: (order: string, status: string): string => `Order ${statusInSentence(status)}: ${order}`,
  refused: (market: string, why: string, code: number | null): string =>
    `Order rejected: ${market}. ${withCode(why, code)}`,
  unknown: (order: string, why: string): string => `Order status unknown: ${order}. ${why} Checking with the exchange.`,
  foundPlaced: (order: string): string => `The order was placed after all: ${order}`,
  neverArrived: "The exchange did not receive this order.",
  cancelled: (order: string): string => `Order canceled: ${order}`,
  listCancelled: (symbol: string): string => `Order list canceled: ${symbol}`,
  allCancelled: (symbol: string): string => `All open orders canceled: ${symbol}`,
  cancelUnknown: (order: string, why: string): string =>
    `Cancellation status unknown: ${order}. ${why} Checking with the exchange.`,
  notCancelled: (what: string, why: string): string => `Not canceled: ${what}. ${why}`,
  isNow: (status: string): string => `The order is now ${statusInSentence(status)}.`,
  notMoved: (order: string, why: string): string => `Order not moved: ${order}. ${why}`,
  notReduced: (order: string, why: string): string => `Order not reduced: ${order}. ${why}`,
  gone: (order: string, why: string): string =>
    `The order was canceled, but the new order was not placed: ${order}. ${why}`,
  listGone: (orders: readonly string[], why: string): string =>
    `The order list was canceled, but the new one was not placed: ${orders.join(" | ")}. ${why}`,
  filledMeanwhile: (order: string, executed: string): string =>
    `The order was filled further while it was being moved (${executed} in total): ${order}. The new order has the quantity that was open before the move.`,
  signedOut: "You are not signed in.",
  dismissed: (why: string): string => `Signed out: ${why}`,
  sessionEnded: "You were signed out.",
  notSignedOut: (why: string): string => `You may still be signed in: ${why} Sign out again.`,
} as const;

/** Errors of requests and streams. */
export const WIRE = {
  fault: (what: string): string => `The response could not be read: ${what}`,
  noJson: (status: number): string => `Unexpected response with HTTP status ${status}.`,
  noSigning: "This browser can sign requests only on pages served over HTTPS or from this machine (localhost).",
  noSecret: "The secret key is missing.",
  late: "The request timed out.",
  unreachable: "The exchange cannot be reached.",
  blocked: (seconds: number): string => `Too many requests from this IP address. Try again in ${seconds} s.`,
  oldSnapshot: "The snapshot is older than the updates of the stream.",
  silent: "The exchange stopped responding.",
} as const;
