/**
 * Statements: every posting of a month, with opening and closing balances. The postings must add up to the difference.
 */
import {
  type Bucket,
  type EngineView,
  formatDecimal,
  type PostingReason,
  type PublishedProof,
} from "@pricetime/engine";
import { carriedText } from "../../history/shapes/amounts.ts";
import type { Answer as Rows, StatementBalance, StatementBounds, StatementMove } from "../../history/port.ts";
import { type Answer, streamed } from "../http/answer.ts";
import { ANSWERS, type Posting, type StatementSum, type StatementTotal } from "./answers.ts";
import {
  type AccountRoute,
  type CustomerParts,
  ofAccount,
  type Own,
  ownAccount,
  ownRoute,
  STATEMENT,
  STATEMENT_LIMITS,
} from "./route.ts";
import { CSV_TYPE, csvLine, csvLines, withEnd } from "../../api/answers/file-answers.ts";
import { z } from "zod";
import { rejected } from "./rejections.ts";

// Reads a statement: the opening balances, the postings page by page, and the closing balances, which must equal the
// opening balances plus the postings.

interface Month {
  /** The month, such as 2026-10. */
  readonly text: string;
  readonly fromMs: number;
  /** The end of the month, exclusive. */
  readonly untilMs: number;
  readonly isOver: boolean;
}

/** Balances in the asset's smallest units. */
type Buckets = Record<Bucket, bigint>;

/** Posting reasons of deposits and withdrawals, with the network setting that defines the step of their amounts. */
const CARRIED: Partial<Record<PostingReason, "depositStep" | "withdrawStep">> = {
  deposit: "depositStep",
  depositDropped: "depositStep",
  debit: "withdrawStep",
  withdrawal: "withdrawStep",
  withdrawalFee: "withdrawStep",
};

const NOTHING: Readonly<Buckets> = { free: 0n, locked: 0n };

type Parts = Pick<CustomerParts, "view" | "history">;

class StatementReading {
  readonly accountId: number;
  readonly month: Month;
  readonly opening: readonly StatementTotal[];
  /** The newest published proof; null if there is none. */
  readonly proof: PublishedProof | null;
  readonly #parts: Parts;
  readonly #seq: number;
  readonly #bounds: StatementBounds;
  /** The closing balances by asset, from a source other than the postings. */
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

  /** Reads the opening and closing balances of a month. Rejects with `HistoryBehind`. */
  static async open(parts: Parts, accountId: number, month: Month): Promise<StatementReading> {
    const { view, history } = parts;
    const { seq } = view;
    // Read before the first `await`, so that the balances are as of entry `seq`.
    const now = month.isOver ? undefined : balancesNow(view, accountId);
    const bounds = await history.query(seq, "statementBounds", { accountId, ...month, lastSeq: seq });
    return new StatementReading(parts, { accountId, month, seq }, bounds, now ?? balancesOf(bounds.closing));
  }

