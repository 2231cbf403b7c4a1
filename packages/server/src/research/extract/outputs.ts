/** The files of an extract: all of them get their names at the end, or none does. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { checkAbsent, OutputFile, OutputRefused } from "../market-files/output-file.ts";
import type { ExtractRequest } from "./request.ts";

export class Outputs {
  readonly #request: ExtractRequest;
  readonly #files: OutputFile[] = [];

  constructor(request: ExtractRequest) {
    this.#request = request;
  }

  get paths(): string[] {
    return this.#files.map(({ path }) => path);
  }

  /** Throws `OutputRefused` when files that will be made are there already: before any work is done. */
  check(): void {
    const { out, overwrite, subject, symbols, format } = this.#request;
    if (out !== undefined) checkAbsent(out, overwrite);
    else if (subject === "ledger") checkAbsent(this.#pathOf(this.nameFor("")), overwrite);
    else if (format !== "lobster") {
      for (const symbol of symbols) checkAbsent(this.#pathOf(this.nameFor(symbol)), overwrite);
    }
  }

  /** The file of a symbol, for example `BTCUSDT-candles-1m.csv`. */
  nameFor(symbol: string): string {
    const { subject, format, by, interval, layout } = this.#request;
    const kinds = { book: `book-by-${by}`, candles: `candles-${interval}`, ledger: "ledger", orders: "orders" };
    const trades = layout === "archive-agg" ? "aggTrades" : "trades";
    const kind = subject === "trades" ? trades : kinds[subject];
    return `${symbol === "" ? "" : `${symbol}-`}${kind}.${format}`;
  }

  /** Makes a file of this name, or the one that was asked for. Throws `OutputRefused`. */
  create(name: string): OutputFile {
    const { out, overwrite } = this.#request;
    const file = new OutputFile(out ?? this.#pathOf(name), { overwrite });
    this.#files.push(file);
    return file;
  }

  finish(): void {
    for (const file of this.#files) file.finish();
  }

  abandon(): void {
    for (const file of this.#files) file.abandon();
  }

  #pathOf(name: string): string {
    const folder = this.#request.toFolder ?? ".";
    try {
      mkdirSync(folder, { recursive: true });
    } catch (error) {
      throw new OutputRefused(`${folder} cannot be created: ${(error as Error).message}`, { cause: error });
    }
    return join(folder, name);
  }
}
