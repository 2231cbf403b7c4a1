/**
 * Extracts rows from a journal by replaying it from its first entry, with the same checks as at a start. Reads only the
 * journal, and holds only the current state in memory. docs/decisions/0056.
 */
import { type Column, CsvWriter, ParquetTable, type RowSink } from "../market-files/write-table.ts";
import { bookLevelColumns, BookLevelRows, bookOrderColumns, BookOrderRows, LobsterRows } from "./book-rows.ts";
import { candleColumns, CandleRows } from "./candle-rows.ts";
import { CANDLE_LAYOUTS, type Extractor, ExtractRefused, type ExtractRequest, type ListedSymbol } from "./request.ts";
import { LEDGER_COLUMNS, LedgerRows } from "./ledger-rows.ts";
import { orderColumns, OrderRows } from "./order-rows.ts";
import { tradeColumns, TradeRows } from "./trade-rows.ts";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { checkAbsent, OutputFile, OutputRefused } from "../market-files/output-file.ts";
import { Engine, type EngineView, type Event } from "@pricetime/engine";
import { EMPTY_HEAD, headAfter, type JournalReader } from "../../journal/port.ts";
import { replayBatch } from "../../journal/replica/recover.ts";
import { type Dice, randomUint32 } from "../../platform/world/port.ts";

// Creates the extractor of a symbol with its output file.

function symbolExtractor(request: ExtractRequest, listed: ListedSymbol, outputs: Outputs): Extractor {
  if (request.format === "lobster") return new LobsterRows(listed, request, (name) => outputs.create(name));
  const { symbol } = listed.market.spec;
  const into = (columns: readonly Column[]) => () => sinkFor(request, symbol, columns, outputs);
  switch (request.subject) {
    case "orders":
      return new OrderRows(listed, request, into(orderColumns(listed, request)));
    case "trades":
      return new TradeRows(listed, request, into(tradeColumns(listed, request)));
    case "candles": {
      const layout = CANDLE_LAYOUTS.find((each) => each === request.layout) ?? "full";
      const options = { ...request, layout };
      return new CandleRows(listed, options, (scale) => into(candleColumns(listed, options, scale))());
    }
    default:
      return request.by === "order"
        ? new BookOrderRows(listed, request, into(bookOrderColumns(listed, request)))
        : new BookLevelRows(listed, request, into(bookLevelColumns(listed)));
  }
}

function ledgerExtractor(request: ExtractRequest, outputs: Outputs): Extractor {
  return new LedgerRows(request, () => sinkFor(request, "", LEDGER_COLUMNS, outputs));
}

function sinkFor(request: ExtractRequest, symbol: string, columns: readonly Column[], outputs: Outputs): RowSink {
  const file = outputs.create(outputs.nameFor(symbol));
  if (request.format === "parquet") return new ParquetTable(file, columns, "pricetime");
  return new CsvWriter(file, columns, { hasHeader: request.layout === "full" });
}

// The output files of an extract: either all are finished or none is.

class Outputs {
  readonly #request: ExtractRequest;
  readonly #files: OutputFile[] = [];

  constructor(request: ExtractRequest) {
    this.#request = request;
  }

  get paths(): string[] {
    return this.#files.map(({ path }) => path);
  }

