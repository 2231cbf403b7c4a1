/** The index of open orders: by id, by account and symbol, and by client id. */
import { assert, present } from "../../assert.ts";
import { type Side, SIDES, waitsForStop } from "../../entry/order-record.ts";
import type { Order } from "./order.ts";
import { OrderTable } from "./order-table.ts";
import { TextHash } from "./text-hash.ts";

// An account's open orders on one symbol, by client id: a hash table whose chains run through the orders themselves. It
// grows and shrinks by one chain at a time (linear hashing), so that no order waits while a large table is rebuilt. It
// uses half of the memory of a `Map`, and 0.3 to 0.8 of its time (bench/notes/engine.md).

/**
 * The further chains of a book that has none. Most books contain one or two orders, which need no list: two steps of
 * memory less for each order (decision 108).
 */
const NO_CHAINS: (Order | null)[] = [];
Object.freeze(NO_CHAINS);
/** The table grows above this number of orders per chain, and shrinks above this number of chains per order. */
const MOST_TIMES = 2;

/** What is counted of the orders of a book, once it was needed. */
interface Sums {
  /** The lots that the BUY orders can still buy; null until MAX_POSITION first needs the sum. */
  buyLots: bigint | null;
  /** The numbers of orders on the book, by side and price; null until self-trade prevention first needs them. */
  resting: Readonly<Record<Side, Map<number, number>>> | null;
}

const NO_SUMS: Readonly<Sums> = { buyLots: null, resting: null };

export class AccountBook {
  readonly accountId: number;
  readonly symbolId: number;
  // What every order changes comes first: of a hundred thousand books, most are not in the processor's cache.
  size = 0;
  /** The first order of the first chain. */
  private first: Order | null = null;
  /** The first orders of the further chains. */
  private further = NO_CHAINS;
  private sums: Sums | null = null;
  /** Whether the book is in the list of recently emptied books. */
  isEmptied = false;
  algo = 0;
  iceberg = 0;
  get open(): number {
    return this.size;
  }

  constructor(accountId: number, symbolId: number) {
    this.accountId = accountId;
    this.symbolId = symbolId;
  }

  /** The number of chains, which depends on the number of orders. */
  get chainCount(): number {
    return this.further.length + 1;
  }

  get(clientIdHash: number, clientOrderId: string): Order | undefined {
    let order = this.firstOf(this.chainOf(clientIdHash));
    for (; order !== null; order = order.nextOfAccount) {
      if (order.clientIdHash === clientIdHash && order.clientOrderId === clientOrderId) return order;
    }
    return undefined;
  }

  /** `clientIdHash` is the hash of the order's client id. */
  add(order: Order, clientIdHash: number): void {
    assert(this.get(clientIdHash, order.clientOrderId) === undefined, "open client order ids are unique");
    order.clientIdHash = clientIdHash;
    this.link(order);
    this.count(order, 1);
    if (this.size > this.chainCount * MOST_TIMES) this.splitChain();
  }

  remove(order: Order): void {
    const chain = this.chainOf(order.clientIdHash);
    let previous: Order | null = null;
    for (let at = this.firstOf(chain); at !== order; at = at.nextOfAccount) {
      assert(at !== null, "only an open order can be removed");
      previous = at;
    }
    if (previous === null) this.begin(chain, order.nextOfAccount);
    else previous.nextOfAccount = order.nextOfAccount;
    order.nextOfAccount = null;
    this.count(order, -1);
    while (this.further.length > 0 && this.chainCount > this.size * MOST_TIMES) this.joinChains();
  }

  /** Visits all orders in no particular order. */
  visit(visit: (order: Order) => void): void {
    for (let chain = 0; chain < this.chainCount; chain++) {
      for (let at = this.firstOf(chain); at !== null; at = at.nextOfAccount) visit(at);
    }
  }

  /** Throws if an order is not in the chain of its client id, or the counts do not match the orders. */
  check(hash: TextHash): void {
    let [size, algo, iceberg] = [0, 0, 0];
    const { buyLots, resting } = this.sums ?? NO_SUMS;
    assert(buyLots === null || buyLots === this.sumOfBuys(), "lots that open orders buy are summed");
    if (resting !== null) {
      const now = this.restingNow();
      for (const side of SIDES) {
        const [kept, expected] = [resting[side], now[side]];
        const isSame =
          kept.size === expected.size && [...expected].every(([ticks, count]) => kept.get(ticks) === count);
        assert(isSame, "prices of an account's orders on the book are known");
      }
    }
    for (let chain = 0; chain < this.chainCount; chain++) {
      for (let order = this.firstOf(chain); order !== null; order = order.nextOfAccount) {
        assert(order.clientIdHash === hash.compute(order.clientOrderId), "an order has the hash of its client id");
        assert(this.chainOf(order.clientIdHash) === chain, "an order is found by its client id");
        const isOf = order.accountId === this.accountId && order.symbolId === this.symbolId;
        assert(isOf, "an order is in the book of its account");
        size++;
        if (waitsForStop(order.type)) algo++;
        if (order.icebergLots > 0) iceberg++;
      }
    }
    const isCounted = size === this.size && algo === this.algo && iceberg === this.iceberg;
    assert(isCounted, "an account's orders on a symbol are counted");
  }

