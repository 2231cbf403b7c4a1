/** Compares history with the journal: its position, the number of orders and trades, and their totals. */
import { type JournalHead, openHistoryReadOnly, readPosition } from "@pricetime/server/data-folder";
import type { Findings } from "./findings.ts";

export interface Totals {
  orders: number;
  trades: number;
  /** The lots of all trades of all symbols. */
  lots: bigint;
  /** The executed lots of all orders. */
  executedLots: bigint;
}

export function checkHistory(path: string, head: JournalHead, totals: Totals, findings: Findings): void {
  const database = openHistoryReadOnly(path);
  const one = (sql: string): string => {
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    return String((statement.get() as { value: bigint }).value);
  };
  try {
    const position = readPosition(database);
    findings.compare("the last entry of history", position.seq, head.lastSeq);
    findings.compare("the chain of history", position.chainHash, head.chainHash);
    findings.compare("orders in history", one("SELECT count(*) AS value FROM orders"), String(totals.orders));
    findings.compare("trades in history", one("SELECT count(*) AS value FROM trades"), String(totals.trades));
    const sides = one(
      `SELECT count(*) AS value FROM trades
        JOIN orders AS taker ON taker.order_id = taker_order_id AND taker.account_id = taker_account_id
        JOIN orders AS maker ON maker.order_id = maker_order_id AND maker.account_id = maker_account_id`,
    );
    findings.compare("trades in history between orders of history", sides, String(totals.trades));
    const lots = one("SELECT coalesce(sum(lots), 0) AS value FROM trades");
    findings.compare("lots of trades in history", lots, String(totals.lots));
    const executed = one("SELECT coalesce(sum(executed_lots), 0) AS value FROM orders");
    findings.compare("lots of orders in history", executed, String(totals.executedLots));
  } finally {
    database.close();
  }
}
