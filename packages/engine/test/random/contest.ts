/**
 * One history run by three at once: the engine on its fast book, the engine on the naive book, and the
 * model. After every command they must agree, and the books must add up.
 */
import assert from "node:assert/strict";
import {
  type Command,
  decodeCommands,
  encodeCommands,
  Engine,
  type Entry,
  FEE_ACCOUNT,
  OUTSIDE_ACCOUNT,
  type RejectReason,
} from "@pricetime/engine";
import { NaiveBook } from "@pricetime/engine/naive-book";
import { productCeil, scaled } from "../model/amount.ts";
import { ModelExchange } from "../model/exchange.ts";
import { type Happening, sentence } from "../model/happening.ts";
import { levels } from "../model/market.ts";
import { happeningsOf } from "../model/translate.ts";

/** Full invariants and hashes are compared every so many commands. */
const DEEP_EVERY = 64;
/** These have rules of their own, tested elsewhere; here the engines are only compared with each other. */
const NOT_MODELLED: readonly Command["type"][] = [
  "openListenKey",
  "keepListenKey",
  "closeListenKey",
  "createApiKey",
  "deleteApiKey",
];

export class Contest {
  readonly fast = new Engine({ recordPostings: true });
  readonly naive = new Engine({ recordPostings: true, newBook: () => new NaiveBook() });
  readonly model = new ModelExchange();
  readonly entries: Entry[] = [];
  /** What the postings alone say, by account, asset and bucket. */
  readonly #posted = new Map<string, bigint>();
  readonly #depths = new Map<number, { depth: string; updateId: number }>();

  /** Runs a command on all three and compares; answers what came of it. */
  step(timeMs: number, command: Command): Happening[] {
    const entry: Entry = { seq: this.entries.length + 1, timeMs, command };
    this.entries.push(entry);
    assert.deepEqual(decodeCommands(encodeCommands([command]), 1), [command], "codec");
    const checked = this.#check(timeMs, command);
    const predicted = this.model.apply(timeMs, command);
    const happened = happeningsOf(this.fast, this.fast.apply(entry));
    const story = happened.map(sentence).join("\n");
    assert.equal(happeningsOf(this.naive, this.naive.apply(entry)).map(sentence).join("\n"), story, "naive book");
    if (!NOT_MODELLED.includes(command.type)) assert.equal(story, predicted.map(sentence).join("\n"), "model");
    if (checked !== undefined) assert.equal(checked, reasonApartFromFunds(happened), "check without placing");
    this.#compareBalances();
    this.#compareOrders();
    this.#compareDepth();
    if (this.entries.length % DEEP_EVERY === 0) this.deepCheck();
    return happened;
  }

