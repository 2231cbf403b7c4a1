/** Answers questions about money that moved in other ways than trading, from one connection. */
import type { DatabaseSync } from "node:sqlite";
import { snapshotPage } from "../shapes/snapshots.ts";
import { ConductQueries } from "../conduct/conduct-queries.ts";
import { DepositQueries } from "./deposit-queries.ts";
import { MoveQueries } from "./move-queries.ts";
import type { Queries } from "../question.ts";
import { SnapshotQueries } from "../days/snapshot-queries.ts";
import type { Units } from "../table/units.ts";
import type { WalletHistory } from "../wallet-port.ts";
import { WithdrawalQueries } from "./withdrawal-queries.ts";

export function openWalletQueries(database: DatabaseSync, units: Units): Pick<Queries, keyof WalletHistory> {
  const deposits = new DepositQueries(database, units);
  const withdrawals = new WithdrawalQueries(database, units);
  const moves = new MoveQueries(database, units);
  const snapshots = new SnapshotQueries(database, units);
  const conduct = new ConductQueries(database);
  return {
    deposits: (...args) => deposits.deposits(...args),
    withdrawals: (...args) => withdrawals.withdrawals(...args),
    transfersOfMaster: (...args) => moves.transfersOfMaster(...args),
    transfersOfAccount: (...args) => moves.transfersOfAccount(...args),
    countTransfersOfMaster: (...args) => moves.countTransfersOfMaster(...args),
    countTransfersOfAccount: (...args) => moves.countTransfersOfAccount(...args),
    dustConversions: (...args) => moves.dustConversions(...args),
    dividends: (...args) => moves.dividends(...args),
    snapshots: (...args) => snapshots.snapshots(...args),
    snapshotPage: (...args) => snapshotPage(units, snapshots.snapshots(...args)),
    conduct: (...args) => conduct.conduct(...args),
    conductOfAll: (...args) => conduct.conductOfAll(...args),
  };
}
