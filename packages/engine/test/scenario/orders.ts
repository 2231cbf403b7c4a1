/** Scenario lines of traders: orders, order lists and cancels. */
import {
  type AmendOrder,
  type CancelOpenOrders,
  type CancelOrder,
  type CancelOrderList,
  type CancelReplace,
  type CancelReplaceMode,
  type ListLeg,
  OFF_SCALE,
  type OrderType,
  type Peg,
  type PlaceOco,
  type PlaceOrder,
  type PlaceOto,
} from "@pricetime/engine";
import { amount, type ModelMarket } from "@pricetime/testkit/models";
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
  trailing: number;
  peg: Peg | null;
  isMaker: boolean;
  isAtMarket: boolean;
  mode: PlaceOrder["selfTradePrevention"];
  symbol: string;
  id: string;
}

export type MarketFinder = (symbol: string) => ModelMarket;

export function orderCommand(words: Words, accountId: number, find: MarketFinder): PlaceOrder {
  const ticket = readTicket(words);
  return placeCommand(ticket, accountId, find(ticket.symbol));
}

function placeCommand(ticket: Ticket, accountId: number, market: ModelMarket): PlaceOrder {
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
    ...(ticket.trailing === 0 ? {} : { trailingDelta: ticket.trailing }),
    ...(ticket.peg === null ? {} : { peg: ticket.peg }),
    ...(ticket.mode === undefined ? {} : { selfTradePrevention: ticket.mode }),
  };
}

/** `oco sell 1 @ 110 as l1 or @ 89 stop 90 IOC as s1 in L1`: the limit leg, then the stop leg. */
export function ocoCommand(words: Words, accountId: number, find: MarketFinder): PlaceOco {
  const side = words.take().toUpperCase() as "BUY" | "SELL";
  const quantity = words.take();
  const limit = emptyTicket(side, quantity);
  const stop = emptyTicket(side, quantity);
  while (!words.has("or")) readOption(words, limit);
  let listClientOrderId = "";
  while (!words.done) {
    if (words.has("in")) listClientOrderId = words.take();
    else readOption(words, stop);
  }
  // The limit leg waits in the book, or for its own stop price.
  limit.isMaker = limit.trigger === "";
  limit.mode = stop.mode;
  const market = find(stop.symbol);
  return {
    type: "placeOco",
    accountId,
    symbolId: market.symbolId,
    side,
    quantityLots: placeCommand(stop, accountId, market).quantityLots,
    stopLeg: legOf(placeCommand(stop, accountId, market)),
    limitLeg: legOf(placeCommand(limit, accountId, market)),
    listClientOrderId,
  };
}

/**
 * `oto buy 1 @ 100 as w1 then sell 1 @ 110 as p1 in L1`: the working order, then the pending one. A pair follows as in
 * `oco`: `then sell 1 @ 110 as l1 or stop 90 as s1`. `opo` is the same without a quantity of the pending orders.
 */
export function otoCommand(words: Words, accountId: number, find: MarketFinder, kind: "OTO" | "OPO"): PlaceOto {
  const workingTicket = emptyTicket(words.take().toUpperCase() as "BUY" | "SELL", words.take());
  while (!words.has("then")) readOption(words, workingTicket);
  const side = words.take().toUpperCase() as "BUY" | "SELL";
  const quantity = kind === "OPO" ? "0" : words.take();
  const tickets = [emptyTicket(side, quantity)];
  let listClientOrderId = "";
  while (!words.done) {
    if (words.has("or")) tickets.push(emptyTicket(side, quantity));
    else if (words.has("in")) listClientOrderId = words.take();
    else readOption(words, tickets.at(-1)!);
  }
  const [pending, stop] = tickets as [Ticket, Ticket?];
  if (stop !== undefined) pending.isMaker ||= pending.trigger === "";
  const market = find(workingTicket.symbol);
  const working = placeCommand(workingTicket, accountId, market);
  const legs = [stop, pending]
    .flatMap((ticket) => ticket ?? [])
    .map((ticket) => placeCommand(ticket, accountId, market));
  return {
    type: "placeOto",
    accountId,
    symbolId: market.symbolId,
    kind: stop === undefined ? kind : `${kind}CO`,
    working: { side: working.side, quantityLots: working.quantityLots, leg: legOf(working) },
    pendingSide: side,
    pendingLots: legs[0]!.quantityLots,
    pending: legOf(legs[0]!),
    pendingLimit: legs[1] === undefined ? null : legOf(legs[1]),
    listClientOrderId,
  };
}

function legOf(order: PlaceOrder): ListLeg {
  const { orderType, timeInForce, priceTicks, stopTicks, icebergLots, clientOrderId } = order;
  const { selfTradePrevention, trailingDelta, peg } = order;
  return {
    ...{ orderType, timeInForce, priceTicks, stopTicks, icebergLots, clientOrderId },
    ...(selfTradePrevention === undefined ? {} : { selfTradePrevention }),
    ...(trailingDelta === undefined ? {} : { trailingDelta }),
    ...(peg === undefined ? {} : { peg }),
  };
}

/** `replace a1 as x1 by sell 1 @ 101 as a2`. */
export function replaceCommand(
  words: Words,
  accountId: number,
  find: MarketFinder,
  mode: CancelReplaceMode,
): CancelReplace {
  const cancel = cancelCommand(words, accountId, find) as CancelOrder;
  const place = orderCommand(words, accountId, find);
  return { type: "cancelReplace", mode, cancel, place };
}

