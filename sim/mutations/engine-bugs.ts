/**
 * Bugs of the engine: priority, locks, balances, snapshot contents. Each is in every engine, so that replicas agree.
 */
import {
  type Bucket,
  type Command,
  Engine,
  type Entry,
  type Event,
  FIRST_EDITION,
  type ProposalRecord,
} from "@pricetime/engine";
import { type Account, Accounts } from "../../packages/engine/src/state/accounts.ts";
import { CommissionDiscount } from "../../packages/engine/src/state/commission-discount.ts";
import { ListenKeys } from "../../packages/engine/src/state/access.ts";
import { LadderBook } from "../../packages/engine/src/state/book/book.ts";
import { Ladder, Level } from "../../packages/engine/src/state/book/ladder.ts";
import { WithdrawalCounts } from "../../packages/engine/src/state/funds/withdrawals.ts";
import { DueMarkets, Market } from "../../packages/engine/src/state/market/market.ts";
import { Ledger, type Payment } from "../../packages/engine/src/state/ledger.ts";
import { OpenOrders } from "../../packages/engine/src/state/order/open-orders.ts";
import { Order } from "../../packages/engine/src/state/order/order.ts";
import { TransferIds, UsedIds } from "../../packages/engine/src/state/funds/used-ids.ts";
import { Triggers } from "../../packages/engine/src/state/book/triggers.ts";
import { Proposals, Suspensions } from "../../packages/engine/src/state/venue.ts";
import { inClass, type Mutation } from "./mutation.ts";

/** Changes postings with this reason. */
function posting(name: string, reason: string, bug: (amount: bigint) => bigint): Mutation {
  return inClass(name, Ledger.prototype, "move", function (real, args) {
    const [payment, bucket] = args as unknown as [Payment, Bucket];
    const amount = payment.reason === reason ? bug(payment.amount) : payment.amount;
    real.apply(this, [{ ...payment, amount }, bucket] as unknown as typeof args);
  });
}

/** Changes the amount that is released from locked to free. */
function released(name: string, bug: (amount: bigint) => bigint): Mutation {
  return inClass(name, Ledger.prototype, "release", function (real, args) {
    const [accountId, assetId, amount] = args as unknown as [number, number, bigint];
    real.apply(this, [accountId, assetId, bug(amount)] as unknown as typeof args);
  });
}

/** Moves the last order of a level one place forward. */
function stepForward(level: Level): void {
  const { last } = level;
  const before = last?.previous ?? null;
  if (last === null || before === null) return;
  last.previous = before.previous;
  if (before.previous === null) level.first = last;
  else before.previous.next = last;
  before.next = null;
  before.previous = last;
  last.next = before;
  level.last = before;
}

/** Executes commands of these types by an earlier rules version, without its later fixes. */
function byEarlierRules(name: string, types: readonly Command["type"][]): Mutation {
  return inClass(name, Engine.prototype, "apply", function (real, args) {
    const { state } = this;
    const [{ command }] = args as unknown as [Entry];
    if (!types.includes(command.type)) return real.apply(this, args);
    const { edition } = state;
    state.edition = FIRST_EDITION;
    try {
      return real.apply(this, args);
    } finally {
      state.edition = edition;
    }
  });
}

