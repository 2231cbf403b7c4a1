/** The commands of the trading API: orders and balances of an account, and the book and trades of a symbol. */
import { ORDER_TYPES, TIMES_IN_FORCE } from "@pricetime/engine";
import { Argument, type Command, Option } from "commander";
import { CommandFailed, moment, type Output, type Row, type Terminal } from "./session/terminal.ts";
import { marketAction, type Parameters, type RestSession, symbolName } from "./session/rest.ts";
import { type Options, wholeNumber } from "./session/session.ts";

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

const COLUMNS = ["orderId", "time", "symbol", "side", "type", "price", "quantity", "filled", "status"];
/** The words accepted between a quantity and a price. */
const AT: readonly string[] = ["at", "@"];

export function addTradeCommands(program: Command, terminal: Terminal): void {
  addOrder(program, terminal);
  const cancel = program
    .command("cancel <symbol> [order]")
    .description("Cancel an order by its order ID or client order ID.");
  cancel.option("--all", "Cancel all open orders on the symbol");
  marketAction(cancel, terminal, async (session, [symbol, order], { all }) => {
    await cancelOrders(session, symbolName(symbol), order, all === true);
  });
  const orders = program.command("orders [symbol]").description("List your open orders.");
  orders.option("--all", "Include closed orders; needs a symbol");
  orders.option("--limit <count>", "Maximum number of orders (with --all)", wholeNumber, 20);
  marketAction(orders, terminal, async ({ rest, output }, [said], { all, limit }) => {
    const symbol = said === undefined ? undefined : symbolName(said);
    if (all === true && symbol === undefined)
      throw new CommandFailed("--all needs a symbol, for example: orders BTCUSDT --all.");
    const rows = all
      ? await rest.signed<Order[]>("GET", "/api/v3/allOrders", { symbol, limit: Number(limit) })
      : await rest.signed<Order[]>("GET", "/api/v3/openOrders", { symbol });
    showOrders(output, rows);
  });
  const balances = program.command("balances").description("List your balances.");
  marketAction(balances, terminal, async ({ rest, output }) => {
    const account = await rest.signed<{ balances: { free: string; locked: string }[] }>("GET", "/api/v3/account", {});
    const owned = account.balances.filter(({ free, locked }) => Number(free) !== 0 || Number(locked) !== 0);
    output.rows(owned, ["asset", "free", "locked"]);
  });
}

function addOrder(program: Command, terminal: Terminal): void {
  const order = program.command("order <symbol>").description("Place an order: `order BTCUSDT buy 0.01 at 20000`.");
  order.addArgument(new Argument("<side>", "Side").choices(["buy", "sell"]).argParser((said) => side(said)));
  order.argument("<quantity>", "Quantity in the base asset");
  order.argument("[price...]", "Limit price, such as `at 20000`; without a price the order is a MARKET order");
  order.addOption(
    new Option("--type <type>", "Order type (default: LIMIT with a price, else MARKET)").choices(ORDER_TYPES),
  );
  order.addOption(
    new Option("--time-in-force <rule>", "Time in force of an order with a price (default: GTC)").choices(
      TIMES_IN_FORCE,
    ),
  );
  order.option("--stop-price <price>", "Stop price, for stop-loss and take-profit types");
  order.option("--iceberg <quantity>", "Visible quantity of an iceberg order");
  order.option("--quote", "Quantity is in the quote asset (MARKET orders)");
  order.option("--client-id <id>", "Client order ID (newClientOrderId)");
  order.option("--test", "Validate the order without placing it");
  marketAction(order, terminal, async ({ rest, output }, words, options) => {
    const parameters = orderOf(words, options);
    const path = options["test"] === true ? "/api/v3/order/test" : "/api/v3/order";
    const placed = await rest.signed<Order>("POST", path, parameters);
    if (output.isJson || options["test"] === true) {
      if (!output.isJson) return output.note("The order is valid. It was not placed.");
      return output.one(placed as unknown as Row);
    }
    const fills = (placed.fills ?? []).map(({ price, qty, commission, commissionAsset }) => ({
      price,
      quantity: qty,
      fee: `${String(commission)} ${String(commissionAsset)}`,
    }));
    const { time: _, ...row } = orderRow(placed);
    output.one({ ...row, ...(fills.length > 0 && { fills }) });
  });
}

function side(said: string): string {
  const word = said.toUpperCase();
  if (word === "BUY" || word === "SELL") return word;
  throw new CommandFailed(`order: side: one of buy, sell, not '${said}'`);
}

