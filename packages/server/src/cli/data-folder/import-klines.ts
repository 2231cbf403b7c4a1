/** `pricetime history import-klines`: imports recorded candles for the time before a symbol's first trade. */
import type { Command } from "commander";
import { type ImportedCandle, MAX_CANDLES_A_COMMAND, type PastInterval } from "@pricetime/engine";
import type { Connection } from "../session/connection.ts";
import { CommandFailed } from "../session/failure.ts";
import { type FileCandle, readKlines } from "./kline-files.ts";
import { action, escape } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

interface Past {
  readonly interval: string | null;
  readonly firstMs: number | null;
  readonly endMs: number | null;
}

const DESCRIPTION = `import recorded candles of before the symbol's first trade, from files as the parent publishes
them, CSV or ZIP (-: CSV from stdin), the oldest first; what is there already is left out, so it can be run again`;

/** Adds `import-klines` to the `history` command. */
export function addImportKlines(history: Command, terminal: Terminal): void {
  const command = history.command("import-klines <symbol> <files...>").description(DESCRIPTION.replaceAll("\n", " "));
  action(command, terminal, async ({ connection, output }, [symbol = "", files]) => {
    const importing = new Importing(connection, symbol);
    await importing.begin();
    for (const file of files as unknown as readonly string[]) {
      for await (const candle of readKlines(file)) await importing.take(candle);
    }
    await importing.send();
    output.one(importing.told());
  });
}

class Importing {
  readonly #connection: Connection;
  readonly #symbol: string;
  readonly #path: string;
  #past: Past = { interval: null, firstMs: null, endMs: null };
  /** The end of the candles that were there before this run. */
  #knownMs = 0;
  #lastMs = -1;
  #interval: PastInterval | undefined;
  #batch: ImportedCandle[] = [];
  /** The place of each candle of the batch in its file. */
  #places: string[] = [];
  #imported = 0;
  #leftOut = 0;

  constructor(connection: Connection, symbol: string) {
    this.#connection = connection;
    this.#symbol = symbol;
    this.#path = `/v1/symbols/${escape(symbol)}/past`;
  }

  async begin(): Promise<void> {
    this.#past = await this.#connection.call<Past>("GET", this.#path);
    if (this.#past.interval === "generated") {
      throw new CommandFailed(`${this.#symbol} has a generated past: candles are imported for a symbol without one`);
    }
    this.#knownMs = this.#past.endMs ?? 0;
  }

  async take({ candle, interval, where }: FileCandle): Promise<void> {
    const [openMs] = candle;
    if (openMs <= this.#lastMs) throw new CommandFailed(`${where}: it opens before the candle before it`);
    const known = this.#past.interval ?? this.#interval;
    if (known !== undefined && known !== interval) {
      throw new CommandFailed(`${where}: a candle of ${interval}; those of ${this.#symbol} are of ${known}`);
    }
    this.#lastMs = openMs;
    this.#interval = interval;
    if (openMs < this.#knownMs) {
      // Candles may not come before existing ones, but the first existing one may also be the first of the file.
      if (openMs < (this.#past.firstMs ?? 0)) {
        throw new CommandFailed(
          `${where}: it opens before the candles that ${this.#symbol} has: import the oldest first`,
        );
      }
      this.#leftOut++;
      return;
    }
    this.#batch.push(candle);
    this.#places.push(where);
    if (this.#batch.length === MAX_CANDLES_A_COMMAND) await this.send();
  }

  async send(): Promise<void> {
    const candles = this.#batch;
    if (candles.length === 0) return;
    const places = this.#places;
    this.#batch = [];
    this.#places = [];
    try {
      this.#past = await this.#connection.call<Past>("POST", this.#path, { interval: this.#interval, candles });
    } catch (error) {
      throw located(error, places);
    }
    this.#imported += candles.length;
  }

  told(): Readonly<Record<string, unknown>> {
    const { interval, firstMs, endMs } = this.#past;
    const time = (timeMs: number | null): string | null => (timeMs === null ? null : new Date(timeMs).toISOString());
    const counts = { imported: this.#imported, thereAlready: this.#leftOut };
    return { symbol: this.#symbol, interval, ...counts, from: time(firstMs), until: time(endMs) };
  }
}

/** The node names a candle by its place in the request; the user needs its line. */
function located(error: unknown, places: readonly string[]): unknown {
  if (!(error instanceof CommandFailed)) return error;
  const [, place, why] = /^candles\.([0-9]+) \([^)]*\): (.*)$/s.exec(error.message) ?? [];
  const said = place === undefined ? `${places[0]}, and those after it: ${error.message}` : undefined;
  return new CommandFailed(said ?? `${places[Number(place)]}: ${why}`, { cause: error });
}
