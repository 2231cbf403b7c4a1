/**
 * The history port: events stored in SQL. History may lag behind the replica but is never ahead of it. Prices,
 * quantities and amounts are decimal strings with 8 places, as in the API; rows are in ascending order unless stated
 * otherwise. Queries whose names end in Page return the interface's JSON as one string, serialized by the reader
 * thread: transferring one string costs the serving thread half as much as transferring rows. (Transferring bytes would
 * cost more, because V8 must free their memory.)
 */
import type { Answer, Arguments, QueryName } from "./reading/queries.ts";

export { MOVEMENT_LIMITS } from "./reading/account-movements.ts";
export { UNKNOWN_DEPOSIT_STATUSES } from "./reading/operator-queries.ts";
export { TIME_LINE_KINDS } from "./reading/time-line-lists.ts";
export { CONDUCT_WINDOW_MS } from "./table/columns.ts";
export type { Answer, Arguments, QueryName };
export type { Found } from "./reading/find-queries.ts";
export type { Window } from "./reading/history-tables.ts";
export type { WindowBounds } from "./shapes/market-data.ts";
export type { WithdrawalPast } from "./reading/operator-queries.ts";
export type { StatementBalance, StatementBounds, StatementMove } from "./reading/statement-queries.ts";
export type { TimeLineKind, TimeLinePlace, TimeLineRow } from "./reading/time-line-lists.ts";
export type { ConductRow, DepositRow, TransferPage, TransferRow, WithdrawalRow } from "./reading/wallet-queries.ts";
export type { DepositStatusCode } from "./table/columns.ts";

export interface History {
  /** The last entry that history includes. */
  readonly seq: number;
  /** Runs a query once history has reached entry `seq`. Rejects with `HistoryBehind` if that takes too long. */
  query<Name extends QueryName>(seq: number, name: Name, args: Arguments<Name>): Promise<Answer<Name>>;
}

/** The history did not reach the requested entry in time. */
export class HistoryBehind extends Error {
  override readonly name = "HistoryBehind";
}
