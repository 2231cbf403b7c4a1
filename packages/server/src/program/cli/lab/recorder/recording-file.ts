/** The file of a recording while it is made: its lines, its gaps, and what was counted. */
import { createWriteStream, type WriteStream } from "node:fs";
import { once } from "node:events";
import { gapLine, headLine, recordedLine } from "../../../../research/market-files/recording/recording-lines.ts";
import { CommandFailed } from "../../session/failure.ts";
import type { Heard } from "./venue-streams.ts";

export interface Kept {
  readonly trades: number;
  readonly lines: number;
  /** How often nothing was heard for a while, and for how long in all. */
  readonly gaps: number;
  readonly gapMs: number;
  /** Trades that are not there, by the numbers of those that are. */
  readonly missedTrades: number;
}

export class RecordingFile {
  /** Rejects when the file cannot be written. */
  readonly failed: Promise<never>;
  readonly #file: WriteStream;
  readonly #kept = { trades: 0, lines: 0, gaps: 0, gapMs: 0, missedTrades: 0 };
  #gap: { readonly fromMs: number; readonly why: string } | undefined;
  #lastTrade: number | undefined;

  private constructor(path: string, file: WriteStream) {
    const failed = Promise.withResolvers<never>();
    this.failed = failed.promise;
    // It may fail when nobody waits any more.
    failed.promise.catch(() => {});
    this.#file = file;
    file.on("error", (error) => failed.reject(new CommandFailed(`${path}: ${error.message}`, { cause: error })));
  }

  /** An existing file is not overwritten. Throws `CommandFailed`. */
  static async create(path: string, venue: string, symbol: string): Promise<RecordingFile> {
    const file = createWriteStream(path, { flags: "wx" });
    const recording = new RecordingFile(path, file);
    await Promise.race([once(file, "open"), recording.failed]);
    file.write(`${headLine(venue, symbol)}\n`);
    return recording;
  }

  get kept(): Kept {
    return this.#kept;
  }

  keep(ms: number, stream: string, data: Heard): void {
    this.#write(recordedLine({ ms, stream, data }));
    const { e: event, t: id } = data;
    if (event !== "trade" || typeof id !== "number") return;
    this.#kept.trades++;
    if (this.#lastTrade !== undefined) this.#kept.missedTrades += Math.max(0, id - this.#lastTrade - 1);
    this.#lastTrade = id;
  }

  /** From now on nothing is heard. Answers whether this is news. */
  lose(fromMs: number, why: string): boolean {
    if (this.#gap !== undefined) return false;
    this.#gap = { fromMs, why };
    return true;
  }

  /** What was not heard is over, if anything was. Answers with its length. */
  goOn(toMs: number): number {
    const gap = this.#gap;
    if (gap === undefined) return 0;
    this.#gap = undefined;
    this.#write(gapLine({ ...gap, toMs }));
    this.#kept.gaps++;
    this.#kept.gapMs += toMs - gap.fromMs;
    return toMs - gap.fromMs;
  }

  async close(): Promise<void> {
    if (this.#file.destroyed) return;
    await new Promise<void>((resolve) => this.#file.end(() => resolve()));
  }

  #write(line: string): void {
    this.#file.write(`${line}\n`);
    this.#kept.lines++;
  }
}
