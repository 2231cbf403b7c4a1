/** Reads a statement of a month: what there was, one page of moves after another, and what there is; it checks that both agree. */
import {
  type Bucket,
  type EngineView,
  formatDecimal,
  type PostingReason,
  type PublishedProof,
} from "@pricetime/engine";
import { carriedText } from "../../history/shapes/amounts.ts";
import type { StatementBalance, StatementBounds, StatementMove } from "../../history/statement-port.ts";
import type { CustomerParts } from "./route.ts";

export interface Month {
  /** As 2026-10. */
  readonly text: string;
  readonly fromMs: number;
  /** Exclusive. */
  readonly untilMs: number;
  readonly isOver: boolean;
}

/** Units of an asset. */
type Buckets = Record<Bucket, bigint>;

/** A line of a statement; amounts are decimals of the asset. */
export interface StatementLine {
  readonly id: string;
  readonly timeMs: number;
  readonly asset: string;
  readonly bucket: Bucket;
  /** Below zero: it left the bucket. */
  readonly amount: string;
  readonly reason: string;
  /** What the bucket has of the asset then. */
  readonly balanceAfter: string;
}

export interface StatementTotal {
  readonly asset: string;
  readonly free: string;
  readonly locked: string;
}

/** Free and locked of an asset together: opening + movements = closing. */
export interface StatementSum {
  readonly asset: string;
  readonly opening: string;
  readonly movements: string;
  readonly closing: string;
}

/** Reasons of postings by which money goes in or out, and the step that their amounts are shown with. */
const CARRIED: Partial<Record<PostingReason, "depositStep" | "withdrawStep">> = {
  deposit: "depositStep",
  depositDropped: "depositStep",
  debit: "withdrawStep",
  withdrawal: "withdrawStep",
  withdrawalFee: "withdrawStep",
};

const NOTHING: Readonly<Buckets> = { free: 0n, locked: 0n };

type Parts = Pick<CustomerParts, "view" | "history">;

export class StatementReading {
  readonly accountId: number;
  readonly month: Month;
  readonly opening: readonly StatementTotal[];
  /** The newest that is published when it is written; null: none is. */
  readonly proof: PublishedProof | null;
  readonly #parts: Parts;
  readonly #seq: number;
  readonly #bounds: StatementBounds;
  /** What books other than the postings say that there is at the end. */
  readonly #closing: ReadonlyMap<number, Readonly<Buckets>>;
  readonly #before: ReadonlyMap<number, Readonly<Buckets>>;
  readonly #now: Map<number, Buckets>;

  private constructor(
    parts: Parts,
    of: { readonly accountId: number; readonly month: Month; readonly seq: number },
    bounds: StatementBounds,
    closing: ReadonlyMap<number, Readonly<Buckets>>,
  ) {
    this.accountId = of.accountId;
    this.month = of.month;
    this.proof = parts.view.venue.lastProof;
    this.#parts = parts;
    this.#seq = of.seq;
    this.#bounds = bounds;
    this.#closing = closing;
    this.#before = balancesOf(bounds.opening);
    this.#now = balancesOf(bounds.opening);
    this.opening = this.#totals(this.#before);
  }

  /** Rejects with `HistoryBehind`. */
  static async open(parts: Parts, accountId: number, month: Month): Promise<StatementReading> {
    const { view, history } = parts;
    const { seq } = view;
    // As of this entry, before anything is waited for.
    const now = month.isOver ? undefined : balancesNow(view, accountId);
    const bounds = await history.statementBounds(seq, accountId, { ...month, lastSeq: seq });
    return new StatementReading(parts, { accountId, month, seq }, bounds, now ?? balancesOf(bounds.closing));
  }

  /** The lines, a page at a time. Rejects when what they lead to is not what there is: nobody may take that for whole. */
  async *pages(): AsyncGenerator<StatementLine[]> {
    const { fromSeq, endSeq } = this.#bounds;
    for (let next: number | null = fromSeq; next !== null && next < endSeq; ) {
      const page = await this.#parts.history.statementPage(this.#seq, this.accountId, { fromSeq: next, endSeq });
      if (page.moves.length > 0) yield page.moves.map((move) => this.#line(move));
      next = page.nextSeq;
    }
    this.#check();
  }

  /** Call these after the last page. */
  get closing(): readonly StatementTotal[] {
    return this.#totals(this.#now);
  }
  get sums(): readonly StatementSum[] {
    return [...this.#now].map(([assetId, now]) => {
      const opening = whole(this.#before.get(assetId));
      const [closing, decimal] = [whole(now), (units: bigint) => this.#decimal(assetId, units)];
      const movements = decimal(closing - opening);
      return { asset: this.#asset(assetId), opening: decimal(opening), movements, closing: decimal(closing) };
    });
  }

  #line({ seq, place, timeMs, assetId, bucket, amount, reason }: StatementMove): StatementLine {
    const units = BigInt(amount);
    const balance = this.#now.get(assetId) ?? { free: 0n, locked: 0n };
    balance[bucket] += units;
    this.#now.set(assetId, balance);
    return {
      ...{ id: `${seq}-${place}`, timeMs, asset: this.#asset(assetId), bucket },
      ...{ amount: this.#moved(assetId, units, reason), reason, balanceAfter: this.#decimal(assetId, balance[bucket]) },
    };
  }

  #check(): void {
    for (const assetId of new Set([...this.#now.keys(), ...this.#closing.keys()])) {
      const [reached, there] = [this.#now.get(assetId) ?? NOTHING, this.#closing.get(assetId) ?? NOTHING];
      if (reached.free === there.free && reached.locked === there.locked) continue;
      throw new Error(`the statement of account ${this.accountId} for ${this.month.text} does not add up`);
    }
  }

  #totals(of: ReadonlyMap<number, Readonly<Buckets>>): StatementTotal[] {
    return [...of].map(([assetId, { free, locked }]) => ({
      asset: this.#asset(assetId),
      free: this.#decimal(assetId, free),
      locked: this.#decimal(assetId, locked),
    }));
  }

  #asset(assetId: number): string {
    return this.#parts.view.asset(assetId).spec.asset;
  }

  #moved(assetId: number, units: bigint, reason: PostingReason): string {
    const step = CARRIED[reason];
    if (step === undefined) return this.#decimal(assetId, units);
    return carriedText(this.#parts.view.asset(assetId).spec, step, units);
  }

  #decimal(assetId: number, units: bigint): string {
    return formatDecimal(units, this.#parts.view.asset(assetId).spec.precision);
  }
}

function balancesOf(balances: readonly StatementBalance[]): Map<number, Buckets> {
  return new Map(
    balances.map(({ assetId, free, locked }) => [assetId, { free: BigInt(free), locked: BigInt(locked) }]),
  );
}

function balancesNow(view: EngineView, accountId: number): Map<number, Buckets> {
  return new Map(
    view.assets().map(({ assetId }) => {
      const { free, locked } = view.balance(accountId, assetId);
      return [assetId, { free, locked }];
    }),
  );
}

const whole = (buckets: Readonly<Buckets> | undefined): bigint => (buckets?.free ?? 0n) + (buckets?.locked ?? 0n);
