/**
 * A user stream: each report of an entry once and in order, then the account's balances after it. Balances that an
 * entry does not change may be repeated with their current values.
 */
import type { Happening, TradeSide, Traded, ModelExchange } from "@pricetime/testkit/models";
import { wire } from "../amounts.ts";
import type { AuditedEntry } from "../entry.ts";
import { type LedgerOfOrders, lossesOf, openedStatus } from "../ledger-of-orders.ts";
import { differing, type Fail, type Json, type Listener } from "./listener.ts";

type Report = Readonly<Record<string, unknown>>;
type Balances = ReadonlyMap<string, readonly [free: bigint, locked: bigint]>;

/** The expected messages of one entry. */
interface DueReports {
  readonly timeMs: number;
  readonly reports: Report[];
  /** The balances after the entry. */
  readonly balances: Balances;
  /** Amounts that changed other than by trading and were not reported yet. */
  readonly moved: Map<string, bigint>;
  /** Whether the account changed, so that a balance message must follow. */
  readonly isDue: boolean;
  hasInfo: boolean;
}

export class AccountListener implements Listener {
  readonly #accountId: number;
  readonly #model: ModelExchange;
  readonly #ledger: LedgerOfOrders;
  readonly #fail: Fail;
  #balances: Balances;
  readonly #due: DueReports[] = [];
  /** The listen key has expired: the stream may end. */
  isOver = false;

  constructor(accountId: number, model: ModelExchange, ledger: LedgerOfOrders, fail: Fail) {
    this.#accountId = accountId;
    this.#model = model;
    this.#ledger = ledger;
    this.#fail = (what) => fail(`user stream of ${accountId}: ${what}`);
    this.#balances = this.#balancesNow();
  }

  entry({ timeMs, happened }: AuditedEntry): void {
    const before = this.#balances;
    const balances = (this.#balances = this.#balancesNow());
    const reports = happened.flatMap((each) => this.#reportsOf(each, timeMs));
    const moved = new Map<string, bigint>();
    let hasChanged = reports.length > 0;
    for (const [asset, [free, locked]] of balances) {
      const [freeBefore, lockedBefore] = before.get(asset) ?? [0n, 0n];
      const change = free + locked - freeBefore - lockedBefore;
      if (change !== 0n && reports.length === 0) moved.set(asset, change);
      hasChanged ||= free !== freeBefore || locked !== lockedBefore;
    }
    this.#due.push({ timeMs, reports, balances, moved, isDue: hasChanged, hasInfo: false });
  }

  message(message: Json): void {
    switch (message.e) {
      case "executionReport":
      case "listStatus": {
        const found = this.#next();
        const due = found?.reports.shift();
        if (due === undefined) this.#fail(`a report of nothing that was to come: ${JSON.stringify(message)}`);
        else differing("a report", due, message, this.#fail);
        return;
      }
      case "balanceUpdate": {
        const found = this.#next();
        const left = (found?.moved.get(message.a) ?? 0n) - units(message.d);
        if (left === 0n) found?.moved.delete(message.a);
        else if (found?.moved.has(message.a) === true) found.moved.set(message.a, left);
        else this.#fail(`a change of a balance that did not change: ${JSON.stringify(message)}`);
        return;
      }
      case "outboundAccountInfo":
        return this.#standing(message, "info");
      case "outboundAccountPosition":
        return this.#standing(message, "position");
      case "listenKeyExpired":
        if (!this.isOver) this.#fail("its key is said to be over, and is not");
        return;
      default:
        this.#fail(`what is ${JSON.stringify(message)}`);
    }
  }

  quiet(): void {
    const found = this.#due.find(({ isDue, hasInfo }) => isDue && !hasInfo);
    if (found !== undefined) this.#fail(`${JSON.stringify(found.reports[0] ?? "how it stands")} never came`);
    this.#due.length = 0;
  }

  /** The first entry that was not reported. All before it were reported, or need not be. */
  #next(): DueReports | undefined {
    while (this.#due[0] !== undefined && (this.#due[0].hasInfo || !this.#due[0].isDue)) this.#due.shift();
    return this.#due[0];
  }

  /** Compares the message with the entry that must be reported, or with an earlier one that need not be. */
  #standing(message: Json, kind: "info" | "position"): void {
    const due = this.#due.findIndex(({ isDue, hasInfo }) => isDue && !hasInfo);
    const last = due === -1 ? this.#due.length - 1 : kind === "info" ? due : due - 1;
    const candidates = this.#due.slice(0, last + 1).filter(({ timeMs, reports, moved }) => {
      return timeMs === message.E && reports.length === 0 && moved.size === 0;
    });
    const found = candidates.findLast(({ balances }) => fits(message, balances));
    if (found === undefined) {
      const must = candidates.at(-1)?.balances;
      const why =
        must === undefined ? "before all that happened is reported" : `must be ${[...must].map(String).join(" ")}`;
      return this.#fail(`how it stands, ${why}: ${JSON.stringify(message)}`);
    }
    this.#due.splice(0, this.#due.indexOf(found));
    found.hasInfo = true;
    return undefined;
  }

