/** A slow and simple history of the wallet: a list of everything that happened, filtered for every query. */
import { type Engine, type Event, formatDecimal } from "@pricetime/engine";
import type { NewBatch } from "../../src/journal/port.ts";
import { replayBatch } from "../../src/journal/replica/recover.ts";
import type { Answer as Body } from "@pricetime/protocol";
import type {
  Answer,
  Arguments,
  DepositRow,
  TimeLineRow,
  TransferPage,
  TransferRow,
  WithdrawalRow,
} from "../../src/history/port.ts";
import { without } from "./brute-force.ts";
import { WALLET_ACCOUNTS } from "./wallet-flow.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const WITHDRAWAL_WORDS = [
  "emailSent",
  "cancelled",
  "awaitingApproval",
  "rejected",
  "processing",
  "failed",
  "completed",
];
const DEPOSIT_CODES = { pending: 0, credited: 6, success: 1 } as const;

type DividendRow = Answer<"dividends">[number];
type DaySnapshot = Body<"wallet.snapshots">["snapshotVos"][number];
type TimePage = Omit<TransferPage, "side">;
/** Queries about an account. */
type Asked<Name extends "deposits" | "withdrawals" | "dividends" | "snapshotPage"> = Omit<Arguments<Name>, "accountId">;

type Of<Row> = Row & { readonly accountId: number };
/** Free and locked, by account and asset, after the last entry of a day. */
type Balances = ReadonlyMap<number, readonly { readonly free: bigint; readonly locked: bigint }[]>;

export class WalletBruteForce {
  readonly deposits = new Map<number, Of<DepositRow>>();
  readonly withdrawals = new Map<string, Of<WithdrawalRow>>();
  readonly transfers: (TransferRow & { readonly masterId: number })[] = [];
  readonly dust: (Pick<TimeLineRow, "timeMs" | "what" | "id"> & { readonly accountId: number })[] = [];
  readonly dividends: Of<DividendRow>[] = [];
  readonly dropped = new Set<number>();
  readonly #days = new Map<number, Balances>();
  /** Last price by day and symbol, in hundredths. */
  readonly #prices = new Map<number, Map<number, bigint>>();
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  take(batch: NewBatch): void {
    const engine = this.#engine;
    replayBatch(engine, { ...batch, chainHash: "" }, (_, events) => {
      for (const event of events) this.#takeEvent(event);
      const day = Math.floor(engine.timeMs / DAY_MS);
      const of = (accountId: number) =>
        engine.assets().map((asset) => ({ ...engine.balance(accountId, asset.assetId) }));
      this.#days.set(day, new Map(WALLET_ACCOUNTS.map((accountId) => [accountId, of(accountId)])));
    });
  }

