/** Commands for assets and symbols. */
import { SELF_TRADE_PREVENTION_MODES, SYMBOL_STATUSES } from "@pricetime/engine";
import { filtersOf } from "../../../platform/config/interface-filters.ts";
import { command, group } from "../session/command-row.ts";
import type { Session } from "../session/session.ts";
import type { Row } from "../session/terminal.ts";
import { BODY, choices, document, listed, momentOf, number, readDocument, span } from "../session/values.ts";
import type { ImportOptions } from "./symbol-import.ts";

const ACCEPT_ROUNDING = "Accept that rounding to one unit of the quote asset is a large part of the smallest trade";

export const ASSET = group(
  "asset",
  "Show and add assets, and set their networks.",
  command("list", "GET /v1/assets").text("List all assets.").columns("asset", "name", "precision"),
  command("add <asset>", "POST /v1/assets")
    .text("Add an asset.")
    .required("--name <name>", "Full name, such as Bitcoin")
    .option("--precision <decimals>", "Decimal places of the ledger (default: 8)", number),
  command("networks <asset>", "GET /v1/assets/:asset")
    .calls("PUT /v1/assets/:asset/networks", "file")
    .text("Show an asset's networks, or replace them by a file (- for stdin).")
    .argument("[file]", "", document())
    .answer(({ networks }: Row) => networks)
    .columns(
      ...["network", "isDefault", "depositEnabled", "withdrawEnabled"],
      ...["withdrawFee", "withdrawMin", "withdrawStep", "depositStep"],
    ),
);

export const SYMBOL = group(
  "symbol",
  "Show, add, import, halt and delist symbols; set filters.",
  command("list", "GET /v1/symbols")
    .text("List all symbols and their status.")
    .columns("symbol", "status", "baseAsset", "quoteAsset"),
  command("import <file>")
    .text("List the symbols and assets of an exchangeInfo response in a file (- for stdin).")
    .option("--only <symbols>", "Only these symbols, such as BTCUSDT,ETHUSDT", listed)
    .option("--accept-rounding", "Also list symbols whose rounding is too coarse (acceptRounding)")
    .option("--dry-run", "Show what would be listed, and list nothing")
    .runs(async (session, options: ImportOptions) =>
      (await import("./symbol-import.ts")).importSymbols(session, options),
    ),
  command("end-orders <symbol> <why>", "POST /v1/symbols/:symbol/open-orders/end").text(
    "End all open orders of a halted symbol, in steps.",
  ),
  command("delist <symbol>", "PUT /v1/symbols/:symbol/delisting")
    .text("Schedule the delisting of a symbol, or move it to another time.")
    .argument("<time>", "Time of the delisting: ISO 8601, or milliseconds since 1970", {
      parse: momentOf,
      field: "atMs",
    })
    .argument("<why>", ""),
  command("withdraw-delisting <symbol> <why>", "POST /v1/symbols/:symbol/delisting/withdraw").text(
    "Cancel a scheduled delisting.",
  ),
  command("preview-filters <symbol>", "POST /v1/symbols/:symbol/filters/preview")
    .text("List open orders that the filters in a file (- for stdin) would reject. Changes nothing.")
    .argument("<file>", "", document()),
  command("add", "POST /v1/symbols")
    .text("Add a symbol from a YAML or JSON file (- for stdin).")
    .argument("<file>", "", document())
    .option("--accept-rounding", ACCEPT_ROUNDING)
    .answer(warned),
  command("status <symbol>", "PUT /v1/symbols/:symbol/status")
    .text(
      "Set the status of a symbol: TRADING opens it, HALT halts it, CANCEL_ONLY only lets orders be canceled and amended.",
    )
    .argument("<status>", "New status", choices(...SYMBOL_STATUSES)),
  command("self-trade-prevention <symbol>", "PUT /v1/symbols/:symbol/self-trade-prevention")
    .text("Set the default mode of self-trade prevention of a symbol, and the modes that orders may have.")
    .argument("<default-mode>", "Mode of orders that name none", {
      ...choices(...SELF_TRADE_PREVENTION_MODES),
      field: "defaultMode",
    })
    .argument("<allowed-modes>", "Modes that orders may name, such as EXPIRE_MAKER,DECREMENT", {
      ...listed,
      field: "allowedModes",
    }),
  command("price-range <symbol>", "GET /v1/symbols/:symbol")
    .calls(
      "PUT /v1/symbols/:symbol/price-range",
      ...["buyUp", "buyDown", "sellUp", "sellDown", "buckets", "bucketWidth"],
    )
    .calls("DELETE /v1/symbols/:symbol/price-range", "remove")
    .text(
      "Show, set or remove the price range of a symbol: an order that would trade beyond it expires. Omitted options keep their values.",
    )
    .option("--buy-up <multiple>", "Highest price of a BUY, as a multiple of the reference price", {
      field: "bidLimitMultUp",
    })
    .option("--buy-down <multiple>", "Lowest price of a BUY", { field: "bidLimitMultDown" })
    .option("--sell-up <multiple>", "Highest price of a SELL", { field: "askLimitMultUp" })
    .option("--sell-down <multiple>", "Lowest price of a SELL", { field: "askLimitMultDown" })
    .option("--buckets <count>", "Number of buckets of the reference price (default: 30)", {
      ...number,
      field: "bucketCount",
    })
    .option("--bucket-width <duration>", "Width of a bucket, such as 10s (default: 1m)", {
      ...span,
      field: "bucketWidthMs",
    })
    .option("--remove", "Remove the price range")
    .keeps(({ priceRange }: { priceRange?: object }) => priceRange)
    .answer(({ priceRange }: Row) => priceRange ?? {}),
  command("fees <symbol>", "GET /v1/symbols/:symbol/fees").text(
    "Show the default fee rates of a symbol, and the accounts with other rates.",
  ),
  command("filters <symbol>", "GET /v1/symbols/:symbol")
    .calls("PUT /v1/symbols/:symbol/filters", "file")
    .text("Show a symbol's filters, or replace all of them by a file (- for stdin).")
    .argument("[file]", "", { field: BODY, convert: (path: string) => filtersOf(readDocument(path)) })
    .option("--accept-rounding", ACCEPT_ROUNDING)
    .answer((answer: Row, session) => warned(answer, session)["filters"]),
);

/** Prints the warnings of an answer on standard error and returns the other fields. */
function warned({ warnings = [], ...row }: Row, { terminal }: Session): Row {
  for (const warning of warnings as readonly string[]) terminal.complain(`pricetime: warning: ${warning}`);
  return row;
}