/**
 * `cancel a1`, `cancel order-7`, `cancel order-7 a1`, `cancel all`, `cancel list L1`, `cancel list list-3`,
 * with `on SYMBOL`, `as x1`, `only new` and `only partly`; ends at `by`.
 */
export function cancelCommand(
  words: Words,
  accountId: number,
  find: MarketFinder,
): CancelOrder | CancelOpenOrders | CancelOrderList {
  const ofList = words.has("list");
  let orderListId = -1;
  let orderId = 0;
  let origClientOrderId = "";
  let symbol = "";
  let newClientOrderId = "cancel";
  let onlyIn: CancelOrder["onlyIn"];
  while (!words.done && !words.has("by")) {
    const word = words.take();
    if (word === "on") symbol = words.take();
    else if (ofList && word.startsWith("list-")) orderListId = Number(word.slice(5));
    else if (word === "as") newClientOrderId = words.take();
    else if (word === "only") onlyIn = words.take() === "new" ? "NEW" : "PARTIALLY_FILLED";
    else if (word.startsWith("order-")) orderId = Number(word.slice(6));
    else origClientOrderId = word;
  }
  const { symbolId } = find(symbol);
  if (ofList) {
    const listClientOrderId = origClientOrderId;
    return { type: "cancelOrderList", accountId, symbolId, orderListId, listClientOrderId, newClientOrderId };
  }
  if (origClientOrderId === "all") return { type: "cancelOpenOrders", accountId, symbolId, newClientOrderId };
  const cancel: CancelOrder = {
    type: "cancelOrder",
    accountId,
    symbolId,
    orderId,
    origClientOrderId,
    newClientOrderId,
  };
  return onlyIn === undefined ? cancel : { ...cancel, onlyIn };
}

/** `amend a1 to 2`, `amend order-7 to 2 as a2`: by default, the order keeps its client id. */
export function amendCommand(words: Words, accountId: number, find: MarketFinder): AmendOrder {
  let orderId = 0;
  let origClientOrderId = "";
  let symbol = "";
  let quantity = "0";
  let newClientOrderId = "";
  while (!words.done) {
    const word = words.take();
    if (word === "on") symbol = words.take();
    else if (word === "to") quantity = words.take();
    else if (word === "as") newClientOrderId = words.take();
    else if (word.startsWith("order-")) orderId = Number(word.slice(6));
    else origClientOrderId = word;
  }
  newClientOrderId ||= origClientOrderId;
  const { symbolId, quantityDecimals } = find(symbol);
  const quantityLots = toInteger(quantity, quantityDecimals);
  return { type: "amendOrder", accountId, symbolId, orderId, origClientOrderId, newClientOrderId, quantityLots };
}

function readTicket(words: Words): Ticket {
  const side = words.take().toUpperCase() as "BUY" | "SELL";
  const worth = words.after("worth");
  const ticket = emptyTicket(side, worth === undefined ? words.take() : "0");
  ticket.worth = worth ?? "0";
  while (!words.done) readOption(words, ticket);
  if (ticket.id === "") throw new Error("an order needs 'as <id>'");
  return ticket;
}

function emptyTicket(side: "BUY" | "SELL", quantity: string): Ticket {
  return {
    side,
    quantity,
    worth: "0",
    price: "0",
    stop: "0",
    iceberg: "0",
    timeInForce: "GTC",
    trigger: "",
    trailing: 0,
    peg: null,
    isMaker: false,
    isAtMarket: false,
    mode: undefined,
    symbol: "",
    id: "",
  };
}

function readOption(words: Words, ticket: Ticket): void {
  const word = words.take();
  if (word === "@") ticket.price = words.take();
  else if (word === "IOC" || word === "FOK" || word === "GTC") ticket.timeInForce = word;
  else if (word === "maker") ticket.isMaker = true;
  else if (word === "iceberg") ticket.iceberg = words.take();
  else if (word === "mode") ticket.mode = words.take() as NonNullable<Ticket["mode"]>;
  else if (word === "on") ticket.symbol = words.take();
  else if (word === "as") ticket.id = words.take();
  else if (word === "stop" || word === "take") {
    ticket.trigger = word === "stop" ? "STOP_LOSS" : "TAKE_PROFIT";
    // `stop trailing 100`: without a stop price.
    if (words.has("trailing")) ticket.trailing = Number(words.take());
    else ticket.stop = words.take();
  } else if (word === "trailing") ticket.trailing = Number(words.take());
  else if (word === "peg") {
    // `peg primary`: the best price of the own side. `peg market 2`: the third price of the other side.
    const to = words.take() === "primary" ? "PRIMARY_PEG" : "MARKET_PEG";
    const isNumber = /^[0-9]+$/.test(words.peek() ?? "");
    ticket.peg = { to, level: isNumber ? Number(words.take()) : 0 };
  } else if (word === "market") ticket.isAtMarket = true;
  else throw new Error(`unknown word '${word}' in an order`);
}

function typeOf(ticket: Ticket): OrderType {
  const hasPrice = ticket.price !== "0" || (ticket.peg !== null && !ticket.isAtMarket);
  if (ticket.isMaker) return "LIMIT_MAKER";
  if (ticket.trigger !== "") return hasPrice ? `${ticket.trigger}_LIMIT` : ticket.trigger;
  return hasPrice ? "LIMIT" : "MARKET";
}

function toInteger(text: string, decimals: number): number {
  const unit = 10n ** BigInt(8 - decimals);
  const value = amount(text);
  return value % unit === 0n && value / unit < 2n ** 53n - 1n ? Number(value / unit) : OFF_SCALE;
}