  #takeEvent(event: Event): void {
    const { timeMs } = this.#engine;
    if (event.type === "depositChanged") this.#takeDeposit(event);
    if (event.type === "withdrawalChanged") this.#takeWithdrawal(event);
    if (event.type === "transferred") {
      const { type: _, amount, clientTranId = "", ...rest } = event;
      this.transfers.push({ ...rest, clientTranId, amount: this.#money(event.assetId, amount), timeMs });
    }
    if (event.type === "dustConverted") {
      const { tranId: id, accountId, assetId, dustAssetId } = event;
      const [asset, receivedAsset] = [this.#name(assetId), this.#name(dustAssetId)];
      const inDust = (units: bigint): string => this.#money(dustAssetId, units);
      const paid = { receivedAsset, received: inDust(event.received), charge: inDust(event.charge) };
      const row = { timeMs, kind: "money", what: "dust", asset, amount: this.#money(assetId, event.amount), id };
      this.dust.push({ accountId, ...row, ...paid });
    }
    if (event.type === "dividendPaid") {
      const { type: _, amount, ...rest } = event;
      this.dividends.push({ ...rest, amount: this.#money(event.assetId, amount), timeMs });
    }
    if (event.type === "trade") {
      const day = Math.floor(timeMs / DAY_MS);
      const prices = this.#prices.get(day) ?? new Map();
      this.#prices.set(day, prices.set(event.symbolId, BigInt(event.priceTicks)));
    }
  }

  #takeDeposit({ deposit, status }: Extract<Event, { type: "depositChanged" }>): void {
    const { depositId, accountId, assetId, network, txId, output, address, tag, insertTimeMs } = deposit;
    this.deposits.delete(depositId);
    if (status === "dropped") this.dropped.add(depositId);
    if (status === "dropped") return;
    const amount = this.#money(assetId, deposit.amount);
    const [code, updateTimeMs] = [DEPOSIT_CODES[status], this.#engine.timeMs];
    const coin = { depositId, network, txId, output, assetId, amount, address, tag };
    this.deposits.set(depositId, { ...coin, accountId, status: code, insertTimeMs, updateTimeMs });
  }

  #takeWithdrawal({ withdrawal, status, txId, why }: Extract<Event, { type: "withdrawalChanged" }>): void {
    const { withdrawalId, withdrawOrderId, accountId, assetId, network, address, tag, name, applyTimeMs } = withdrawal;
    this.withdrawals.set(withdrawalId, {
      ...{ withdrawalId, withdrawOrderId, accountId, assetId, network, address, tag, name, applyTimeMs },
      amount: this.#money(assetId, withdrawal.amount - withdrawal.fee),
      fee: this.#money(assetId, withdrawal.fee),
      txId,
      status: WITHDRAWAL_WORDS.indexOf(status),
      updateTimeMs: this.#engine.timeMs,
      why,
    });
  }

  depositsOf(accountId: number, { assetId, status, txId, ...page }: Asked<"deposits">): DepositRow[] {
    const found = [...this.deposits.values()].filter(
      (row) =>
        row.accountId === accountId &&
        (assetId === undefined || row.assetId === assetId) &&
        (status === undefined || row.status === status) &&
        (txId === undefined || row.txId === txId),
    );
    const sorted = found.sort((a, b) => b.insertTimeMs - a.insertTimeMs || b.depositId - a.depositId);
    return pageOf(page, sorted, (row) => row.insertTimeMs).map((row) => without(row, "accountId"));
  }

  withdrawalsOf(accountId: number, question: Asked<"withdrawals">): WithdrawalRow[] {
    const { assetId, status, txId, withdrawOrderId, ...page } = question;
    const found = [...this.withdrawals.values()].filter(
      (row) =>
        row.accountId === accountId &&
        (assetId === undefined || row.assetId === assetId) &&
        (status === undefined || row.status === status) &&
        (txId === undefined || row.txId === txId) &&
        (withdrawOrderId === undefined || row.withdrawOrderId === withdrawOrderId),
    );
    return pageOf(page, found.reverse(), (row) => row.applyTimeMs).map((row) => without(row, "accountId"));
  }

  transfersOfMaster(masterId: number, page: TimePage): TransferRow[] {
    const found = this.transfers.filter((row) => row.masterId === masterId);
    return pageOf(page, found, (row) => row.timeMs).map((row) => without(row, "masterId"));
  }

  transfersOfAccount(accountId: number, { side = "either", ...page }: TransferPage): TransferRow[] {
    const isFrom = (row: TransferRow): boolean => side !== "to" && row.fromAccountId === accountId;
    const isTo = (row: TransferRow): boolean => side !== "from" && row.toAccountId === accountId;
    const found = this.transfers.filter((row) => isFrom(row) || isTo(row));
    return pageOf(page, found, (row) => row.timeMs).map((row) => without(row, "masterId"));
  }

  dustOf(accountId: number): object[] {
    return this.dust.filter((row) => row.accountId === accountId).map((row) => without(row, "accountId"));
  }

  dividendsOf(accountId: number, { assetId, ...page }: Asked<"dividends">): DividendRow[] {
    const found = this.dividends.filter(
      (row) => row.accountId === accountId && (assetId === undefined || row.assetId === assetId),
    );
    return pageOf(page, found.reverse(), (row) => row.timeMs).map((row) => without(row, "accountId"));
  }

  snapshotsOf(accountId: number, question: Asked<"snapshotPage">): DaySnapshot[] {
    const { startTimeMs = 0, endTimeMs = question.nowMs, limit, totalAssetId, nowMs } = question;
    const rows: DaySnapshot[] = [];
    const began = [...this.#days].find(([, balances]) => isSomething(balances.get(accountId) ?? []));
    if (began === undefined) return rows;
    for (let day = began[0]; (day + 1) * DAY_MS <= nowMs; day++) {
      const timeMs = (day + 1) * DAY_MS - 1000;
      const balances = this.#latest(this.#days, day)?.get(accountId) ?? [];
      if (timeMs < startTimeMs || timeMs > endTimeMs) continue;
      const held = balances.flatMap(({ free, locked }, assetId) =>
        free + locked === 0n
          ? []
          : [{ asset: this.#name(assetId), free: this.#money(assetId, free), locked: this.#money(assetId, locked) }],
      );
      const total = totalAssetId === undefined ? 0n : this.#total(balances, totalAssetId, day);
      const data = { balances: held, totalAssetOfBtc: formatDecimal(total, 8) };
      rows.push({ type: "spot", updateTime: timeMs, data });
    }
    return rows.slice(-limit);
  }

  /** The listings: BTC and BNB have markets with USDT, VAST has one with BNB, ODD has none. */
  #total(balances: readonly { free: bigint; locked: bigint }[], inAssetId: number, day: number): bigint {
    const [btc, bnb, vast] = [0, 1, 2].map((symbolId) => this.#price(symbolId, day));
    const inUsdt = [btc, bnb, { top: 100n, bottom: 100n }, undefined, undefined];
    return balances.reduce((sum, { free, locked }, assetId) => {
      const units = (free + locked) * 10n ** BigInt(8 - this.#engine.asset(assetId).spec.precision);
      if (assetId === inAssetId) return sum + units;
      const [own, other] = [inUsdt[assetId], inUsdt[inAssetId]];
      if (own !== undefined && other !== undefined) {
        return sum + (units * own.top * other.bottom) / (own.bottom * other.top);
      }
      // VAST in BNB, and through it in USDT; no further.
      if (assetId === 3 && vast !== undefined && inAssetId === 1) return sum + (units * vast.top) / vast.bottom;
      if (assetId === 3 && vast !== undefined && bnb !== undefined && inAssetId === 2) {
        return sum + (units * vast.top * bnb.top) / (vast.bottom * bnb.bottom);
      }
      return sum;
    }, 0n);
  }

  #price(symbolId: number, day: number): { readonly top: bigint; readonly bottom: bigint } | undefined {
    const days = [...this.#prices].filter(([at, prices]) => at <= day && prices.has(symbolId)).map(([at]) => at);
    const ticks = days.length === 0 ? undefined : this.#prices.get(Math.max(...days))?.get(symbolId);
    return ticks === undefined ? undefined : { top: ticks, bottom: 100n };
  }

  #latest<Value>(days: ReadonlyMap<number, Value>, day: number): Value | undefined {
    return days.get(Math.max(...[...days.keys()].filter((at) => at <= day)));
  }

  #name(assetId: number): string {
    return this.#engine.asset(assetId).spec.asset;
  }
  #money(assetId: number, units: bigint): string {
    return formatDecimal(units, this.#engine.asset(assetId).spec.precision);
  }
}

function isSomething(balances: readonly { readonly free: bigint; readonly locked: bigint }[]): boolean {
  return balances.some(({ free, locked }) => free + locked > 0n);
}

function pageOf<Row>({ startTimeMs, endTimeMs, offset = 0, limit }: TimePage, rows: Row[], at: (row: Row) => number) {
  const inside = rows.filter((row) => (startTimeMs ?? 0) <= at(row) && at(row) <= (endTimeMs ?? Infinity));
  return inside.slice(offset, offset + limit);
}