  /**
   * The chain of a hash. Its number is the lowest bits of the hash, as many as needed to number all chains, or one bit
   * less if that chain does not exist yet.
   */
  private chainOf(hash: number): number {
    const count = this.chainCount;
    if (count === 1) return 0;
    const mask = maskFor(count);
    const chain = hash & mask;
    return chain < count ? chain : chain & (mask >>> 1);
  }

  private firstOf(chain: number): Order | null {
    return chain === 0 ? this.first : (this.further[chain - 1] as Order | null);
  }

  private begin(chain: number, order: Order | null): void {
    if (chain === 0) this.first = order;
    else this.further[chain - 1] = order;
  }

  private link(order: Order): void {
    const chain = this.chainOf(order.clientIdHash);
    order.nextOfAccount = this.firstOf(chain);
    this.begin(chain, order);
  }

  /** Adds a chain and moves to it the orders of an earlier chain whose hashes have the next bit set. */
  private splitChain(): void {
    const added = this.chainCount;
    const split = added & (maskFor(added + 1) >>> 1);
    const first = this.firstOf(split);
    this.begin(split, null);
    if (added === 1) this.further = [null];
    else this.further.push(null);
    this.linkAll(first);
  }

  /** Merges the last chain into the one from which it was split. */
  private joinChains(): void {
    this.linkAll(this.further.pop() as Order | null);
  }

  private linkAll(first: Order | null): void {
    for (let order = first; order !== null; ) {
      const next: Order | null = order.nextOfAccount;
      this.link(order);
      order = next;
    }
  }

  private count(order: Order, by: 1 | -1): void {
    this.size += by;
    if (order.extras !== null) {
      if (waitsForStop(order.type)) this.algo += by;
      if (order.extras.icebergLots > 0) this.iceberg += by;
    }
    const { sums } = this;
    if (sums === null) return;
    if (sums.buyLots !== null && order.side === "BUY") sums.buyLots += BigInt(by * order.leftLots);
    if (sums.resting !== null && order.isWorking) countAt(sums.resting[order.side], order.priceTicks, by);
  }

  get buyLots(): bigint | null {
    return this.sums === null ? null : this.sums.buyLots;
  }
  set buyLots(lots: bigint | null) {
    this.sums ??= { ...NO_SUMS };
    this.sums.buyLots = lots;
  }

  /** The prices of the orders on a side of the book, each with the number of orders. They are kept from now on. */
  restingOn(side: Side): ReadonlyMap<number, number> {
    this.sums ??= { ...NO_SUMS };
    this.sums.resting ??= this.restingNow();
    return this.sums.resting[side];
  }

  private restingNow(): Readonly<Record<Side, Map<number, number>>> {
    const resting = { BUY: new Map<number, number>(), SELL: new Map<number, number>() };
    this.visit(({ side, priceTicks, isWorking }) => {
      if (isWorking) countAt(resting[side], priceTicks, 1);
    });
    return resting;
  }

  sumOfBuys(): bigint {
    let sum = 0n;
    this.visit((order) => {
      if (order.side === "BUY") sum += BigInt(order.leftLots);
    });
    return sum;
  }
}

function countAt(counts: Map<number, number>, priceTicks: number, by: 1 | -1): void {
  const count = (counts.get(priceTicks) ?? 0) + by;
  if (count === 0) counts.delete(priceTicks);
  else counts.set(priceTicks, count);
}

/** The smallest mask of low bits that numbers all `chains`, of which there are at least two. */
function maskFor(chains: number): number {
  return -1 >>> Math.clz32(chains - 1);
}

// All open orders.

/**
 * Maximum number of empty books that are not removed, because an account that cancels an order often places the next
 * one on the same symbol.
 */
export const MOST_EMPTIED = 65_536;

interface AccountOrders {
  readonly bySymbol: Map<number, AccountBook>;
  open: number;
  algo: number;
  iceberg: number;
}

/** Stops and icebergs have extras, so most orders are counted with one comparison. */
function count(account: AccountOrders, { type, extras }: Order, by: 1 | -1): void {
  account.open += by;
  if (extras === null) return;
  if (waitsForStop(type)) account.algo += by;
  if (extras.icebergLots > 0) account.iceberg += by;
}

