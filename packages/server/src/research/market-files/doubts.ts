/**
 * Collects anomalies in well-formed files. Public archives have had days on which every row had the same side, gaps,
 * candles cut short by an outage, and duplicate candles. The files are used anyway, and the anomalies are reported.
 */
import { basename } from "node:path";
import type { Side } from "@pricetime/engine";
import { type CandleRow, MARKET_FILE_LIMITS, slotsBetween, type TradeRow } from "./rows.ts";

interface Sides {
  readonly path: string;
  /** The taker side of all trades so far; null if there are trades of both sides. */
  side: Side | null;
  trades: number;
}

/** Kinds of anomalies, in the order in which they are reported. */
const KINDS = ["missing candles", "missing trades", "cut short", "shifted", "repeated"] as const;
type Kind = (typeof KINDS)[number];

const SENTENCES: Readonly<Record<Kind, (count: number) => string>> = {
  "missing candles": (count) => {
    return count === 1 ? "a candle is missing before it" : `${count} candles are missing before it and further on`;
  },
  "missing trades": (count) => {
    const what = count === 1 ? "a trade is missing before it" : `${count} trades are missing before it and further on`;
    return `${what}, by their ids`;
  },
  "cut short": (count) => counted(count, "closes before its interval ends", "close before their intervals end"),
  shifted: (count) => counted(count, "opens within its interval, not at its beginning", "open within their intervals"),
  repeated: (count) => counted(count, "is there twice, and counts once", "are there twice, and count once"),
};

interface Counted {
  /** The line of the first anomaly of the kind. */
  readonly line: number;
  count: number;
}

interface OfFile {
  readonly path: string;
  readonly counts: Map<Kind, Counted>;
}

export class Doubts {
  /** The taker sides of each file. */
  readonly #sides: Sides[] = [];
  readonly #files: OfFile[] = [];
  #last: CandleRow | undefined;
  #lastId: number | undefined;

  trade({ takerSide, firstId, lastId, line }: TradeRow, path: string): void {
    const now = this.#sides.at(-1);
    if (now?.path !== path) this.#sides.push({ path, side: takerSide, trades: 1 });
    else {
      now.trades++;
      if (now.side !== takerSide) now.side = null;
    }
    const before = this.#lastId;
    this.#lastId = lastId;
    if (before === undefined || firstId === undefined) return;
    this.#count("missing trades", { path, line }, firstId - before - 1);
  }

  candle(row: CandleRow, path: string): void {
    const last = this.#last;
    this.#last = row;
    const place = { path, line: row.line };
    if (row.oddity !== null) this.#count(row.oddity, place, 1);
    if (last === undefined || row.interval === undefined) return;
    this.#count("missing candles", place, slotsBetween(row.interval, last.slotMs, row.slotMs));
  }

  /** Counts a row that is equal to the previous one. */
  repeated({ line }: CandleRow, path: string): void {
    this.#count("repeated", { path, line }, 1);
  }

  /** The report: one sentence per file and kind. */
  get told(): string[] {
    const { leastDoubtedTrades } = MARKET_FILE_LIMITS;
    const oneSided = this.#sides.filter(({ side, trades }) => side !== null && trades >= leastDoubtedTrades);
    return [
      ...oneSided.map(({ path, side, trades }) => {
        const flag = side === "SELL" ? "true" : "false";
        return `${basename(path)}: isBuyerMaker is ${flag} in each of ${trades} rows: sides are hardly right`;
      }),
      ...this.#files.flatMap(({ path, counts }) =>
        KINDS.flatMap((kind) => {
          const { line, count } = counts.get(kind) ?? { line: 0, count: 0 };
          return count === 0 ? [] : [`${basename(path)}, line ${line}: ${SENTENCES[kind](count)}`];
        }),
      ),
    ];
  }

  #count(kind: Kind, { path, line }: { readonly path: string; readonly line: number }, count: number): void {
    if (count <= 0) return;
    let now = this.#files.at(-1);
    if (now?.path !== path) {
      now = { path, counts: new Map() };
      this.#files.push(now);
    }
    const counted = now.counts.get(kind);
    if (counted === undefined) now.counts.set(kind, { line, count });
    else counted.count += count;
  }
}

function counted(count: number, one: string, many: string): string {
  return count === 1 ? `a candle ${one}` : `${count} candles, this one and further on, ${many}`;
}