  #balancesNow(): Balances {
    const { assets, money } = this.#model;
    return new Map(
      assets.map(({ asset }) => {
        const { free, locked } = money.of(this.#accountId, asset);
        return [asset, [free, locked]];
      }),
    );
  }

  #reportsOf(happening: Happening, timeMs: number): Report[] {
    const of = { e: "executionReport", E: timeMs, T: timeMs };
    switch (happening.kind) {
      case "opened": {
        const { accountId, orderId, clientOrderId, symbol, side, type, price, isWorking, orderListId } = happening;
        if (accountId !== this.#accountId) return [];
        const what = { s: symbol, i: orderId, c: clientOrderId, S: side, o: type, p: wire(price), g: orderListId };
        return [{ ...of, ...what, x: "NEW", X: openedStatus(happening), w: isWorking, z: wire(0n), t: -1 }];
      }
      case "traded":
        return [happening.taker, happening.maker].flatMap((fill) => this.#tradeOf(happening, fill, of));
      case "ended": {
        const { orderId, clientOrderId, cancelClientOrderId: by, status, executed, executedQuote } = happening;
        if (!this.#isOwn(orderId)) return [];
        const ids = { i: orderId, c: by || clientOrderId, C: by === "" ? "" : clientOrderId };
        return [{ ...of, ...ids, x: status, X: status, z: wire(executed), Z: wire(executedQuote), w: false }];
      }
      case "amended": {
        const { orderId, clientOrderId: c, origClientOrderId: C, quantity, executed } = happening;
        if (!this.#isOwn(orderId)) return [];
        return [{ ...of, i: orderId, c, C, x: "REPLACED", q: wire(quantity), z: wire(executed), t: -1 }];
      }
      case "prevented":
        return lossesOf(happening).flatMap(({ orderId, clientOrderId: c, lost, prevented, status }) => {
          if (!this.#isOwn(orderId)) return [];
          const amounts = {
            A: wire(prevented),
            B: wire(lost),
            pL: wire(happening.price),
            pl: wire(happening.quantity),
          };
          return [{ ...of, i: orderId, c, x: "TRADE_PREVENTION", X: status, v: happening.id, ...amounts, t: -1 }];
        });
      case "listed": {
        const { accountId, orderListId, listClientOrderId, status, symbol } = happening;
        if (accountId !== this.#accountId) return [];
        return [
          {
            e: "listStatus",
            E: timeMs,
            s: symbol,
            g: orderListId,
            C: listClientOrderId,
            L: status === "UPDATED" ? "EXECUTING" : status,
          },
        ];
      }
      default:
        return [];
    }
  }

  #tradeOf(trade: Traded, fill: TradeSide, of: Report): Report[] {
    const { orderId, clientOrderId, status, executed, executedQuote, commission, commissionAsset } = fill;
    if (!this.#isOwn(orderId)) return [];
    const ids = { i: orderId, c: clientOrderId, t: trade.tradeId, m: fill === trade.maker };
    const amounts = { l: wire(trade.quantity), L: wire(trade.price), Y: wire(trade.quote) };
    const fee = commission === 0n ? { n: "0", N: null } : { n: wire(commission), N: commissionAsset };
    const total = { z: wire(executed), Z: wire(executedQuote) };
    return [{ ...of, ...ids, ...amounts, ...fee, ...total, x: "TRADE", X: status }];
  }

  #isOwn(orderId: number): boolean {
    return this.#ledger.orders.get(orderId)?.opened.accountId === this.#accountId;
  }
}

/** A decimal with eight places, possibly negative, in units of the eighth place. */
function units(decimal: string): bigint {
  return BigInt(decimal.replace(".", ""));
}

function fits(message: Json, balances: Balances): boolean {
  return (message.B as Json[]).every(({ a, f, l }) => {
    const [free, locked] = balances.get(a) ?? [0n, 0n];
    return f === wire(free) && l === wire(locked);
  });
}
