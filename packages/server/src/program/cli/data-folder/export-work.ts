/** The implementation of `export`. Loaded only when the command runs, because only exports write Parquet. */
import { extract } from "../../../research/extract/extract.ts";
import { type ExtractRequest, MAX_SYMBOLS_AT_ONCE } from "../../../research/extract/request.ts";
import { openReader } from "../../../journal/storage/open-journal.ts";
import { MACHINE } from "../../../platform/world/machine.ts";
import { folderOf, progress, told } from "./folder-work.ts";
import { CommandFailed, createOutput, type Terminal } from "../session/terminal.ts";

export interface ExportOptions extends Partial<Omit<ExtractRequest, "symbols" | "fromMs" | "toMs" | "withAccounts">> {
  readonly subject: ExtractRequest["subject"];
  readonly symbol?: readonly string[];
  readonly from?: number;
  readonly to?: number;
  readonly accounts?: boolean;
  readonly data?: string;
  readonly json?: boolean;
}

export async function exportRows({ data, json = false, ...options }: ExportOptions, terminal: Terminal): Promise<void> {
  const request = requestOf(options);
  const { paths } = folderOf(data, terminal);
  const { files, rows, seq, without } = await told(() => {
    const reader = openReader(paths.journal);
    try {
      return extract(reader, request, { dice: MACHINE, onStep: progress("replayed", terminal) });
    } finally {
      reader.close();
    }
  });
  for (const symbol of without) terminal.complain(`${symbol} has no ${request.subject} in this period.`);
  const print = request.out === "-" ? terminal.complain : terminal.print;
  createOutput(json, print).one({ rows, commands: seq, files: files.join(", ") });
}

function requestOf(options: ExportOptions): ExtractRequest {
  const { symbol: symbols = [], from: fromMs = 0, to: toMs = Number.POSITIVE_INFINITY, accounts, ...rest } = options;
  const request: ExtractRequest = {
    ...{ format: "csv", layout: "full", by: "level", interval: "1m", levels: 10 },
    ...rest,
    ...{ symbols: [...new Set(symbols)], fromMs, toMs, withAccounts: accounts === true },
    overwrite: rest.overwrite === true,
  };
  check(request);
  return request;
}

function check({ subject, symbols, fromMs, toMs, format, layout, out, toFolder }: ExtractRequest): void {
  const count = symbols.length;
  if (subject !== "ledger" && count === 0) throw new CommandFailed("Specify at least one symbol with --symbol.");
  if (count > MAX_SYMBOLS_AT_ONCE)
    throw new CommandFailed(`--symbol accepts at most ${MAX_SYMBOLS_AT_ONCE} symbols, not ${count}.`);
  if (toMs <= fromMs) throw new CommandFailed("--to must be after --from.");
  if ((out === undefined) === (toFolder === undefined)) {
    throw new CommandFailed("Specify either --out FILE or --to-folder FOLDER.");
  }
  if (out !== undefined && count > 1) throw new CommandFailed("--out takes one symbol. Use --to-folder for several.");
  if (out !== undefined && format === "lobster") {
    throw new CommandFailed("LOBSTER's format has three files a day. Use --to-folder instead of --out.");
  }
  if (layout !== "full" && format !== "csv") throw new CommandFailed("The archive layouts need --format csv.");
}