  /** What `order/test` would answer; undefined when the command is no order. */
  #check(timeMs: number, command: Command): RejectReason | null | undefined {
    if (command.type !== "placeOrder") return undefined;
    return this.fast.check(command, Math.max(timeMs, this.fast.timeMs));
  }

  deepCheck(): void {
    this.fast.checkInvariants();
    this.naive.checkInvariants();
    assert.equal(this.fast.hash(), this.naive.hash(), "hashes of the two books");
  }

  #compareBalances(): void {
    this.#post();
    const accountIds = [OUTSIDE_ACCOUNT, FEE_ACCOUNT, ...this.model.accounts.keys()];
    for (const [assetId, { asset, precision }] of this.model.assets.entries()) {
      let sum = 0n;
      for (const accountId of accountIds) {
        const balance = this.fast.balance(accountId, assetId);
        const other = this.naive.balance(accountId, assetId);
        const expected = this.model.money.of(accountId, asset);
        const where = `${asset} of account ${accountId}`;
        assert.equal(scaled(balance.free, precision), expected.free, `free ${where}`);
        assert.equal(scaled(balance.locked, precision), expected.locked, `locked ${where}`);
        assert.equal(other.free, balance.free, `free ${where} on the naive book`);
        assert.equal(other.locked, balance.locked, `locked ${where} on the naive book`);
        assert.equal(this.#posted.get(`${accountId} ${assetId} free`) ?? 0n, balance.free, `posted free ${where}`);
        assert.equal(
          this.#posted.get(`${accountId} ${assetId} locked`) ?? 0n,
          balance.locked,
          `posted locked ${where}`,
        );
        assert.ok(balance.free >= 0n || accountId === OUTSIDE_ACCOUNT, `${where} is below zero`);
        assert.ok(balance.locked >= 0n, `${where} locks less than nothing`);
        sum += balance.free + balance.locked;
      }
      assert.equal(sum, 0n, `${asset} does not sum to zero`);
    }
  }

  #post(): void {
    for (const posting of this.fast.postings) {
      const { assetId, amount } = posting;
      assert.ok(amount > 0n, "a posting of nothing");
      const from = `${posting.fromAccountId} ${assetId} ${posting.fromBucket}`;
      const to = `${posting.toAccountId} ${assetId} ${posting.toBucket}`;
      this.#posted.set(from, (this.#posted.get(from) ?? 0n) - amount);
      this.#posted.set(to, (this.#posted.get(to) ?? 0n) + amount);
    }
  }

  /** The same orders are open, and what they need is exactly what is locked. */
  #compareOrders(): void {
    for (const accountId of this.model.accounts.keys()) {
      const open = this.fast.openOrders(accountId);
      const needed = new Map<string, bigint>();
      const story = open.map(
        (order) => `${order.orderId} ${order.clientOrderId} ${order.executedLots} ${order.visibleLots}`,
      );
      for (const order of open) {
        const { spec, scale } = this.fast.market(order.symbolId);
        const quantity = scaled(order.quantityLots - order.executedLots, scale.quantityDecimals);
        const price = scaled(order.priceTicks, scale.priceDecimals);
        const isBuy = order.side === "BUY";
        const asset = isBuy ? spec.quoteAsset : spec.baseAsset;
        const places = this.model.assets.find((listed) => listed.asset === asset)!.precision;
        const need = isBuy ? productCeil(price, quantity, places) : quantity;
        assert.equal(scaled(order.locked, places), need, `order ${order.orderId} locks another amount than it needs`);
        needed.set(asset, (needed.get(asset) ?? 0n) + need);
      }
      const expected = this.model.openOrders(accountId).map((order) => {
        const { quantityDecimals } = this.model.markets[order.symbolId]!;
        const lots = (value: bigint) => value / 10n ** BigInt(8 - quantityDecimals);
        return `${order.orderId} ${order.clientOrderId} ${lots(order.executed)} ${lots(order.visible)}`;
      });
      assert.deepEqual(story, expected, `open orders of ${accountId}`);
      for (const [assetId, { asset, precision }] of this.model.assets.entries()) {
        const { locked } = this.fast.balance(accountId, assetId);
        assert.equal(
          scaled(locked, precision),
          needed.get(asset) ?? 0n,
          `locked ${asset} of ${accountId} is unexplained`,
        );
      }
    }
  }

  #compareDepth(): void {
    for (const market of this.model.markets) {
      const view = this.fast.market(market.symbolId);
      const other = this.naive.market(market.symbolId);
      for (const side of ["BUY", "SELL"] as const) {
        const [mine, theirs] =
          side === "BUY" ? [view.bids(1000), other.bids(1000)] : [view.asks(1000), other.asks(1000)];
        assert.deepEqual(mine, theirs, "depth of the two books");
        const expected = levels(market, side === "BUY" ? "SELL" : "BUY", 0n);
        const shown = mine.map(([ticks]) => scaled(ticks, market.priceDecimals));
        assert.deepEqual(
          shown,
          expected.map(({ price }) => price),
          `prices of ${market.spec.symbol}`,
        );
        const visible = market.orders
          .filter((order) => order.side === side)
          .reduce((sum, order) => sum + order.visible, 0n);
        const total = mine.reduce((sum, [, lots]) => sum + scaled(lots, market.quantityDecimals), 0n);
        assert.equal(total, visible, `what ${market.spec.symbol} shows`);
      }
      this.#compareUpdateId(market.symbolId, JSON.stringify([view.bids(1000), view.asks(1000)]));
      const bid = view.bids(1)[0]?.[0] ?? 0;
      const ask = view.asks(1)[0]?.[0] ?? Infinity;
      assert.ok(bid < ask, `${market.spec.symbol} is crossed`);
    }
  }

  /** The update id grows by one with each command that changed the book, and only then. */
  #compareUpdateId(symbolId: number, depth: string): void {
    const before = this.#depths.get(symbolId) ?? { depth: "[[],[]]", updateId: 0 };
    const { bookUpdateId } = this.fast.market(symbolId);
    assert.equal(bookUpdateId, before.updateId + (depth === before.depth ? 0 : 1), "book update id");
    assert.equal(this.naive.market(symbolId).bookUpdateId, bookUpdateId);
    this.#depths.set(symbolId, { depth, updateId: bookUpdateId });
  }
}

function reasonApartFromFunds(happened: readonly Happening[]): RejectReason | null {
  const [first] = happened;
  if (first?.kind !== "refused" || first.reason === "INSUFFICIENT_BALANCE") return null;
  return first.reason;
}