export class OpenOrders {
  private readonly byId = new OrderTable();
  /** Accounts are numbered without gaps. */
  private readonly byAccount: (AccountOrders | undefined)[] = [];
  /** The book that was used last, cached because a command looks up the same book four times. */
  private lastBook: AccountBook | undefined;
  /**
   * The most recently emptied books, without duplicates. Some may contain orders again. All other books contain orders.
   */
  private readonly emptied: AccountBook[] = [];
  /** The position of the book that was emptied first, if the list is full. */
  private oldestEmptied = 0;
  /** The number of books with a sum of their BUY orders, which fills must reduce. */
  private summedBooks = 0;
  /** The hash of client ids. Every engine uses different keys. */
  readonly hash: TextHash;

  /** `hashSeed` has 32 bits. */
  constructor(hashSeed: number) {
    this.hash = new TextHash(hashSeed);
  }

  get size(): number {
    return this.byId.size;
  }
  /** The number of books, one for each account and symbol, including empty ones. */
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

  /** The number of open orders of an account on the whole exchange. */
  countOf(accountId: number): Readonly<Pick<AccountOrders, "open" | "algo" | "iceberg">> | undefined {
    return this.byAccount[accountId];
  }

  /** The lots that an account's open BUY orders on a symbol can still buy. From the first call on, the sum is kept. */
  buyLots(accountId: number, symbolId: number): bigint {
    const book = this.accountBook(accountId, symbolId);
    if (book === undefined) return 0n;
    if (book.buyLots === null) {
      book.buyLots = book.sumOfBuys();
      this.summedBooks++;
    }
    return book.buyLots;
  }

  /** Must be called whenever an open order has lost `lots` and stays open, or was filled. */
  reduce(order: Order, lots: number): void {
    if (this.summedBooks === 0 || order.side !== "BUY") return;
    const book = this.accountBook(order.accountId, order.symbolId);
    if (book !== undefined && book.buyLots !== null) book.buyLots -= BigInt(lots);
  }

  /** The account's open orders of one symbol, or of all symbols if undefined, in ascending order of their ids. */
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
    count(account, order, 1);
  }

  remove(order: Order): void {
    const account = this.openAccount(order.accountId);
    const book = this.accountBook(order.accountId, order.symbolId);
    assert(book !== undefined, "only an open order can be removed");
    this.byId.remove(order);
    book.remove(order);
    if (book.size === 0 && !book.isEmptied) this.retainEmptied(book);
    count(account, order, -1);
  }

  /** Puts an order in the place of the one with the same id. The client id may differ. */
  replace(order: Order, by: Order): void {
    const book = this.accountBook(order.accountId, order.symbolId);
    assert(book !== undefined, "only an open order can be replaced");
    this.byId.replace(order, by);
    book.remove(order);
    book.add(by, this.hash.of(by.clientOrderId));
  }

  /** Throws if an index or a count does not match the orders. */
  check(): void {
    this.byId.check();
    this.hash.check();
    const last = this.lastBook;
    const isInUse = last === undefined || this.byAccount[last.accountId]?.bySymbol.get(last.symbolId) === last;
    assert(isInUse, "the book used last is in use");
    this.checkEmptied();
    let [all, summed] = [0, 0];
    for (const [accountId, account] of this.byAccount.entries()) {
      if (account === undefined) continue;
      let [open, algo, iceberg] = [0, 0, 0];
      for (const [symbolId, book] of account.bySymbol) {
        const isInPlace = book.accountId === accountId && book.symbolId === symbolId;
        assert(isInPlace, "orders are found by account and symbol");
        book.check(this.hash);
        book.visit((order) => assert(this.get(order.orderId) === order, "an order of an account is open"));
        open += book.size;
        algo += book.algo;
        iceberg += book.iceberg;
        if (book.buyLots !== null) summed++;
      }
      const isCounted = open === account.open && algo === account.algo && iceberg === account.iceberg;
      assert(isCounted, "an account's orders are counted");
      all += open;
    }
    assert(all === this.size, "every open order is its account's");
    assert(summed === this.summedBooks, "books with a sum are counted");
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
   * Adds an empty book to the list. If the list is full, the book that was emptied first is dropped from it, and
   * removed unless it contains orders again. The removed book is not `lastBook`, which is the added one.
   */
  private retainEmptied(book: AccountBook): void {
    book.isEmptied = true;
    if (this.emptied.length < MOST_EMPTIED) {
      this.emptied.push(book);
      return;
    }
    const oldest = present(this.emptied[this.oldestEmptied], "it has as many places");
    this.emptied[this.oldestEmptied] = book;
    this.oldestEmptied = (this.oldestEmptied + 1) % MOST_EMPTIED;
    oldest.isEmptied = false;
    if (oldest.size > 0) return;
    this.byAccount[oldest.accountId]?.bySymbol.delete(oldest.symbolId);
    if (oldest.buyLots !== null) this.summedBooks--;
  }

  private openAccount(accountId: number): AccountOrders {
    let account = this.byAccount[accountId];
    if (account === undefined) {
      account = { bySymbol: new Map(), open: 0, algo: 0, iceberg: 0 };
      this.byAccount[accountId] = account;
    }
    return account;
  }
}
