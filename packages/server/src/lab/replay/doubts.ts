/**
 * What is strange about files that are well formed all the same: public archives have had days on which every row named
 * the same side, and candles with minutes missing. They are played; who reads the list is told.
 */
import { basename } from "node:path";
import type { Side } from "@pricetime/engine";
import type { CandleRow, TradeRow } from "../../market-files/rows.ts";
import { REPLAY_LIMITS } from "./limits.ts";

interface Sides {
  readonly path: string;
  /** The side of all takers so far; null: they differ. */
  side: Side | null;
  trades: number;
}

interface Gaps {
  readonly path: string;
  /** The line after the first gap. */
  readonly line: number;
  /** How many candles are missing in all. */
  missing: number;
}

export class Doubts {
  /** One of each file. */
  readonly #sides: Sides[] = [];
  readonly #gaps: Gaps[] = [];
  #last: CandleRow | undefined;

  trade({ takerSide }: TradeRow, path: string): void {
    const now = this.#sides.at(-1);
    if (now?.path !== path) this.#sides.push({ path, side: takerSide, trades: 1 });
    else {
      now.trades++;
      if (now.side !== takerSide) now.side = null;
    }
  }

  candle(row: CandleRow, path: string): void {
    const last = this.#last;
    this.#last = row;
    if (last === undefined) return;
    const missing = Math.round((row.timeMs - last.closeMs - 1) / (last.closeMs - last.timeMs + 1));
    if (missing <= 0) return;
    const now = this.#gaps.at(-1);
    if (now?.path === path) now.missing += missing;
    else this.#gaps.push({ path, line: row.line, missing });
  }

  /** One sentence of each file and kind. */
  get told(): string[] {
    const { leastDoubtedTrades } = REPLAY_LIMITS;
    const oneSided = this.#sides.filter(({ side, trades }) => side !== null && trades >= leastDoubtedTrades);
    return [
      ...oneSided.map(({ path, side, trades }) => {
        const flag = side === "SELL" ? "true" : "false";
        return `${basename(path)}: isBuyerMaker is ${flag} in each of ${trades} rows: sides are hardly right`;
      }),
      ...this.#gaps.map(({ path, line, missing }) => {
        const what = missing === 1 ? "a candle is missing" : `${missing} candles are missing`;
        return `${basename(path)}, line ${line}: ${what} before it${missing === 1 ? "" : " and further on"}`;
      }),
    ];
  }
}
