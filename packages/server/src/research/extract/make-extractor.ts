/** Puts together what a request asks for: the rows of a symbol, and the file that they go to. */
import { CsvWriter } from "../market-files/csv/write-csv.ts";
import { ParquetTable } from "../market-files/parquet/write-parquet.ts";
import type { Column, RowSink } from "../market-files/table.ts";
import { BookLevelRows, bookLevelColumns } from "./book-level-rows.ts";
import { BookOrderRows, bookOrderColumns } from "./book-order-rows.ts";
import { candleColumns, CandleRows } from "./candle-rows.ts";
import type { Extractor, ListedSymbol } from "./extractor.ts";
import { LEDGER_COLUMNS, LedgerRows } from "./ledger-rows.ts";
import { LobsterRows } from "./lobster-rows.ts";
import { orderColumns, OrderRows } from "./order-rows.ts";
import type { Outputs } from "./outputs.ts";
import { CANDLE_LAYOUTS, type ExtractRequest } from "./request.ts";
import { tradeColumns, TradeRows } from "./trade-rows.ts";

export function symbolExtractor(request: ExtractRequest, listed: ListedSymbol, outputs: Outputs): Extractor {
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

export function ledgerExtractor(request: ExtractRequest, outputs: Outputs): Extractor {
  return new LedgerRows(request, () => sinkFor(request, "", LEDGER_COLUMNS, outputs));
}

function sinkFor(request: ExtractRequest, symbol: string, columns: readonly Column[], outputs: Outputs): RowSink {
  const file = outputs.create(outputs.nameFor(symbol));
  if (request.format === "parquet") return new ParquetTable(file, columns, "pricetime");
  return new CsvWriter(file, columns, { hasHeader: request.layout === "full" });
}
