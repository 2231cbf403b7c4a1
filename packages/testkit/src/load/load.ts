/** Sends orders, lists and cancels from several connections at once, and records all answers. */
import { type Answer, Client, type Parameters } from "../client/index.ts";
import type { DemoAccount } from "../venue/index.ts";
import type { Dice } from "../dice.ts";
import { randomOco, randomOrder, SYMBOL } from "./random-order.ts";

/** What a client knows of an order that it sent. */
export interface Sent {
  readonly account: DemoAccount;
  readonly clientOrderId: string;
  readonly type: string;
  /** The list that it was sent in. */
  readonly list?: SentList;
  /** Set by the answer; absent when none came. */
  orderId?: number;
  status?: string;
  executedQty?: string;
  /** Whether it was answered with a 4XX: then the order must not exist. */
  refused?: boolean;
  /** Whether a cancel was sent, answered or not. */
  cancelSent?: boolean;
}

/** What a client knows of a list of two orders. */
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

/** The record of all loads on one exchange, across its restarts. */
export class OrderLog {
  readonly sent: Sent[] = [];
  readonly lists: SentList[] = [];
  answers = 0;
  /** The last change that a node had applied when it answered, of a cluster: whoever has applied it knows all answers. */
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

  /** Returns some of the newest orders that were last known to be open. */
  open(account: DemoAccount): Sent[] {
    return this.sent
      .slice(-300)
      .filter((order) => order.account === account && (order.status === "NEW" || order.status === "PARTIALLY_FILLED"));
  }

  /** Records what an answer says about orders. */
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

/** One connection: sends, waits, sends again, until the server is gone or `until` says stop. */
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
    // The connection died with the server: unanswered requests stay unknown.
  } finally {
    client.close();
  }
}

/** Whether the answer says anything: a 5XX does not. */
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

/** Marks the whole list: cancelling one order of it may cancel both. */
function markCancelSent(order: Sent): void {
  for (const each of order.list?.legs ?? [order]) each.cancelSent = true;
}

async function cancel(client: Client, order: Sent, log: OrderLog): Promise<void> {
  markCancelSent(order);
  const { orderId = 0 } = order;
  const answer = await client.signed<CancelAnswer>("DELETE", "/api/v3/order", { symbol: SYMBOL, orderId });
  // A refusal means that the order ended meanwhile: nothing new about it.
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
