/** Orders of all kinds over several connections at once, and a record of the answers. */
import { type Answer, Client, type Parameters } from "./client/client.ts";
import type { Dice } from "./dice.ts";
import type { DemoAccount } from "./venue/index.ts";

// Parameters of orders of every type around one price, so that orders match and trigger each other.

export const SYMBOL = "BTCUSDT";
const MID_CENTS = 5_000_000;
const SPREAD_CENTS = 2_000;

const price = (cents: number): string => (cents / 100).toFixed(2);
const quantity = (random: Dice): string => (random.between(1_000, 50_000) / 1e6).toFixed(6);

function share(amount: string, parts: number): string {
  return (Math.ceil((Number(amount) * 1e6) / parts) / 1e6).toFixed(6);
}

/**
 * Returns parameters of an order without a client id. About half of the orders are LIMIT, the others have any other
 * type.
 */
export function randomOrder(random: Dice): Parameters {
  const buys = random.next() < 0.5;
  const away = random.between(-SPREAD_CENTS / 4, SPREAD_CENTS);
  const base: Parameters = { symbol: SYMBOL, side: buys ? "BUY" : "SELL", quantity: quantity(random) };
  const limit: Parameters = {
    ...base,
    type: "LIMIT",
    timeInForce: "GTC",
    price: price(MID_CENTS + (buys ? -away : away)),
  };
  const kind = random.next();
  if (kind < 0.5) return limit;
  if (kind < 0.58) return { ...limit, icebergQty: share(String(base.quantity), 4) };
  if (kind < 0.62) return { ...limit, timeInForce: "IOC" };
  if (kind < 0.66) return { ...limit, timeInForce: "FOK" };
  if (kind < 0.7) return { ...base, type: "LIMIT_MAKER", price: limit.price ?? "" };
  if (kind < 0.74) return { ...base, type: "MARKET" };
  return waiting(random, base, limit);
}

const WAITING = ["STOP_LOSS", "STOP_LOSS_LIMIT", "TAKE_PROFIT", "TAKE_PROFIT_LIMIT"] as const;

function waiting(random: Dice, base: Parameters, limit: Parameters): Parameters {
  const type = random.pick(WAITING) ?? "STOP_LOSS";
  const stopPrice = price(MID_CENTS + random.between(-SPREAD_CENTS / 2, SPREAD_CENTS / 2));
  return type.endsWith("_LIMIT") ? { ...limit, type, stopPrice } : { ...base, type, stopPrice };
}

/** Returns parameters for `order/oco`, without client ids. */
export function randomOco(random: Dice): Parameters {
  const buys = random.next() < 0.5;
  const [gain, loss] = [random.between(0, SPREAD_CENTS / 2), random.between(0, SPREAD_CENTS / 2)];
  const sign = buys ? -1 : 1;
  const stopPrice = price(MID_CENTS - sign * loss);
  const oco: Parameters = {
    symbol: SYMBOL,
    side: buys ? "BUY" : "SELL",
    quantity: quantity(random),
    price: price(MID_CENTS + sign * gain),
    stopPrice,
  };
  if (random.next() < 0.5) return oco;
  return { ...oco, stopLimitPrice: stopPrice, stopLimitTimeInForce: "GTC" };
}

/** The state of an order as its client can derive it from the answers. */
export interface Sent {
  readonly account: DemoAccount;
  readonly clientOrderId: string;
  readonly type: string;
  /** The list to which the order belongs. */
  readonly list?: SentList;
  /** The order id from the answer; absent if no answer arrived. */
  orderId?: number;
  status?: string;
  executedQty?: string;
  /** Whether the answer was a 4XX, in which case the order must not exist. */
  refused?: boolean;
  /** Whether a cancel was sent, even if it was not answered. */
  cancelSent?: boolean;
}

/** The state of an order list as its client can derive it from the answers. */
export interface SentList {
  readonly account: DemoAccount;
  readonly listClientOrderId: string;
  readonly legs: Sent[];
  orderListId?: number;
  refused?: boolean;
}

interface OrderReport {
  readonly orderId: number;
  readonly clientOrderId: string;
  readonly origClientOrderId?: string;
  readonly status: string;
  readonly executedQty: string;
}
interface ListAnswer {
  readonly orderListId: number;
  readonly orderReports: readonly OrderReport[];
}
type CancelAnswer = OrderReport | ListAnswer;

/** The record of all orders sent to one exchange, across its restarts. */
export class OrderLog {
  readonly sent: Sent[] = [];
  readonly lists: SentList[] = [];
  answers = 0;
  /**
   * The last entry that a node of a cluster had applied when it answered. A node that has applied this entry includes
   * the effects of all answers.
   */
  seq = 0;

  add(account: DemoAccount, type: string, list?: SentList): Sent {
    const clientOrderId = `crash-${this.sent.length}`;
    const order: Sent = { account, clientOrderId, type, ...(list === undefined ? {} : { list }) };
    this.sent.push(order);
    return order;
  }

  addList(account: DemoAccount): SentList {
    const list: SentList = { account, listClientOrderId: `list-${this.lists.length}`, legs: [] };
    this.lists.push(list);
    list.legs.push(this.add(account, "STOP_LOSS", list), this.add(account, "LIMIT_MAKER", list));
    return list;
  }

