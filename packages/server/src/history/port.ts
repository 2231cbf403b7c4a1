/**
 * The history port: what has happened, derived from events and stored in SQL. It may lag behind the replica and never
 * leads. Prices, quantities and money are decimal strings of 8 places, as on the wire; rows are in ascending order unless
 * stated otherwise. Queries whose names end in Page return the interface's JSON, written by the reading thread: for the
 * serving thread, one text costs half of what rows do. (Bytes, handed over uncopied, cost more: their memory is V8's to
 * free.)
 */
import type { Answer, Arguments, QueryName } from "./reading/queries.ts";

export { UNKNOWN_DEPOSIT_STATUSES } from "./reading/operator-queries.ts";
export { TIME_LINE_KINDS } from "./reading/time-line-lists.ts";
export { CONDUCT_WINDOW_MS } from "./table/columns.ts";
export type { Answer, Arguments, QueryName };
export type { Found } from "./reading/find-queries.ts";
export type { Window } from "./reading/history-tables.ts";
export type { WithdrawalPast } from "./reading/operator-queries.ts";
export type { StatementBalance, StatementBounds, StatementMove } from "./reading/statement-queries.ts";
export type { TimeLineKind, TimeLinePlace, TimeLineRow } from "./reading/time-line-lists.ts";
export type { ConductRow, DepositRow, TransferPage, TransferRow, WithdrawalRow } from "./reading/wallet-queries.ts";
export type { DepositStatusCode } from "./table/columns.ts";

export interface History {
  /** The last entry that history holds. */
  readonly seq: number;
  /** Answers a query when history has reached entry `seq`; rejects with `HistoryBehind` when that takes too long. */
  query<Name extends QueryName>(seq: number, name: Name, args: Arguments<Name>): Promise<Answer<Name>>;
}

/** The history did not reach the requested entry in time. */
export class HistoryBehind extends Error {
  override readonly name = "HistoryBehind";
}
