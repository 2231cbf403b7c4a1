/** Lines of traders: orders and cancels. */
import { type CancelOpenOrders, type CancelOrder, OFF_SCALE, type OrderType, type PlaceOrder } from "@pricetime/engine";
import { amount } from "../model/amount.ts";
import type { ModelMarket } from "../model/market.ts";
import type { Words } from "./words.ts";

/** `buy 1 @ 100 IOC as b1`: an order as written, with decimals. */
interface Ticket {
  side: "BUY" | "SELL";
  quantity: string;
  worth: string;
  price: string;
  stop: string;
  iceberg: string;
  timeInForce: "GTC" | "IOC" | "FOK";
  trigger: "" | "STOP_LOSS" | "TAKE_PROFIT";
  isMaker: boolean;
  symbol: string;
  id: string;
}

export type MarketFinder = (symbol: string) => ModelMarket;

export function orderCommand(words: Words, accountId: number, find: MarketFinder): PlaceOrder {
  const ticket = readTicket(words);
  const market = find(ticket.symbol);
  const ticks = (text: string) => toInteger(text, market.priceDecimals);
  const lots = (text: string) => toInteger(text, market.quantityDecimals);
  return {
    type: "placeOrder",
    accountId,
    symbolId: market.symbolId,
    side: ticket.side,
    orderType: typeOf(ticket),
    timeInForce: ticket.timeInForce,
    priceTicks: ticks(ticket.price),
    quantityLots: lots(ticket.quantity),
    stopTicks: ticks(ticket.stop),
    icebergLots: lots(ticket.iceberg),
    quoteOrderQty: amount(ticket.worth) / 10n ** BigInt(8 - market.quotePlaces),
    clientOrderId: ticket.id,
  };
}

/** `cancel a1`, `cancel #7`, `cancel #7 a1`, `cancel all`, with `on SYMBOL` and `as x1`. */
export function cancelCommand(words: Words, accountId: number, find: MarketFinder): CancelOrder | CancelOpenOrders {
  let orderId = 0;
  let origClientOrderId = "";
  let symbol = "";
  let newClientOrderId = "cancel";
  while (!words.done) {
    const word = words.take();
    if (word === "on") symbol = words.take();
    else if (word === "as") newClientOrderId = words.take();
    else if (word.startsWith("order-")) orderId = Number(word.slice(6));
    else origClientOrderId = word;
  }
  const { symbolId } = find(symbol);
  if (origClientOrderId === "all") return { type: "cancelOpenOrders", accountId, symbolId, newClientOrderId };
  return { type: "cancelOrder", accountId, symbolId, orderId, origClientOrderId, newClientOrderId };
}

function readTicket(words: Words): Ticket {
  const side = words.take().toUpperCase() as "BUY" | "SELL";
  const worth = words.after("worth");
  const ticket: Ticket = {
    side,
    quantity: worth === undefined ? words.take() : "0",
    worth: worth ?? "0",
    price: "0",
    stop: "0",
    iceberg: "0",
    timeInForce: "GTC",
    trigger: "",
    isMaker: false,
    symbol: "",
    id: "",
  };
  while (!words.done) readOption(words, ticket);
  if (ticket.id === "") throw new Error("an order needs 'as <id>'");
  return ticket;
}

function readOption(words: Words, ticket: Ticket): void {
  const word = words.take();
  if (word === "@") ticket.price = words.take();
  else if (word === "IOC" || word === "FOK" || word === "GTC") ticket.timeInForce = word;
  else if (word === "maker") ticket.isMaker = true;
  else if (word === "iceberg") ticket.iceberg = words.take();
  else if (word === "on") ticket.symbol = words.take();
  else if (word === "as") ticket.id = words.take();
  else if (word === "stop" || word === "take") {
    ticket.trigger = word === "stop" ? "STOP_LOSS" : "TAKE_PROFIT";
    ticket.stop = words.take();
  } else if (word !== "market") throw new Error(`unknown word '${word}' in an order`);
}

function typeOf(ticket: Ticket): OrderType {
  const hasPrice = ticket.price !== "0";
  if (ticket.isMaker) return "LIMIT_MAKER";
  if (ticket.trigger !== "") return hasPrice ? `${ticket.trigger}_LIMIT` : ticket.trigger;
  return hasPrice ? "LIMIT" : "MARKET";
}

function toInteger(text: string, decimals: number): number {
  const unit = 10n ** BigInt(8 - decimals);
  const value = amount(text);
  return value % unit === 0n && value / unit < 2n ** 53n - 1n ? Number(value / unit) : OFF_SCALE;
}