function orderOf([symbol, orderSide, quantity, ...rest]: readonly string[], options: Options): Parameters {
  const prices = rest.filter((word) => !AT.includes(word));
  if (prices.length > 1)
    throw new CommandFailed(`order: specify one price, such as \`at 20000\`, not '${rest.join(" ")}'`);
  const [price] = prices;
  const type = String(options["type"] ?? (price === undefined ? "MARKET" : "LIMIT"));
  const rests = type !== "LIMIT_MAKER" && price !== undefined;
  return {
    symbol: symbolName(symbol),
    side: orderSide,
    type,
    [options["quote"] === true ? "quoteOrderQty" : "quantity"]: quantity,
    price,
    timeInForce: rests ? String(options["timeInForce"] ?? "GTC") : (options["timeInForce"] as string | undefined),
    stopPrice: options["stopPrice"] as string | undefined,
    icebergQty: options["iceberg"] as string | undefined,
    newClientOrderId: options["clientId"] as string | undefined,
    newOrderRespType: "FULL",
  };
}

async function cancelOrders({ rest, output }: RestSession, symbol: string, order = "", all: boolean): Promise<void> {
  if (all) return showOrders(output, await rest.signed<Order[]>("DELETE", "/api/v3/openOrders", { symbol }));
  if (order === "") throw new CommandFailed("cancel: specify an order ID, a client order ID, or --all");
  const which = /^\d+$/.test(order) ? { orderId: order } : { origClientOrderId: order };
  const cancelled = await rest.signed<Order>("DELETE", "/api/v3/order", { symbol, ...which });
  if (output.isJson) return output.one(cancelled as unknown as Row);
  const { time: _, ...row } = orderRow(cancelled);
  output.one(row);
}

function showOrders(output: Output, orders: readonly Order[]): void {
  if (output.isJson) output.rows(orders as unknown as Row[], []);
  else output.rows(orders.map(orderRow), COLUMNS);
}

function orderRow({
  orderId,
  time,
  symbol,
  side: way,
  type,
  price,
  stopPrice,
  origQty,
  executedQty,
  status,
}: Order): Row {
  const stop = stopPrice === undefined || Number(stopPrice) === 0 ? "" : ` (stop ${stopPrice})`;
  const asked = Number(price) === 0 ? "" : price;
  return {
    orderId,
    time,
    symbol,
    side: way,
    type: `${type}${stop}`,
    price: asked,
    quantity: origQty,
    filled: executedQty,
    status,
  };
}

// The book and the trades of a symbol.

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

export function addMarketCommands(program: Command, terminal: Terminal): void {
  const book = program.command("book <symbol>").description("Show the order book of a symbol, asks above bids.");
  book.option("--levels <count>", "Price levels per side", wholeNumber, 10);
  marketAction(book, terminal, async ({ rest, output }, [symbol], { levels }) => {
    const shown = Math.max(1, Math.min(Number(levels), 5000));
    const answer = await rest.ask<Book>("/api/v3/depth", { symbol: symbolName(symbol), limit: depthLimit(shown) });
    if (output.isJson) return output.one(answer as unknown as Row);
    const row =
      (side: string) =>
      ([price, quantity]: Level): Row => ({ side, price, quantity });
    const rows = [
      ...answer.asks.slice(0, shown).reverse().map(row("ask")),
      ...answer.bids.slice(0, shown).map(row("bid")),
    ];
    output.rows(rows, ["side", "price", "quantity"]);
  });
  const trades = program.command("trades <symbol>").description("List recent trades of a symbol, newest first.");
  trades.option("--limit <count>", "Maximum number of trades", wholeNumber, 20);
  trades.option("--mine", "Only your account's trades");
  marketAction(trades, terminal, async ({ rest, output }, [symbol], { limit, mine }) => {
    const asked = { symbol: symbolName(symbol), limit: Math.max(1, Math.min(Number(limit), 1000)) };
    const found =
      mine === true
        ? await rest.signed<Trade[]>("GET", "/api/v3/myTrades", asked)
        : await rest.ask<Trade[]>("/api/v3/trades", asked);
    const newest = found.toReversed();
    if (output.isJson) return output.rows(newest as unknown as Row[], []);
    const columns = ["time", "side", "price", "quantity"];
    output.rows(newest.map(tradeRow), mine === true ? [...columns, "fee", "orderId"] : columns);
  });
}

/** A row with the taker's side; for a trade of the account, with its side. */
function tradeRow({ time, price, qty, isBuyerMaker, isBuyer, commission, commissionAsset, ...rest }: Trade): Row {
  const isBuy = isBuyer ?? isBuyerMaker === false;
  const fee = commission === undefined ? "" : `${commission} ${commissionAsset}`;
  return { ...rest, time: moment(time), side: isBuy ? "BUY" : "SELL", price, quantity: qty, fee };
}

/** Returns the smallest limit of the API that includes these levels. */
function depthLimit(levels: number): number {
  return [5, 10, 20, 50, 100, 500, 1000, 5000].find((limit) => limit >= levels) ?? 5000;
}