  /** Returns some of the newest orders that were open according to the last answer. */
  open(account: DemoAccount): Sent[] {
    return this.sent
      .slice(-300)
      .filter((order) => order.account === account && (order.status === "NEW" || order.status === "PARTIALLY_FILLED"));
  }

  /** Records what an answer shows about orders. */
  learn(reports: readonly OrderReport[]): void {
    for (const { origClientOrderId, clientOrderId, orderId, status, executedQty } of reports) {
      const order = this.sent[Number((origClientOrderId ?? clientOrderId).slice("crash-".length))];
      if (order !== undefined) Object.assign(order, { orderId, status, executedQty });
    }
  }

  learnCancel(body: CancelAnswer): void {
    this.learn("orderReports" in body ? body.orderReports : [body]);
  }
}

/**
 * Runs one connection: sends requests one after the other, until the server closes the connection or `until` returns
 * true.
 */
export async function runConnection(
  rest: string,
  account: DemoAccount,
  log: OrderLog,
  random: Dice,
  until: () => boolean,
): Promise<void> {
  const client = new Client(rest, account, 1);
  try {
    while (!until()) {
      const open = random.next() < 0.4 ? random.pick(log.open(account)) : undefined;
      if (open !== undefined)
        await (random.next() < 0.2 ? replace(client, open, log, random) : cancel(client, open, log));
      else if (random.next() < 0.15) await placeOco(client, account, log, random);
      else await place(client, account, log, random);
    }
  } catch {
    // The connection was closed by the server, so the results of unanswered requests remain unknown.
  } finally {
    client.close();
  }
}

/** Whether the answer shows the result of the request, which a 5XX does not. */
function isAnswered(answer: Answer<unknown>, log: OrderLog): boolean {
  if (answer.status >= 500) return false;
  log.answers++;
  log.seq = Math.max(log.seq, Number(answer.headers["x-pricetime-seq"] ?? 0));
  return true;
}

const named = (order: Sent): Parameters => ({ newClientOrderId: order.clientOrderId, newOrderRespType: "RESULT" });

async function place(client: Client, account: DemoAccount, log: OrderLog, random: Dice): Promise<void> {
  const parameters = randomOrder(random);
  const order = log.add(account, String(parameters.type));
  const answer = await client.signed<OrderReport>("POST", "/api/v3/order", { ...parameters, ...named(order) });
  if (!isAnswered(answer, log)) return;
  if (answer.status === 200) log.learn([answer.json]);
  else order.refused = true;
}

async function placeOco(client: Client, account: DemoAccount, log: OrderLog, random: Dice): Promise<void> {
  const list = log.addList(account);
  const [stop, limit] = list.legs;
  const answer = await client.signed<ListAnswer>("POST", "/api/v3/order/oco", {
    ...randomOco(random),
    listClientOrderId: list.listClientOrderId,
    stopClientOrderId: stop?.clientOrderId ?? "",
    limitClientOrderId: limit?.clientOrderId ?? "",
  });
  if (!isAnswered(answer, log)) return;
  if (answer.status === 200) {
    list.orderListId = answer.json.orderListId;
    log.learn(answer.json.orderReports);
  } else {
    list.refused = true;
    for (const leg of list.legs) leg.refused = true;
  }
}

/** Marks all orders of the list, because cancelling one order of a list may cancel both. */
function markCancelSent(order: Sent): void {
  for (const each of order.list?.legs ?? [order]) each.cancelSent = true;
}

async function cancel(client: Client, order: Sent, log: OrderLog): Promise<void> {
  markCancelSent(order);
  const { orderId = 0 } = order;
  const answer = await client.signed<CancelAnswer>("DELETE", "/api/v3/order", { symbol: SYMBOL, orderId });
  // A rejection means that the order has already ended, but not how it ended.
  if (isAnswered(answer, log) && answer.status === 200) log.learnCancel(answer.json);
}

interface Replaced {
  readonly cancelResult: string;
  readonly newOrderResult: string;
  readonly cancelResponse: CancelAnswer;
  readonly newOrderResponse: OrderReport;
}

async function replace(client: Client, order: Sent, log: OrderLog, random: Dice): Promise<void> {
  markCancelSent(order);
  const parameters = randomOrder(random);
  const replacement = log.add(order.account, String(parameters.type));
  const answer = await client.signed<Replaced & { readonly data?: Replaced }>("POST", "/api/v3/order/cancelReplace", {
    ...parameters,
    ...named(replacement),
    cancelReplaceMode: random.next() < 0.5 ? "STOP_ON_FAILURE" : "ALLOW_FAILURE",
    cancelOrderId: order.orderId ?? 0,
  });
  if (!isAnswered(answer, log)) return;
  const parts = answer.status === 200 ? answer.json : answer.json.data;
  if (parts?.cancelResult === "SUCCESS") log.learnCancel(parts.cancelResponse);
  if (parts?.newOrderResult === "SUCCESS") log.learn([parts.newOrderResponse]);
  else replacement.refused = true;
}
