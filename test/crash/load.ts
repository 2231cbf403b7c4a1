/** Orders and cancels from several connections at once, with a record of everything that was answered. */
import { Client } from "../client.ts";
import type { DemoAccount } from "../exchange.ts";
import type { Random } from "../random.ts";

export const SYMBOL = "BTCUSDT";
const MID_CENTS = 5_000_000;
const SPREAD_CENTS = 2_000;

/** What a client knows of an order it sent. */
export interface Sent {
  readonly account: DemoAccount;
  readonly clientOrderId: string;
  /** Set by the answer; absent when none came. */
  orderId?: number;
  status?: string;
  executedQty?: string;
  /** Answered with a 4XX: the order must not exist. */
  refused?: boolean;
  /** A cancel was sent, answered or not. */
  cancelSent?: boolean;
}

interface OrderAnswer {
  readonly orderId: number;
  readonly status: string;
  readonly executedQty: string;
}

/** The record of all loads on one exchange, over all its lives. */
export class OrderLog {
  readonly sent: Sent[] = [];
  answers = 0;

  /** Some of the orders that were last known to be open, of the newest ones. */
  open(account: DemoAccount): Sent[] {
    return this.sent
      .slice(-300)
      .filter((order) => order.account === account && (order.status === "NEW" || order.status === "PARTIALLY_FILLED"));
  }
}

/** One connection: sends, waits, sends again, until the server is gone or `until` says stop. */
export async function runConnection(
  rest: string,
  account: DemoAccount,
  log: OrderLog,
  random: Random,
  until: () => boolean,
): Promise<void> {
  const client = new Client(rest, account, 1);
  try {
    while (!until()) {
      const open = random.next() < 0.4 ? random.pick(log.open(account)) : undefined;
      if (open === undefined) await place(client, account, log, random);
      else await cancel(client, open, log);
    }
  } catch {
    // The connection died with the server: what was not answered stays unknown.
  } finally {
    client.close();
  }
}

async function place(client: Client, account: DemoAccount, log: OrderLog, random: Random): Promise<void> {
  const order: Sent = { account, clientOrderId: `crash-${log.sent.length}` };
  log.sent.push(order);
  const buys = random.next() < 0.5;
  const away = random.between(-SPREAD_CENTS / 4, SPREAD_CENTS);
  const answer = await client.signed<OrderAnswer>("POST", "/api/v3/order", {
    symbol: SYMBOL,
    side: buys ? "BUY" : "SELL",
    type: "LIMIT",
    timeInForce: "GTC",
    quantity: (random.between(1_000, 50_000) / 1e6).toFixed(6),
    price: ((MID_CENTS + (buys ? -away : away)) / 100).toFixed(2),
    newClientOrderId: order.clientOrderId,
    newOrderRespType: "RESULT",
  });
  learn(order, answer.status, answer.json, log);
}

async function cancel(client: Client, order: Sent, log: OrderLog): Promise<void> {
  order.cancelSent = true;
  const { orderId = 0 } = order;
  const answer = await client.signed<OrderAnswer>("DELETE", "/api/v3/order", { symbol: SYMBOL, orderId });
  // A refusal means that it was filled meanwhile: nothing new about the order.
  if (answer.status === 200) learn(order, answer.status, answer.json, log);
}

function learn(order: Sent, httpStatus: number, body: OrderAnswer, log: OrderLog): void {
  if (httpStatus >= 500) return;
  log.answers++;
  if (httpStatus !== 200) {
    order.refused = true;
    return;
  }
  order.orderId = body.orderId;
  order.status = body.status;
  order.executedQty = body.executedQty;
}
