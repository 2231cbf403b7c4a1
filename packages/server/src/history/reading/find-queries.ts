/** Finds orders, trades, deposits and withdrawals by id, transaction or address. */
import {
  LIST_KINDS,
  ORDER_NUMBERS,
  ORDER_STATUSES,
  ORDER_TYPES,
  orderNumberOf,
  priceInEffect,
  SIDES,
  WITHDRAWAL_STATUSES,
  wordAt,
} from "@pricetime/engine";
import { depositStatus, moneyColumn } from "../table/columns.ts";
import type { HistoryTables } from "./history-tables.ts";
import { VENUE_LIMITS } from "./operator-queries.ts";
import { areOrdersBySymbol } from "./trading-queries.ts";

/** A search result. */
export interface Found {
  readonly kind: "order" | "orderList" | "trade" | "deposit" | "withdrawal" | "unknownDeposit" | "act";
  readonly id: string;
  /**
   * Null if there is no single account: a trade has two accounts, an operator action may concern none, and a deposit
   * may be unattributed.
   */
  readonly accountId: number | null;
  readonly label: string;
  readonly timeMs: number;
  readonly symbol?: string;
  readonly asset?: string;
  readonly network?: string;
  readonly status?: string;
}

const { maxSearched } = VENUE_LIMITS;
const ORDER = `SELECT order_id AS id, account_id AS accountId, symbol_id AS symbolId, side, type, status,
  price_ticks AS priceTicks, pegged_ticks AS peggedTicks, quantity_lots AS lots, client_order_id AS clientOrderId, time_ms AS timeMs FROM orders`;
const DEPOSIT = `SELECT deposit_id AS id, account_id AS accountId, asset_id AS assetId, network, tx_id AS txId,
  ${moneyColumn("amount", "amount")}, status, insert_time_ms AS timeMs`;
const WITHDRAWAL = `SELECT withdrawal_id AS id, account_id AS accountId, asset_id AS assetId, network, address,
  ${moneyColumn("amount", "amount")}, status, apply_time_ms AS timeMs`;
const UNKNOWN_DEPOSIT = `SELECT tx_id || ':' || output AS id, account_id AS accountId, network, coin, amount, reason,
  status, seen_ms AS timeMs`;

/** None of these statements sorts: each returns the first matches of its index, or of a scan from the newest row. */
export const FINDS = {
  orderById: `${ORDER} WHERE order_id = ?1 LIMIT ?2`,
  /** ?1: the number within the symbol. */
  orderBySymbol: `${ORDER} WHERE order_id IN (SELECT (symbol_id + 1) * ${ORDER_NUMBERS} + ?1 FROM symbols) LIMIT ?2`,
  orderByClientId: `${ORDER} INDEXED BY orders_by_client_id WHERE client_order_id = ?1
    ORDER BY account_id DESC, symbol_id DESC, order_id DESC LIMIT ?2`,
  orderListById: `SELECT order_list_id AS id, account_id AS accountId, symbol_id AS symbolId, is_done AS isDone,
    kind AS listKind, time_ms AS timeMs FROM order_lists WHERE order_list_id = ?1 LIMIT ?2`,
  tradeById: `SELECT trade_id AS id, symbol_id AS symbolId, price_ticks AS priceTicks, lots, time_ms AS timeMs,
    taker_account_id AS taker, maker_account_id AS maker
    FROM symbols CROSS JOIN trades USING (symbol_id) WHERE trade_id = ?1 LIMIT ?2`,
  depositByText: `${DEPOSIT} FROM (SELECT * FROM deposits ORDER BY deposit_id DESC LIMIT ${maxSearched})
    WHERE tx_id = ?1 OR address = ?1 LIMIT ?2`,
  withdrawalById: `${WITHDRAWAL} FROM withdrawals WHERE withdrawal_id = ?1 LIMIT ?2`,
  withdrawalByText: `${WITHDRAWAL} FROM (SELECT * FROM withdrawals ORDER BY seq DESC LIMIT ${maxSearched})
    WHERE tx_id = ?1 OR withdraw_order_id = ?1 OR address = ?1 LIMIT ?2`,
  unknownDepositBySeq: `${UNKNOWN_DEPOSIT} FROM unknown_deposits WHERE seq = ?1 LIMIT ?2`,
  unknownDepositByText: `${UNKNOWN_DEPOSIT} FROM (SELECT * FROM unknown_deposits ORDER BY seq DESC LIMIT ${maxSearched})
    WHERE tx_id = ?1 OR address = ?1 OR tx_id || ':' || output = ?1 LIMIT ?2`,
  actBySeq: `SELECT seq AS id, type, by, account_id AS accountId, outcome, time_ms AS timeMs
    FROM operator_acts WHERE seq = ?1 LIMIT ?2`,
};
/** A numeric id, optionally with a leading `#`. Ids are safe integers. */
const NUMBER = /^#?([0-9]{1,15})$/;

