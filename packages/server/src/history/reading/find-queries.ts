/** Finds orders, trades and money by what people have of them: an id, a transaction, an address. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { ORDER_STATUSES, ORDER_TYPES, SIDES, WITHDRAWAL_STATUSES } from "@pricetime/engine";
import { moneyColumn } from "../table/columns.ts";
import { depositStatus, type Units } from "../table/units.ts";
import { type FindQuestion, type Found, VENUE_LIMITS } from "../port.ts";

const { maxSearched } = VENUE_LIMITS;
const ORDER = `SELECT order_id AS id, account_id AS accountId, symbol_id AS symbolId, side, type, status,
  price_ticks AS priceTicks, quantity_lots AS lots, client_order_id AS clientOrderId, time_ms AS timeMs FROM orders`;
const DEPOSIT = `SELECT deposit_id AS id, account_id AS accountId, asset_id AS assetId, network, tx_id AS txId,
  ${moneyColumn("amount", "amount")}, status, insert_time_ms AS timeMs`;
const WITHDRAWAL = `SELECT withdrawal_id AS id, account_id AS accountId, asset_id AS assetId, network, address,
  ${moneyColumn("amount", "amount")}, status, apply_time_ms AS timeMs`;
const UNKNOWN_DEPOSIT = `SELECT tx_id || ':' || output AS id, account_id AS accountId, network, coin, amount, reason,
  status, seen_ms AS timeMs`;

/** None sorts: each takes the first that its index, or its scan from the newest, comes upon. */
export const FIND_QUERIES = {
  orderById: `${ORDER} WHERE order_id = ?1 LIMIT ?2`,
  orderByClientId: `${ORDER} INDEXED BY orders_by_client_id WHERE client_order_id = ?1
    ORDER BY account_id DESC, symbol_id DESC, order_id DESC LIMIT ?2`,
  orderListById: `SELECT order_list_id AS id, account_id AS accountId, symbol_id AS symbolId, is_done AS isDone,
    time_ms AS timeMs FROM order_lists WHERE order_list_id = ?1 LIMIT ?2`,
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
type Name = keyof typeof FIND_QUERIES;

/** A number of a row: ids are safe integers. `#12` is one, too. */
const NUMBER = /^#?([0-9]{1,15})$/;

interface Row {
  readonly id: number | string;
  readonly accountId: number;
  readonly timeMs: number;
}
interface OrderRow extends Row {
  readonly symbolId: number;
  readonly side: number;
  readonly type: number;
  readonly status: number;
  readonly priceTicks: number;
  readonly lots: number;
  readonly clientOrderId: string;
}
interface OrderListRow extends Row {
  readonly symbolId: number;
  readonly isDone: number;
}
interface TradeRow extends Omit<Row, "accountId"> {
  readonly symbolId: number;
  readonly priceTicks: number;
  readonly lots: number;
  readonly taker: number;
  readonly maker: number;
}
interface MoneyRow extends Row {
  readonly assetId: number;
  readonly network: string;
  readonly amount: string;
  readonly status: number;
}
interface DepositRow extends MoneyRow {
  readonly txId: string;
}
interface WithdrawalRow extends MoneyRow {
  readonly address: string;
}
interface UnknownDepositRow extends Omit<Row, "accountId"> {
  readonly accountId: number | null;
  readonly network: string;
  readonly coin: string;
  readonly amount: string;
  readonly reason: string;
  readonly status: string;
}
interface ActRow extends Row {
  readonly type: string;
  readonly by: string;
  readonly outcome: string;
}

export class FindQueries {
  readonly #units: Units;
  readonly #statements: Readonly<Record<Name, StatementSync>>;

  constructor(database: DatabaseSync, units: Units) {
    this.#units = units;
    const prepared = Object.entries(FIND_QUERIES).map(([name, sql]) => [name, database.prepare(sql)]);
    this.#statements = Object.fromEntries(prepared) as Record<Name, StatementSync>;
  }

  find({ text, limit }: FindQuestion): Found[] {
    const rows = <T>(name: Name, value: string | number | undefined): T[] =>
      value === undefined ? [] : (this.#statements[name].all(value, limit) as T[]);
    const [, digits] = NUMBER.exec(text) ?? [];
    const number = digits === undefined ? undefined : Number(digits);
    const orders = [...rows<OrderRow>("orderById", number), ...rows<OrderRow>("orderByClientId", text)];
    const named = rows<WithdrawalRow>("withdrawalById", text);
    const withdrawals = [...named, ...rows<WithdrawalRow>("withdrawalByText", text)];
    return [
      ...distinct(orders).map((row) => this.#order(row)),
      ...rows<OrderListRow>("orderListById", number).map((row) => this.#orderList(row)),
      ...rows<TradeRow>("tradeById", number).map((row) => this.#trade(row)),
      ...rows<DepositRow>("depositByText", text).map((row) => this.#deposit(row)),
      ...distinct(withdrawals).map((row) => this.#withdrawal(row)),
      ...rows<UnknownDepositRow>("unknownDepositBySeq", number).map(unknownDeposit),
      ...rows<UnknownDepositRow>("unknownDepositByText", text).map(unknownDeposit),
      ...rows<ActRow>("actBySeq", number).map(act),
    ];
  }

  #order({ symbolId, side, type, status, priceTicks, lots, clientOrderId, ...row }: OrderRow): Found {
    const at = priceTicks === 0 ? "" : ` at ${this.#units.price(symbolId, priceTicks)}`;
    const what = `${SIDES[side]} ${ORDER_TYPES[type]} ${this.#units.quantity(symbolId, lots)}${at}`;
    return {
      ...of("order", row),
      symbol: this.#units.symbol(symbolId),
      label: `${what} (${clientOrderId})`,
      status: ORDER_STATUSES[status] ?? "",
    };
  }

  #orderList({ symbolId, isDone, ...row }: OrderListRow): Found {
    const status = isDone === 1 ? "ALL_DONE" : "EXECUTING";
    return { ...of("orderList", row), symbol: this.#units.symbol(symbolId), label: "OCO", status };
  }

  #trade({ symbolId, priceTicks, lots, taker, maker, ...row }: TradeRow): Found {
    const what = `${this.#units.quantity(symbolId, lots)} at ${this.#units.price(symbolId, priceTicks)}`;
    return {
      ...of("trade", { ...row, accountId: null }),
      symbol: this.#units.symbol(symbolId),
      label: `${what}: account ${taker} took from account ${maker}`,
    };
  }

  #deposit(row: DepositRow): Found {
    return this.#money("deposit", row, { by: row.txId, status: depositStatus(row.status) });
  }

  #withdrawal(row: WithdrawalRow): Found {
    return this.#money("withdrawal", row, { by: row.address, status: WITHDRAWAL_STATUSES[row.status] ?? "" });
  }

  #money(kind: "deposit" | "withdrawal", row: MoneyRow, { by, status }: Record<"by" | "status", string>): Found {
    const asset = this.#units.asset(row.assetId);
    const amount = this.#units.money(row.assetId, row.amount);
    const label = `${amount} ${asset} ${kind === "deposit" ? "by" : "to"} ${by}`;
    return { ...of(kind, row), asset, network: row.network, label, status };
  }
}

function of(
  kind: Found["kind"],
  { id, accountId, timeMs }: Omit<Row, "accountId"> & { readonly accountId: number | null },
): Pick<Found, "kind" | "id" | "accountId" | "timeMs"> {
  return { kind, id: String(id), accountId, timeMs };
}

function act({ type, by, outcome, ...row }: ActRow): Found {
  return { ...of("act", row), label: `${type} by ${by}`, status: outcome };
}

function unknownDeposit({ network, coin, amount, reason, status, ...row }: UnknownDepositRow): Found {
  return { ...of("unknownDeposit", row), network, label: `${amount} ${coin} unattributed (${reason})`, status };
}

/** The first of rows with the same id. */
function distinct<T extends Row>(rows: readonly T[]): T[] {
  return [...new Map(rows.toReversed().map((row) => [row.id, row])).values()].toReversed();
}
