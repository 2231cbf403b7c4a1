/**
 * The expected history in the order of the log: a simple model of the exchange executes entry after entry, and each
 * state of orders and balances is recorded with its first entry.
 */
import type { Command } from "@pricetime/engine";
import {
  amount,
  type Happening,
  ModelExchange,
  type ModelWallet,
  type Traded,
  type TradeSide,
} from "@pricetime/testkit/models";
import { amendmentId, type ToldBalance, type ToldOrder } from "../clients/operation.ts";
import type { Findings } from "./findings.ts";
import type { LoggedEntry } from "./log.ts";
import { Rights } from "./rights.ts";

/** A change in the log, and its outcome. */
export interface CarriedOut {
  readonly seq: number;
  readonly accountId: number;
  readonly node: string;
  readonly command: Command;
  readonly happened: readonly Happening[];
}

export interface OrderMoment {
  readonly seq: number;
  readonly orderId: number;
  readonly status: string;
  readonly executed: bigint;
  readonly quote: bigint;
}

/** An execution as user streams report it. */
export interface Execution {
  readonly seq: number;
  readonly key: string;
}

export interface Held {
  readonly free: bigint;
  readonly locked: bigint;
}

/** A value that applies from an entry on. */
export interface Since<T> {
  readonly seq: number;
  readonly value: T;
}

const MONEY_STEPS = /Deposit$|Withdrawal$/;

export class Course {
  lastSeq = 0;
  /** Entries with a change, by the ID that its client gave it. */
  readonly changes = new Map<string, CarriedOut[]>();
  /** The successive states of each order, by client order ID. */
  readonly orders = new Map<string, OrderMoment[]>();
  /** The number of open orders, by account and symbol. */
  readonly openCounts = new Map<string, Since<number>[]>();
  /** The balances of each asset, by account. */
  readonly balances = new Map<number, Since<ReadonlyMap<string, Held>>[]>();
  readonly executions = new Map<number, Execution[]>();
  /** Trades by symbol, in the order of their numbers. */
  readonly trades = new Map<string, Pick<Traded, "tradeId" | "price" | "quantity">[]>();
  readonly accountIds = new Map<string, number>();
  readonly #model = new ModelExchange();
  readonly rights: Rights;
  /** Orders by order id. */
  readonly #known = new Map<number, { readonly accountId: number; readonly id: string; readonly symbol: string }>();

  constructor(entries: readonly LoggedEntry[], findings: Findings) {
    this.rights = new Rights(findings);
    for (const entry of entries) this.#carryOut(entry);
    for (const { accountId, email } of this.#model.accounts.values()) this.accountIds.set(email, accountId);
  }

  /** Deposits and withdrawals on networks at the end of the log. */
  get wallet(): Pick<ModelWallet, "deposits" | "withdrawals"> {
    return this.#model.wallet;
  }

  /** The orders that are open at the end of the log, by client order ID. */
  openAtEnd(accountId: number, symbol: string): ReadonlyMap<string, OrderMoment> {
    const open = new Map<string, OrderMoment>();
    for (const each of this.#known.values()) {
      if (each.accountId !== accountId || each.symbol !== symbol) continue;
      const last = this.orders.get(each.id)?.at(-1);
      if (last !== undefined && !isOver(last.status)) open.set(each.id, last);
    }
    return open;
  }

  #carryOut({ seq, timeMs, node, command: logged }: LoggedEntry): void {
    this.lastSeq = seq;
    const command = this.rights.commandOf(seq, node, logged);
    if (command === undefined) return;
    const happened = this.#model.apply(timeMs, command);
    const id = idOf(command);
    if (id !== undefined && "accountId" in command) {
      appended(this.changes, id, { seq, accountId: command.accountId, node, command, happened });
    }
    for (const each of happened) this.#note(seq, each);
    for (const accountId of this.#touchedBy(command, happened)) this.#noteBalances(seq, accountId);
  }

  #note(seq: number, each: Happening): void {
    if (each.kind === "opened") {
      const { orderId, accountId, clientOrderId: id, symbol, isPending } = each;
      // An order that is triggered, or released by its list, is opened a second time.
      if (!this.#known.has(orderId)) this.#countOpen(seq, accountId, symbol, 1);
      this.#known.set(orderId, { accountId, id, symbol });
      this.#moved(seq, { seq, orderId, status: isPending ? "PENDING_NEW" : "NEW", executed: 0n, quote: 0n }, -1);
    } else if (each.kind === "amended") {
      const { accountId, id } = this.#orderOf(each.orderId);
      const status = this.orders.get(id)?.at(-1)?.status ?? "";
      appended(this.executions, accountId, { seq, key: executionKey(each.orderId, status, each.executed, -1) });
    } else if (each.kind === "traded") {
      appended(this.trades, each.symbol, each);
      for (const side of [each.taker, each.maker]) this.#traded(seq, each, side);
    } else if (each.kind === "ended") {
      const { orderId, status, executed, executedQuote: quote } = each;
      this.#moved(seq, { seq, orderId, status, executed, quote }, -1);
    }
  }

  #traded(seq: number, { tradeId }: Traded, { orderId, status, executed, executedQuote: quote }: TradeSide): void {
    this.#moved(seq, { seq, orderId, status, executed, quote }, tradeId);
  }