  /** Throws `OutputRefused` if an output file already exists. Called before any work is done. */
  check(): void {
    const { out, overwrite, subject, symbols, format } = this.#request;
    if (out !== undefined) checkAbsent(out, overwrite);
    else if (subject === "ledger") checkAbsent(this.#pathOf(this.nameFor("")), overwrite);
    else if (format !== "lobster") {
      for (const symbol of symbols) checkAbsent(this.#pathOf(this.nameFor(symbol)), overwrite);
    }
  }

  /** The file name of a symbol, such as `BTCUSDT-candles-1m.csv`. */
  nameFor(symbol: string): string {
    const { subject, format, by, interval, layout } = this.#request;
    const kinds = { book: `book-by-${by}`, candles: `candles-${interval}`, ledger: "ledger", orders: "orders" };
    const trades = layout === "archive-agg" ? "aggTrades" : "trades";
    const kind = subject === "trades" ? trades : kinds[subject];
    return `${symbol === "" ? "" : `${symbol}-`}${kind}.${format}`;
  }

  /** Creates a file with this name, or with the name that the request gives. Throws `OutputRefused`. */
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

export interface Extracted {
  readonly rows: number;
  /** The last entry that was replayed. */
  readonly seq: number;
  readonly files: readonly string[];
  /** Requested symbols for which there are no rows. */
  readonly without: readonly string[];
}

/** Called after each batch with the last replayed entry and the journal's last entry. */
export type OnStep = (seq: number, lastSeq: number) => void;

interface ExtractOptions {
  /** Creates the key of the engine's hash tables, which affects no row. */
  readonly dice: Dice;
  readonly onStep?: OnStep;
}

/**
 * Throws `ExtractRefused` for a symbol that was never listed or a range without rows, `OutputRefused`, or
 * `JournalDamaged`. If it throws, it leaves no files behind.
 */
export function extract(journal: JournalReader, request: ExtractRequest, options: ExtractOptions): Extracted {
  const outputs = new Outputs(request);
  outputs.check();
  try {
    const replayed = replay(journal, request, outputs, options);
    outputs.finish();
    return { ...replayed, files: outputs.paths };
  } catch (error) {
    outputs.abandon();
    throw error;
  }
}

function replay(
  journal: JournalReader,
  request: ExtractRequest,
  outputs: Outputs,
  { dice, onStep = () => {} }: ExtractOptions,
): Omit<Extracted, "files"> {
  const isLedger = request.subject === "ledger";
  const extractors = new Extractors(request, outputs);
  const engine = new Engine({ hashSeed: randomUint32(dice), recordPostings: isLedger });
  const { lastSeq } = journal.head();
  let [firstMs, lastMs] = [0, 0];
  let isCut = false;
  for (const batch of journal.after(EMPTY_HEAD)) {
    // A node may be writing to the journal. Entries after the start of the extract are not included.
    isCut = batch.timeMs >= request.toMs;
    if (isCut || batch.firstSeq > lastSeq) break;
    firstMs ||= batch.timeMs;
    lastMs = batch.timeMs;
    replayBatch(engine, batch, (entry, events) => {
      extractors.list(events, engine);
      for (const extractor of extractors.all) extractor.take(entry, events, engine, engine.postings);
    });
    onStep(headAfter(batch).lastSeq, lastSeq);
  }
  if (!isCut) journal.checkEnd();
  for (const extractor of extractors.all) extractor.end(isCut ? request.toMs : lastMs);
  if (engine.seq === 0) throw new ExtractRefused("The journal has no entry before this time.");
  extractors.checkListed(engine);
  const rows = extractors.all.reduce((sum, each) => sum + each.rows, 0);
  if (rows === 0) throw new ExtractRefused(nothingFound(request, firstMs, lastMs));
  return { rows, seq: engine.seq, without: extractors.without() };
}

/** The extractors of the symbols, each created at the symbol's listing; or the extractor of the ledger. */
class Extractors {
  readonly #request: ExtractRequest;
  readonly #outputs: Outputs;
  readonly #bySymbol = new Map<string, Extractor>();
  readonly all: Extractor[] = [];

  constructor(request: ExtractRequest, outputs: Outputs) {
    this.#request = request;
    this.#outputs = outputs;
    if (request.subject === "ledger") this.all.push(ledgerExtractor(request, outputs));
  }

  list(events: readonly Event[], engine: EngineView): void {
    for (const event of events) {
      if (event.type !== "symbolListed") continue;
      const market = engine.market(event.symbolId);
      const { symbol } = market.spec;
      if (!this.#request.symbols.includes(symbol)) continue;
      const extractor = symbolExtractor(this.#request, { market, engine }, this.#outputs);
      this.#bySymbol.set(symbol, extractor);
      this.all.push(extractor);
    }
  }

  checkListed(engine: EngineView): void {
    const unknown = this.#request.symbols.filter((symbol) => !this.#bySymbol.has(symbol));
    if (unknown.length === 0) return;
    const listed = engine.markets().map(({ spec }) => spec.symbol);
    const some = listed.length === 0 ? "none" : listed.slice(0, MOST_NAMED).join(", ");
    const rest = listed.length > MOST_NAMED ? ` and ${listed.length - MOST_NAMED} more` : "";
    throw new ExtractRefused(`No symbol ${unknown.join(", ")} was listed at that time. Listed: ${some}${rest}.`);
  }

  without(): string[] {
    return [...this.#bySymbol].filter(([, { rows }]) => rows === 0).map(([symbol]) => symbol);
  }
}

/** Maximum number of symbols named in an error. */
const MOST_NAMED = 20;

function nothingFound({ subject, symbols }: ExtractRequest, firstMs: number, lastMs: number): string {
  const of = symbols.length === 0 ? "" : ` of ${symbols.join(", ")}`;
  const reach = `from ${new Date(firstMs).toISOString()} to ${new Date(lastMs).toISOString()}`;
  return `There are no ${subject}${of} in this period. The journal that was read is ${reach}.`;
}
