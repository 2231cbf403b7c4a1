/** Shared texts of the terminal, the console and the account pages in English. */

/** Texts of the page frame, lists, and outcomes of requests. */
export const pagesWords = {
  skip: "Skip to the content",
  pages: "Pages",
  theme: "Switch between dark and light",
  signOut: "Sign out",
  lookAt: "View",
  credited: (amount: string): string => `${amount} credited`,
  notices: "Notifications",
  dismiss: "Dismiss",
  close: "Close",
  more: "Show more",
  // Requests.
  busy: "Sending…",
  fault: (what: string): string => `The response could not be read: ${what}`,
  late: "The request timed out.",
  /** The text of an error of the node, which the node sends in English. */
  serverMessage: (_code: string, message: string): string => message,
  notPermitted: "Ask an operator whose role permits this.",
  outcomeUnknown: "The outcome is unknown. Check whether the request was carried out before you try again.",
  refused: (message: string, code: string): string => (code === "" ? message : `${message} ${code}`),
  working: (done: number, of: number): string =>
    `There are unusually many sign-in attempts. Your browser is completing a security check: ${done} of ${of}.`,
  // Secrets and other texts that are copied.
  secretNames: { apiKey: "API key", secretKey: "Secret key", secret: "Secret", uri: "URI", link: "Link" },
  copy: "Copy",
  copyName: (name: string): string => `Copy: ${name}`,
  isCopied: "Copied",
  iHaveIt: "Done",
  // Lists.
  loading: "Loading…",
  find: "Filter",
  findIn: (title: string): string => `Filter: ${title}`,
  noneFound: "No rows match this filter.",
  csv: "Export CSV",
  csvWhole: "Export all as CSV",
  saveShown: (title: string): string => `Export CSV: ${title}`,
  saveWhole: (title: string): string => `Export all as CSV: ${title}`,
  older: "Load older",
  // Charts and figures.
  chart: (label: string, count: number): string => `${label}, ${count} periods. Use the arrow keys to read each value.`,
  chartValue: (period: string, value: string): string => `${period}: ${value}`,
  noFigure: "—",
  ms: (value: string): string => `${value} ms`,
  perSecond: (value: string): string => `${value}/s`,
  days: (count: number): string => `${count} days`,
  months: "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
  /** `year` is "" for the current year. */
  date: (day: number, month: string, year: string): string => `${day} ${month} ${year}`.trim(),
} as const;

const ORDER_TYPES: Readonly<Record<string, string>> = {
  LIMIT: "Limit",
  MARKET: "Market",
  LIMIT_MAKER: "Post only",
  STOP_LOSS: "Stop market",
  STOP_LOSS_LIMIT: "Stop limit",
  TAKE_PROFIT: "Take profit",
  TAKE_PROFIT_LIMIT: "Take profit limit",
};

const ORDER_STATUSES: Readonly<Record<string, string>> = {
  NEW: "Open",
  PENDING_NEW: "Waiting for another order to fill",
  PARTIALLY_FILLED: "Partially filled",
  FILLED: "Filled",
  CANCELED: "Canceled",
  PENDING_CANCEL: "Canceling",
  REJECTED: "Rejected",
  EXPIRED: "Expired",
  EXPIRED_IN_MATCH: "Expired (self-trade prevention)",
};

/** Why an order expired. Other reasons are clear from the order itself. */
const EXPIRY_REASONS: Readonly<Record<string, string>> = {
  UNFILLED_IOC_QUANTITY_EXPIRED: "not filled immediately",
  UNFILLED_FOK_ORDER_EXPIRED: "not filled completely",
  INSUFFICIENT_LIQUIDITY: "no more orders in the book",
  OCO_TRIGGER: "other order executed",
  OTO_PHASE_ONE_EXPIRED: "working order expired",
  REJECTED: "rejected when placed",
  EXCHANGE_CANCELED: "canceled by the exchange",
  EXECUTION_RULE_PRICE_RANGE_EXCEEDED: "outside the price range",
};

/** The types and statuses of orders, and the reasons of their expiry, wherever they are shown. */
export const orderWords = {
  types: ORDER_TYPES,
  statuses: ORDER_STATUSES,
  reasons: EXPIRY_REASONS,
  because: (status: string, reason: string): string => `${status}: ${reason}`,
  /** The quantity of a pending order that sells what its working order buys. */
  bought: "As bought",
  waitsFor: (isBuy: boolean, price: string): string => `Waiting for ${isBuy ? "buy" : "sell"} at ${price} to fill`,
} as const;

/** Fields for numbers. */
export const numberFields = {
  unreadable: "Enter a number",
  ambiguous: "Which number do you mean?",
} as const;

/** Numbers and units. */
export const numbers = {
  percent: (value: string | number): string => `${value}%`,
  /** The text for values smaller than the smallest value that can be displayed. */
  below: (least: string): string => `< ${least}`,
  milliseconds: (count: number): string => `${count} ms`,
  seconds: (count: number): string => `${count} s`,
  minutes: (count: number): string => `${count} min`,
  hours: (count: number): string => `${count} h`,
  trillions: "T",
  billions: "B",
  millions: "M",
  thousands: "K",
} as const;
