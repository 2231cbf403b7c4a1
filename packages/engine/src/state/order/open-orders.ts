/** The index of open orders: by id, by account and symbol, by client id. */
import { assert, present } from "../../assert.ts";
import { AccountBook } from "./account-book.ts";
import { OrderTable } from "./order-table.ts";
import { waitsForStop } from "../../entry/order-words.ts";
import type { Order } from "./order.ts";
import { TextHash } from "./text-hash.ts";

// All open orders.

/** Books that stay though they are empty: whoever cancels an order often places the next one there. */
export const MOST_EMPTIED = 65_536;

interface AccountOrders {
  readonly bySymbol: Map<number, AccountBook>;
  open: number;
  algoOrders: number;
}

export class OpenOrders {
  private readonly byId = new OrderTable();
  /** Accounts are numbered without gaps. */
  private readonly byAccount: (AccountOrders | undefined)[] = [];
  /** The book used last: a command looks up the same one four times. */
  private lastBook: AccountBook | undefined;
  /** The books that were emptied last, each once; some may hold orders again. All other books hold orders. */
  private readonly emptied: AccountBook[] = [];
  /** The place of the one that was emptied first, when there are as many as may be. */
  private oldestEmptied = 0;
  /** The hash of client ids; no two engines use the same keys. */
  readonly hash: TextHash;

  /** `hashSeed` has 32 bits. */
  constructor(hashSeed: number) {
    this.hash = new TextHash(hashSeed);
  }

  get size(): number {
    return this.byId.size;
  }
  /** Books of an account and a symbol, with orders or without. */
  get bookCount(): number {
    return this.byAccount.reduce((count, account) => count + (account?.bySymbol.size ?? 0), 0);
  }

  get(orderId: number): Order | undefined {
    return this.byId.get(orderId);
  }

  byClientId(accountId: number, symbolId: number, clientOrderId: string): Order | undefined {
    return this.accountBook(accountId, symbolId)?.get(this.hash.of(clientOrderId), clientOrderId);
  }

  accountBook(accountId: number, symbolId: number): AccountBook | undefined {
    const last = this.lastBook;
    if (last !== undefined && last.accountId === accountId && last.symbolId === symbolId) return last;
    const book = this.byAccount[accountId]?.bySymbol.get(symbolId);
    if (book !== undefined) this.lastBook = book;
    return book;
  }

  /** Number of open orders of an account on the whole exchange. */
  countOf(accountId: number): { readonly open: number; readonly algoOrders: number } | undefined {
    return this.byAccount[accountId];
  }

  /** The account's open orders of one symbol or, if undefined, of all, in ascending order of their ids. */
  of(accountId: number, symbolId: number | undefined): Order[] {
    const orders: Order[] = [];
    this.visit(accountId, symbolId, (order) => orders.push(order));
    return orders.sort((a, b) => a.orderId - b.orderId);
  }

  /** Visits the orders in no particular order. */
  visit(accountId: number, symbolId: number | undefined, visit: (order: Order) => void): void {
    if (symbolId !== undefined) {
      this.accountBook(accountId, symbolId)?.visit(visit);
      return;
    }
    for (const book of this.byAccount[accountId]?.bySymbol.values() ?? []) book.visit(visit);
  }

  count(accountId: number, symbolId: number | undefined): number {
    if (symbolId !== undefined) return this.accountBook(accountId, symbolId)?.size ?? 0;
    return this.byAccount[accountId]?.open ?? 0;
  }

  add(order: Order): void {
    const { accountId, symbolId } = order;
    const account = this.openAccount(accountId);
    let book = this.accountBook(accountId, symbolId);
    if (book === undefined) {
      book = new AccountBook(accountId, symbolId);
      account.bySymbol.set(symbolId, book);
    }
    book.add(order, this.hash.of(order.clientOrderId));
    this.byId.add(order);
    account.open++;
    if (waitsForStop(order.type)) account.algoOrders++;
  }

  remove(order: Order): void {
    const account = this.openAccount(order.accountId);
    const book = this.accountBook(order.accountId, order.symbolId);
    assert(book !== undefined, "only an open order can be removed");
    this.byId.remove(order);
    book.remove(order);
    if (book.size === 0 && !book.isEmptied) this.keepEmptied(book);
    account.open--;
    if (waitsForStop(order.type)) account.algoOrders--;
  }

  /** Throws when an index is not that of the orders, or a count is not theirs. */
  check(): void {
    this.byId.check();
    this.hash.check();
    const last = this.lastBook;
    const isInUse = last === undefined || this.byAccount[last.accountId]?.bySymbol.get(last.symbolId) === last;
    assert(isInUse, "the book used last is in use");
    this.checkEmptied();
    let all = 0;
    for (const [accountId, account] of this.byAccount.entries()) {
      if (account === undefined) continue;
      let [open, algoOrders] = [0, 0];
      for (const [symbolId, book] of account.bySymbol) {
        const isInPlace = book.accountId === accountId && book.symbolId === symbolId;
        assert(isInPlace, "orders are found by account and symbol");
        book.check(this.hash);
        book.visit((order) => assert(this.get(order.orderId) === order, "an order of an account is open"));
        open += book.size;
        algoOrders += book.algoOrders;
      }
      assert(open === account.open && algoOrders === account.algoOrders, "an account's orders are counted");
      all += open;
    }
    assert(all === this.size, "every open order is its account's");
  }

  private checkEmptied(): void {
    const { emptied, oldestEmptied } = this;
    const expected = new Set<AccountBook>();
    for (const account of this.byAccount) {
      for (const book of account?.bySymbol.values() ?? []) {
        assert(book.size > 0 || book.isEmptied, "a book holds orders, or was emptied not long ago");
        if (book.isEmptied) expected.add(book);
      }
    }
    const isEach = emptied.length === expected.size && emptied.every((book) => expected.has(book));
    assert(isEach && new Set(emptied).size === expected.size, "the books that were emptied last are known");
    const isInPlace = oldestEmptied === 0 || (emptied.length === MOST_EMPTIED && oldestEmptied < MOST_EMPTIED);
    assert(isInPlace, "the book that was emptied first is known");
  }

  /**
   * Keeps an empty book in place of the one that was emptied first, which goes unless it holds orders again; that one is
   * not the book used last, which is the empty one.
   */
  private keepEmptied(book: AccountBook): void {
    book.isEmptied = true;
    if (this.emptied.length < MOST_EMPTIED) {
      this.emptied.push(book);
      return;
    }
    const oldest = present(this.emptied[this.oldestEmptied], "it has as many places");
    this.emptied[this.oldestEmptied] = book;
    this.oldestEmptied = (this.oldestEmptied + 1) % MOST_EMPTIED;
    oldest.isEmptied = false;
    if (oldest.size === 0) this.byAccount[oldest.accountId]?.bySymbol.delete(oldest.symbolId);
  }

  private openAccount(accountId: number): AccountOrders {
    let account = this.byAccount[accountId];
    if (account === undefined) {
      account = { bySymbol: new Map(), open: 0, algoOrders: 0 };
      this.byAccount[accountId] = account;
    }
    return account;
  }
}