/** Bugs of withdrawal limits over time (decision 72). The engine's `limit-bugs.test.ts` has those of its hours. */
export const LIMIT_BUGS: readonly Mutation[] = [
  inClass("a withdrawal is not counted over time", WithdrawalCounts.prototype, "add", () => undefined),
  inClass("a withdrawal that ends unpaid still counts", WithdrawalCounts.prototype, "remove", () => undefined),
  inClass(
    "withdrawals of other customers do not count for the limit of all",
    WithdrawalCounts.prototype,
    "withdrawn",
    function (real, args) {
      const [masterId] = args as unknown as [number | null];
      return masterId === null ? new Map() : real.apply(this, args);
    },
  ),
  inClass(
    "a sub-account's withdrawal does not count with its master's",
    Engine.prototype,
    "apply",
    function (real, args) {
      const events = real.apply(this, args) as readonly Event[];
      const [{ command }] = args as unknown as [Entry];
      const [event] = events;
      if (command.type !== "requestWithdrawal" || event?.type !== "withdrawalChanged") return events;
      const { accountId, assetId, amount, accountSum24h } = event.withdrawal;
      const masterId = this.account(accountId)?.masterId ?? null;
      if (masterId === null || accountSum24h === undefined) return events;
      const { nowMs, funds } = this.state;
      funds.withdrawalCounts.remove(masterId, assetId, amount, nowMs);
      funds.withdrawalCounts.add(accountId, assetId, amount, nowMs);
      return events;
    },
  ),
];