  /** The postings, page by page. Rejects at the end if they do not add up to the closing balances. */
  async *pages(): AsyncGenerator<Posting[]> {
    const { fromSeq, endSeq } = this.#bounds;
    for (let next: number | null = fromSeq; next !== null && next < endSeq; ) {
      const asked = { accountId: this.accountId, fromSeq: next, endSeq };
      const page: Rows<"statementPage"> = await this.#parts.history.query(this.#seq, "statementPage", asked);
      if (page.moves.length > 0) yield page.moves.map((move) => this.#line(move));
      next = page.nextSeq;
    }
    this.#check();
  }

  // The totals and sums below are valid only after the last page.

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

  #line({ seq, place, timeMs, assetId, bucket, amount, reason }: StatementMove): Posting {
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

/** The columns of the file. Their order must not change. */
const COLUMNS = ["id", "time", "asset", "bucket", "amount", "reason", "balanceAfter"] as const;

async function* jsonStatement(reading: StatementReading): AsyncGenerator<Buffer> {
  const { accountId, month, opening } = reading;
  const head = { month: month.text, accountId, fromMs: month.fromMs, untilMs: month.untilMs, opening };
  let before = `${JSON.stringify(head).slice(0, -1)},"postings":[`;
  for await (const lines of reading.pages()) {
    yield Buffer.from(before + lines.map((line) => JSON.stringify(line)).join(","));
    before = ",";
  }
  const { closing, sums, proof } = reading;
  yield Buffer.from(`${before === "," ? "" : before}],${JSON.stringify({ closing, sums, proof }).slice(1)}\n`);
}

/**
 * The CSV file begins with the opening balances, and ends with the closing balances and the root of the newest proof.
 */
async function* csvStatement(reading: StatementReading): AsyncGenerator<Buffer> {
  const { month, opening } = reading;
  yield Buffer.from(csvLine(COLUMNS) + balances(opening, "opening", month.fromMs));
  for await (const lines of reading.pages()) {
    yield Buffer.from(
      csvLines(
        lines.map((line) => ({ ...line, time: timeText(line.timeMs) })),
        COLUMNS,
      ),
    );
  }
  yield Buffer.from(balances(reading.closing, "closing", month.untilMs - 1) + rootOf(reading));
}

/** The proof's root. A customer who keeps the statement can prove which root the exchange had published. */
function rootOf({ proof }: StatementReading): string {
  if (proof === null) return "";
  const { number, root, publishedMs } = proof;
  return csvLines([{ id: root, time: timeText(publishedMs), reason: `root of proof ${number}` }], COLUMNS);
}

function balances(totals: readonly StatementTotal[], reason: string, timeMs: number): string {
  const rows = totals.flatMap(({ asset, free, locked }) => [
    { time: timeText(timeMs), asset, bucket: "free", reason, balanceAfter: free },
    { time: timeText(timeMs), asset, bucket: "locked", reason, balanceAfter: locked },
  ]);
  return csvLines(rows, COLUMNS);
}

const timeText = (timeMs: number): string => new Date(timeMs).toISOString();

const querySchema = z.strictObject({
  ...ofAccount,
  /** A month in UTC, such as 2026-10. */
  month: z.string().regex(/^20[0-9]{2}-(?:0[1-9]|1[0-2])$/, "a month, as 2026-10"),
  format: z.enum(["json", "csv"]).default("json"),
});

async function statement(asked: Own<z.ZodType, typeof querySchema>, parts: CustomerParts): Promise<Answer> {
  const { account, month, format } = asked.query;
  const { accountId } = ownAccount(parts, asked, account);
  const span = monthOf(month, asked.nowMs);
  const giveBack = parts.statements.take(asked.holder);
  if (giveBack === undefined) throw rejected("STATEMENT_BUSY", undefined, 1);
  try {
    const reading = await StatementReading.open(parts, accountId, span);
    const stream = withEnd(format === "csv" ? csvStatement(reading) : jsonStatement(reading), giveBack);
    if (format === "json") return { status: 200, body: "", stream };
    return { ...streamed(stream, CSV_TYPE), fileName: `statement-${accountId}-${month}.csv` };
  } catch (error) {
    giveBack();
    throw error;
  }
}

/** Parses a month. Throws `Rejection` if it has not begun or has ended only just now. */
function monthOf(text: string, nowMs: number): Month {
  const [year = 0, month = 0] = text.split("-").map(Number);
  const [fromMs, untilMs] = [Date.UTC(year, month - 1), Date.UTC(year, month)];
  if (fromMs > nowMs) throw rejected("BAD_REQUEST", "The request is invalid: month: it has not begun.");
  const isOver = untilMs <= nowMs;
  if (isOver && nowMs < untilMs + STATEMENT_LIMITS.settleMs) throw rejected("STATEMENT_NOT_READY");
  return { text, fromMs, untilMs, isOver };
}

export const STATEMENT_ROUTES: readonly AccountRoute[] = [
  ownRoute({
    endpoint: "GET /statement",
    weight: STATEMENT,
    summary: "Returns every posting of a month, with opening and closing balances.",
    answer: ANSWERS.statement,
    answers: "`opening`, `postings`, `closing`, `sums`; or a file.",
    types: ["application/json", CSV_TYPE],
    query: querySchema,
    handle: statement,
  }),
];