  #moved(seq: number, moment: OrderMoment, tradeId: number): void {
    const { orderId, status, executed } = moment;
    const { accountId, id, symbol } = this.#orderOf(orderId);
    appended(this.orders, id, moment);
    appended(this.executions, accountId, { seq, key: executionKey(orderId, status, executed, tradeId) });
    if (isOver(status)) this.#countOpen(seq, accountId, symbol, -1);
  }

  #orderOf(orderId: number): { readonly accountId: number; readonly id: string; readonly symbol: string } {
    const known = this.#known.get(orderId);
    if (known === undefined) throw new Error(`the model knows nothing of order ${orderId}`);
    return known;
  }

  #countOpen(seq: number, accountId: number, symbol: string, change: number): void {
    const key = openKey(accountId, symbol);
    appended(this.openCounts, key, { seq, value: (this.openCounts.get(key)?.at(-1)?.value ?? 0) + change });
  }

  #touchedBy(command: Command, happened: readonly Happening[]): Set<number> {
    const touched = new Set<number>("accountId" in command ? [command.accountId] : []);
    // Steps of deposits and withdrawals do not name their account, but few accounts have an address.
    if (MONEY_STEPS.test(command.type))
      for (const { accountId } of this.#model.wallet.addresses) touched.add(accountId);
    for (const each of happened) {
      const orders = each.kind === "traded" ? [each.taker, each.maker] : "orderId" in each ? [each] : [];
      for (const { orderId } of orders) {
        const accountId = this.#known.get(orderId)?.accountId;
        if (accountId !== undefined) touched.add(accountId);
      }
    }
    return touched;
  }

  #noteBalances(seq: number, accountId: number): void {
    const { money, assets } = this.#model;
    const value = new Map(assets.map(({ asset }) => [asset, { ...money.of(accountId, asset) }]));
    appended(this.balances, accountId, { seq, value });
  }
}

/** The ID that the client gave to a change; undefined if the command is no client's. */
function idOf(command: Command): string | undefined {
  switch (command.type) {
    case "placeOrder":
      return command.clientOrderId;
    case "cancelOrder":
      return command.newClientOrderId;
    case "placeOco":
    case "placeOto":
      return command.listClientOrderId;
    case "amendOrder":
      return amendmentId(command.origClientOrderId, command.quantityLots);
    default:
      return undefined;
  }
}

export function executionKey(orderId: number, status: string, executed: bigint, tradeId: number): string {
  return `order ${orderId}: ${status}, executed ${executed}, trade ${tradeId}`;
}

export const openKey = (accountId: number, symbol: string): string => `${accountId} ${symbol}`;

function isOver(status: string): boolean {
  return status === "FILLED" || status === "CANCELED" || status === "EXPIRED";
}

/** Whether the response of a node shows this state of an order. */
export function matchesOrder(told: ToldOrder, moment: OrderMoment | undefined): boolean {
  return (
    moment !== undefined &&
    told.orderId === moment.orderId &&
    told.status === moment.status &&
    amount(told.executedQty) === moment.executed &&
    amount(told.cummulativeQuoteQty) === moment.quote
  );
}

/** Whether the balances in the response of a node are these. */
export function matchesBalances(told: readonly ToldBalance[], held: ReadonlyMap<string, Held>): boolean {
  const said = new Map(told.map((balance) => [balance.asset, balance]));
  return [...held].every(([asset, { free, locked }]) => {
    const balance = said.get(asset);
    return amount(balance?.free ?? "0") === free && amount(balance?.locked ?? "0") === locked;
  });
}

/** Returns the last state at or before an entry; undefined if there is none. */
export function at<T extends { readonly seq: number }>(moments: readonly T[] | undefined, seq: number): T | undefined {
  if (moments === undefined) return undefined;
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle] as T).seq <= seq) low = middle + 1;
    else high = middle;
  }
  return moments[low - 1];
}

function appended<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