export const ENGINE_BUGS: readonly Mutation[] = [
  byEarlierRules("an invitation goes to an address as it was typed", ["invite"]),
  inClass(
    "addresses that differ in upper and lower case alone are two",
    Accounts.prototype,
    "sharing",
    function (real, args) {
      const [email] = args as unknown as [string];
      const sharing = real.apply(this, args) as readonly Account[];
      return sharing.filter((account) => account.email === email);
    },
  ),
  byEarlierRules("recorded candles that are finer than their symbol are rejected", ["importKlines"]),
  inClass(
    "a MARKET order by quote that empties a thin book is filled",
    Order.prototype,
    "leaveUnfilled",
    () => undefined,
  ),
  byEarlierRules("trailing zeros of a deposit's amount count as digits", ["deposit"]),
  inClass("a transfer under the client's own id is made again", TransferIds.prototype, "repeat", () => null),
  inClass("a repeat with other contents is taken for an equal one", UsedIds.prototype, "repeat", function (real, args) {
    return real.apply(this, args) === null ? null : "ALREADY_EXISTS";
  }),
  byEarlierRules("a freeze leaves open orders", ["freezeAccount"]),
  inClass(
    "an operator who ends an account's orders leaves the newest",
    Engine.prototype,
    "apply",
    function (real, args) {
      const [{ command }] = args as unknown as [Entry];
      if (command.type !== "endAccountOrders") return real.apply(this, args);
      const { orders } = this.state;
      orders.of = (...of) => OpenOrders.prototype.of.apply(orders, of).slice(0, -1);
      try {
        return real.apply(this, args);
      } finally {
        Reflect.deleteProperty(orders, "of");
      }
    },
  ),
  inClass("a delisting leaves open orders", DueMarkets.prototype, "withEndingOrders", function (real, args) {
    const markets = real.apply(this, args) as readonly Market[];
    return markets.filter(({ isDelisted }) => !isDelisted);
  }),
  inClass("a snapshot forgets a delisting", Market.prototype, "saveDelisting", function (real, args) {
    const { delisting } = this;
    if (!this.isDelisted) this.delisting = null;
    real.apply(this, args);
    this.delisting = delisting;
  }),
  byEarlierRules("a withdrawal that is being signed fails by an operator's word", ["failWithdrawal"]),
  byEarlierRules("a code of a secret that was taken away is good", ["requestWithdrawal"]),
  inClass(
    "off by one in priority: an order gets in before the one that was there",
    Level.prototype,
    "push",
    function (real, args) {
      real.apply(this, args);
      const [order] = args as unknown as [Order];
      if (order.orderId % 4 === 0) stepForward(this);
    },
  ),
  inClass("an amended order loses its place", LadderBook.prototype, "replace", function (real, args) {
    real.apply(this, args);
    const [, order] = args as unknown as [Order, Order];
    const level = order.level as Level;
    level.unlink(order);
    level.push(order);
  }),
  inClass("an iceberg keeps its place when its next slice shows", LadderBook.prototype, "fill", function (real, args) {
    const [order] = args as unknown as [Order];
    real.apply(this, args);
    const level = order.level as Level | null;
    if (level === null || order.visibleLots !== order.icebergLots) return;
    while (level.first !== order) stepForward(level);
  }),
  inClass("a stop order is not set off at exactly its price", Triggers.prototype, "take", function (real, args) {
    const [priceTicks, , taken] = args as unknown as [number, number, Order[]];
    const from = taken.length;
    real.apply(this, args);
    for (const order of taken.splice(from)) {
      if (order.stopTicks === priceTicks) this.add(order, 0);
      else taken.push(order);
    }
  }),
  released("leaked lock: one unit stays locked", (amount) =>
    amount % 3n === 0n && amount > 1n ? amount - 1n : amount,
  ),
  released("missing release: what an order had locked stays locked", (amount) => (amount % 3n === 0n ? 0n : amount)),
  posting("a trade pays one unit too little", "trade", (amount) =>
    amount % 5n === 0n && amount > 1n ? amount - 1n : amount,
  ),
  posting("a commission is not charged", "commission", (amount) => (amount % 2n === 0n ? 0n : amount)),
  inClass("a discounted commission is paid twice", CommissionDiscount.prototype, "amountFor", function (real, args) {
    const amount = real.apply(this, args);
    return typeof amount === "bigint" ? 2n * amount : amount;
  }),
  posting("a deposit counts twice", "deposit", (amount) => (amount % 9n === 0n ? amount * 2n : amount)),
  inClass("a snapshot turns queues round", Ladder.prototype, "orders", function (real, args) {
    return [...(real.apply(this, args) as Iterable<Order>)].reverse();
  }),
  inClass("a snapshot forgets listen keys", ListenKeys.prototype, "save", function (real, args) {
    real.apply(new ListenKeys(), args);
  }),
  inClass("a stop is forgotten after a restart", Suspensions.prototype, "save", function (real, args) {
    real.apply(new Suspensions(), args);
  }),
  inClass("an approval survives a change of what was approved", Proposals.prototype, "put", function (real, args) {
    const [proposal] = args as unknown as [ProposalRecord];
    const before = this.get(proposal.proposalId);
    const isChange = before !== undefined && before.version < proposal.version;
    const approvals = isChange ? before.approvals : proposal.approvals;
    real.apply(this, [{ ...proposal, approvals }] as unknown as typeof args);
  }),
  inClass("what an operator who was disabled has proposed waits on", Engine.prototype, "apply", function (real, args) {
    const [{ command }] = args as unknown as [Entry];
    const { state } = this;
    const all = [...state.proposals.all()];
    const events = real.apply(this, args) as readonly Event[];
    if (command.type !== "changeOperator") return events;
    const isCancelled = (event: Event): boolean => event.type === "proposalChanged" && event.status === "cancelled";
    if (!events.some(isCancelled)) return events;
    for (const proposal of all) state.proposals.put(proposal);
    return events.filter((event) => !isCancelled(event));
  }),
  inClass("an operator takes all places of approval requests", Proposals.prototype, "countOf", function () {
    return 0;
  }),
  inClass("a snapshot gives an order id away twice", Engine.prototype, "snapshotInPieces", function (real, args) {
    const { state } = this;
    if (state.lastOrderId > 0) state.lastOrderId--;
    const bytes = real.apply(this, args);
    state.lastOrderId++;
    return bytes;
  }),
  inClass("a snapshot forgets which deposits were made", Engine.prototype, "snapshotInPieces", function (real, args) {
    const { state } = this;
    const references = state.moveReferences;
    Object.assign(state, { moveReferences: new UsedIds() });
    const bytes = real.apply(this, args);
    Object.assign(state, { moveReferences: references });
    return bytes;
  }),
  byEarlierRules("a symbol is listed although its rounding is too coarse", ["listSymbol", "setSymbolFilters"]),
  byEarlierRules("a deposit that an operator reports is finer than its network's step", ["seeDeposit"]),
];
