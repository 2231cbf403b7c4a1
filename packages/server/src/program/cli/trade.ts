/** Commands of the trading API: a symbol's book and trades, and an account's orders and balances. */
import { ORDER_TYPES, TIMES_IN_FORCE } from "@pricetime/engine";
import { restCommand } from "./session/command-row.ts";
import { type Parameters, symbolName } from "./session/rest.ts";
import type { Session } from "./session/session.ts";
import { CommandFailed, moment, type Output, type Row } from "./session/terminal.ts";
import { choices, count } from "./session/values.ts";

export const BOOK = restCommand("book <symbol>")
  .text("Show the order book of a symbol, asks above bids.")
  .option("--levels <count>", "Price levels per side", count(10))
  .runs(async ({ rest, output }, { symbol, levels }: { symbol: string; levels: number }) => {
    const shown = Math.max(1, Math.min(levels, 5000));
    const answer = await rest.ask<Book>("/api/v3/depth", { symbol: symbolName(symbol), limit: depthLimit(shown) });
    if (output.isJson) return output.one({ ...answer });
    const row =
      (side: string) =>
      ([price, quantity]: Level): Row => ({ side, price, quantity });
    const rows = [
      ...answer.asks.slice(0, shown).reverse().map(row("ask")),
      ...answer.bids.slice(0, shown).map(row("bid")),
    ];
    output.rows(rows, ["side", "price", "quantity"]);
  });

export const TRADES = restCommand("trades <symbol>")
  .text("List recent trades of a symbol, newest first.")
  .option("--limit <count>", "Maximum number of trades", count(20))
  .option("--mine", "Only your account's trades")
  .runs(async ({ rest, output }, { symbol, limit, mine }: { symbol: string; limit: number; mine?: boolean }) => {
    const asked = { symbol: symbolName(symbol), limit: Math.max(1, Math.min(limit, 1000)) };
    const found =
      mine === true
        ? await rest.signed<Trade[]>("GET", "/api/v3/myTrades", asked)
        : await rest.ask<Trade[]>("/api/v3/trades", asked);
    const newest = found.toReversed();
    if (output.isJson) return output.rows(newest as unknown as Row[], []);
    const columns = ["time", "side", "price", "quantity"];
    output.rows(newest.map(tradeRow), mine === true ? [...columns, "fee", "orderId"] : columns);
  });

export const ORDER = restCommand("order <symbol>")
  .text("Place an order: `order BTCUSDT buy 0.01 at 20000`.")
  .argument("<side>", "Side", { choices: ["buy", "sell"], parse: side })
  .argument("<quantity>", "Quantity in the base asset")
  .argument("[price...]", "Limit price, such as `at 20000`; without a price the order is a MARKET order")
  .option("--type <type>", "Order type (default: LIMIT with a price, else MARKET)", choices(...ORDER_TYPES))
  .option("--time-in-force <rule>", "Time in force of an order with a price (default: GTC)", choices(...TIMES_IN_FORCE))
  .option("--stop-price <price>", "Stop price, for stop-loss and take-profit types")
  .option("--iceberg <quantity>", "Visible quantity of an iceberg order")
  .option("--quote", "Quantity is in the quote asset (MARKET orders)")
  .option("--client-id <id>", "Client order ID (newClientOrderId)")
  .option("--test", "Validate the order without placing it")
  .runs(async ({ rest, output }, options: OrderOptions) => {
    const parameters = orderOf(options);
    const path = options.test === true ? "/api/v3/order/test" : "/api/v3/order";
    const placed = await rest.signed<Order>("POST", path, parameters);
    if (output.isJson) return output.one({ ...placed });
    if (options.test === true) return output.note("The order is valid. It was not placed.");
    const fills = (placed.fills ?? []).map(({ price, qty, commission, commissionAsset }) => ({
      price,
      quantity: qty,
      fee: `${String(commission)} ${String(commissionAsset)}`,
    }));
    const { time: _, ...row } = orderRow(placed);
    output.one({ ...row, ...(fills.length > 0 && { fills }) });
  });

export const CANCEL = restCommand("cancel <symbol> [order]")
  .text("Cancel an order by its order ID or client order ID.")
  .option("--all", "Cancel all open orders on the symbol")
  .runs(cancelOrders);

export const ORDERS = restCommand("orders [symbol]")
  .text("List your open orders.")
  .option("--all", "Include closed orders; needs a symbol")
  .option("--limit <count>", "Maximum number of orders (with --all)", count(20))
  .runs(async ({ rest, output }, options: { symbol?: string; all?: boolean; limit: number }) => {
    const symbol = options.symbol === undefined ? undefined : symbolName(options.symbol);
    if (options.all !== true)
      return showOrders(output, await rest.signed<Order[]>("GET", "/api/v3/openOrders", { symbol }));
    if (symbol === undefined) throw new CommandFailed("--all needs a symbol, for example: orders BTCUSDT --all.");
    showOrders(output, await rest.signed<Order[]>("GET", "/api/v3/allOrders", { symbol, limit: options.limit }));
  });

