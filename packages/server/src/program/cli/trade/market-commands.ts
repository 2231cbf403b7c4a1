/** The commands that show a market: its book and its trades. */
import type { Command } from "commander";
import { moment } from "../session/cell.ts";
import type { Row } from "../session/output.ts";
import { marketAction, symbolName } from "../session/rest-session.ts";
import { wholeNumber } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

type Level = readonly [price: string, quantity: string];

interface Book {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

interface Trade {
  readonly id: number;
  readonly price: string;
  readonly qty: string;
  readonly time: number;
  readonly isBuyerMaker?: boolean;
  readonly isBuyer?: boolean;
  readonly commission?: string;
  readonly commissionAsset?: string;
}

export function addMarketCommands(program: Command, terminal: Terminal): void {
  const book = program.command("book <symbol>").description("Show the order book of a symbol, asks above bids.");
  book.option("--levels <count>", "Price levels per side", wholeNumber, 10);
  marketAction(book, terminal, async ({ rest, output }, [symbol], { levels }) => {
    const shown = Math.max(1, Math.min(Number(levels), 5000));
    const answer = await rest.ask<Book>("/api/v3/depth", { symbol: symbolName(symbol), limit: depthLimit(shown) });
    if (output.isJson) return output.one(answer as unknown as Row);
    const row =
      (side: string) =>
      ([price, quantity]: Level): Row => ({ side, price, quantity });
    const rows = [
      ...answer.asks.slice(0, shown).reverse().map(row("ask")),
      ...answer.bids.slice(0, shown).map(row("bid")),
    ];
    output.rows(rows, ["side", "price", "quantity"]);
  });
  const trades = program.command("trades <symbol>").description("List recent trades of a symbol, newest first.");
  trades.option("--limit <count>", "Maximum number of trades", wholeNumber, 20);
  trades.option("--mine", "Only your account's trades");
  marketAction(trades, terminal, async ({ rest, output }, [symbol], { limit, mine }) => {
    const asked = { symbol: symbolName(symbol), limit: Math.max(1, Math.min(Number(limit), 1000)) };
    const found =
      mine === true
        ? await rest.signed<Trade[]>("GET", "/api/v3/myTrades", asked)
        : await rest.ask<Trade[]>("/api/v3/trades", asked);
    const newest = found.toReversed();
    if (output.isJson) return output.rows(newest as unknown as Row[], []);
    const columns = ["time", "side", "price", "quantity"];
    output.rows(newest.map(tradeRow), mine === true ? [...columns, "fee", "orderId"] : columns);
  });
}

/** A row with the taker's side; for a trade of the account, with its side. */
function tradeRow({ time, price, qty, isBuyerMaker, isBuyer, commission, commissionAsset, ...rest }: Trade): Row {
  const isBuy = isBuyer ?? isBuyerMaker === false;
  const fee = commission === undefined ? "" : `${commission} ${commissionAsset}`;
  return { ...rest, time: moment(time), side: isBuy ? "BUY" : "SELL", price, quantity: qty, fee };
}

/** Returns the smallest limit of the API that includes these levels. */
function depthLimit(levels: number): number {
  return [5, 10, 20, 50, 100, 500, 1000, 5000].find((limit) => limit >= levels) ?? 5000;
}