/** The columns of all statements. Each statement returns a subset. */
interface Row {
  readonly id: number | string;
  readonly accountId: number | null;
  readonly timeMs: number;
  readonly symbolId: number;
  readonly side: number;
  readonly type: number;
  readonly status: number;
  readonly priceTicks: number;
  readonly peggedTicks: number;
  readonly lots: number;
  readonly clientOrderId: string;
  readonly isDone: number;
  readonly listKind: number;
  readonly taker: number;
  readonly maker: number;
  readonly assetId: number;
  readonly network: string;
  readonly amount: string;
  readonly txId: string;
  readonly address: string;
}
/** In these columns, unattributed deposits have text where other rows have numbers. */
interface UnknownDepositRow extends Omit<Row, "status"> {
  readonly coin: string;
  readonly reason: string;
  readonly status: string;
}
interface ActRow extends Omit<Row, "type"> {
  readonly type: string;
  readonly by: string;
  readonly outcome: string;
}

export const findQueries = {
  /** Finds everything whose id, address or transaction is this text; at most `limit` rows of each kind. */
  find(tables: HistoryTables, { text, limit }: { readonly text: string; readonly limit: number }): Found[] {
    const rows = <T = Row>(sql: string, value: string | number | undefined): T[] =>
      value === undefined ? [] : tables.rows(sql, value, limit);
    const [, digits] = NUMBER.exec(text) ?? [];
    const number = digits === undefined ? undefined : Number(digits);
    const isBySymbol = areOrdersBySymbol(tables);
    const orderNumber = isBySymbol && number !== undefined && number >= ORDER_NUMBERS ? undefined : number;
    const orders = [
      ...rows(isBySymbol ? FINDS.orderBySymbol : FINDS.orderById, orderNumber),
      ...rows(FINDS.orderByClientId, text),
    ];
    const withdrawals = [...rows(FINDS.withdrawalById, text), ...rows(FINDS.withdrawalByText, text)];
    return [
      ...distinct(orders).map((row) => order(tables, row)),
      ...rows(FINDS.orderListById, number).map((row) => orderList(tables, row)),
      ...rows(FINDS.tradeById, number).map((row) => trade(tables, row)),
      ...rows(FINDS.depositByText, text).map((row) =>
        money(tables, "deposit", row, { by: row.txId, status: depositStatus(row.status) }),
      ),
      ...distinct(withdrawals).map((row) =>
        money(tables, "withdrawal", row, { by: row.address, status: WITHDRAWAL_STATUSES[row.status] ?? "" }),
      ),
      ...rows<UnknownDepositRow>(FINDS.unknownDepositBySeq, number).map(unknownDeposit),
      ...rows<UnknownDepositRow>(FINDS.unknownDepositByText, text).map(unknownDeposit),
      ...rows<ActRow>(FINDS.actBySeq, number).map(act),
    ];
  },
};

function order(tables: HistoryTables, { id, symbolId, side, type, status, lots, ...row }: Row): Found {
  const ticks = priceInEffect({ ...row, side: SIDES[side] ?? "BUY" });
  const at = ticks === 0 ? "" : ` at ${tables.price(symbolId, ticks)}`;
  const what = `${SIDES[side]} ${ORDER_TYPES[type]} ${tables.quantity(symbolId, lots)}${at}`;
  return {
    ...of("order", { ...row, id: orderNumberOf(Number(id)) }),
    symbol: tables.symbol(symbolId).symbol,
    label: `${what} (${row.clientOrderId})`,
    status: ORDER_STATUSES[status] ?? "",
  };
}

function orderList(tables: HistoryTables, row: Row): Found {
  const status = row.isDone === 1 ? "ALL_DONE" : "EXECUTING";
  const label = wordAt(LIST_KINDS, row.listKind);
  return { ...of("orderList", row), symbol: tables.symbol(row.symbolId).symbol, label, status };
}

function trade(tables: HistoryTables, { symbolId, priceTicks, lots, taker, maker, ...row }: Row): Found {
  const what = `${tables.quantity(symbolId, lots)} at ${tables.price(symbolId, priceTicks)}`;
  return {
    ...of("trade", { ...row, accountId: null }),
    symbol: tables.symbol(symbolId).symbol,
    label: `${what}: account ${taker} took from account ${maker}`,
  };
}

function money(
  tables: HistoryTables,
  kind: "deposit" | "withdrawal",
  row: Row,
  { by, status }: Record<"by" | "status", string>,
): Found {
  const { asset, amount } = tables.named(row);
  const label = `${amount} ${asset} ${kind === "deposit" ? "by" : "to"} ${by}`;
  return { ...of(kind, row), asset, network: row.network, label, status };
}

function of(
  kind: Found["kind"],
  { id, accountId, timeMs }: Pick<Row, "id" | "accountId" | "timeMs">,
): Pick<Found, "kind" | "id" | "accountId" | "timeMs"> {
  return { kind, id: String(id), accountId, timeMs };
}

function act({ type, by, outcome, ...row }: ActRow): Found {
  return { ...of("act", row), label: `${type} by ${by}`, status: outcome };
}

function unknownDeposit({ network, coin, amount, reason, status, ...row }: UnknownDepositRow): Found {
  return { ...of("unknownDeposit", row), network, label: `${amount} ${coin} unattributed (${reason})`, status };
}

/** Removes rows with duplicate ids. */
function distinct(rows: readonly Row[]): Row[] {
  return [...new Map(rows.toReversed().map((row) => [row.id, row])).values()].toReversed();
}