export const BALANCES = restCommand("balances")
  .text("List your balances.")
  .runs(async ({ rest, output }) => {
    const account = await rest.signed<{ balances: { free: string; locked: string }[] }>("GET", "/api/v3/account", {});
    const owned = account.balances.filter(({ free, locked }) => Number(free) !== 0 || Number(locked) !== 0);
    output.rows(owned, ["asset", "free", "locked"]);
  });

function side(said: string): string {
  const word = said.toUpperCase();
  if (word === "BUY" || word === "SELL") return word;
  throw new CommandFailed(`order: side: one of buy, sell, not '${said}'`);
}

interface OrderOptions {
  readonly symbol: string;
  readonly side: string;
  readonly quantity: string;
  readonly price?: readonly string[];
  readonly type?: string;
  readonly timeInForce?: string;
  readonly stopPrice?: string;
  readonly iceberg?: string;
  readonly quote?: boolean;
  readonly clientId?: string;
  readonly test?: boolean;
}

/** Words that may stand between a quantity and a price. */
const AT: readonly string[] = ["at", "@"];

function orderOf({ symbol, side: way, quantity, price: words = [], ...options }: OrderOptions): Parameters {
  const prices = words.filter((word) => !AT.includes(word));
  if (prices.length > 1)
    throw new CommandFailed(`order: specify one price, such as \`at 20000\`, not '${words.join(" ")}'`);
  const [price] = prices;
  const type = options.type ?? (price === undefined ? "MARKET" : "LIMIT");
  const rests = type !== "LIMIT_MAKER" && price !== undefined;
  return {
    ...{ symbol: symbolName(symbol), side: way, type, price },
    [options.quote === true ? "quoteOrderQty" : "quantity"]: quantity,
    timeInForce: options.timeInForce ?? (rests ? "GTC" : undefined),
    stopPrice: options.stopPrice,
    icebergQty: options.iceberg,
    newClientOrderId: options.clientId,
    newOrderRespType: "FULL",
  };
}

interface CancelOptions {
  readonly symbol: string;
  readonly order?: string;
  readonly all?: boolean;
}

async function cancelOrders({ rest, output }: Session, options: CancelOptions): Promise<void> {
  const { order = "", all } = options;
  const symbol = symbolName(options.symbol);
  if (all === true) return showOrders(output, await rest.signed<Order[]>("DELETE", "/api/v3/openOrders", { symbol }));
  if (order === "") throw new CommandFailed("cancel: specify an order ID, a client order ID, or --all");
  const which = /^\d+$/.test(order) ? { orderId: order } : { origClientOrderId: order };
  const cancelled = await rest.signed<Order>("DELETE", "/api/v3/order", { symbol, ...which });
  if (output.isJson) return output.one({ ...cancelled });
  const { time: _, ...row } = orderRow(cancelled);
  output.one(row);
}

function showOrders(output: Output, orders: readonly Order[]): void {
  const columns = ["orderId", "time", "symbol", "side", "type", "price", "quantity", "filled", "status"];
  output.rows(output.isJson ? (orders as unknown as Row[]) : orders.map(orderRow), columns);
}

interface Order {
  readonly symbol: string;
  readonly orderId: number;
  readonly side: string;
  readonly type: string;
  readonly price: string;
  readonly stopPrice?: string;
  readonly origQty: string;
  readonly executedQty: string;
  readonly status: string;
  readonly time?: number;
  readonly fills?: readonly Row[];
}

function orderRow({ orderId, time, symbol, side: way, type, price, stopPrice, ...order }: Order): Row {
  const stop = stopPrice === undefined || Number(stopPrice) === 0 ? "" : ` (stop ${stopPrice})`;
  return {
    ...{ orderId, time, symbol, side: way, type: `${type}${stop}`, price: Number(price) === 0 ? "" : price },
    ...{ quantity: order.origQty, filled: order.executedQty, status: order.status },
  };
}

type Level = readonly [price: string, quantity: string];

interface Book {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

interface Trade {
  readonly id: number;
  readonly price: string;
  readonly qty: string;
  readonly time: number;
  readonly isBuyerMaker?: boolean;
  readonly isBuyer?: boolean;
  readonly commission?: string;
  readonly commissionAsset?: string;
}

/** A trade with the taker's side, or for an account's trade, with the account's side. */
function tradeRow({ time, price, qty, isBuyerMaker, isBuyer, commission, commissionAsset, ...rest }: Trade): Row {
  const isBuy = isBuyer ?? isBuyerMaker === false;
  const fee = commission === undefined ? "" : `${commission} ${commissionAsset}`;
  return { ...rest, time: moment(time), side: isBuy ? "BUY" : "SELL", price, quantity: qty, fee };
}

/** Returns the smallest `limit` accepted by the API that covers this number of levels. */
function depthLimit(levels: number): number {
  return [5, 10, 20, 50, 100, 500, 1000, 5000].find((limit) => limit >= levels) ?? 5000;
}
