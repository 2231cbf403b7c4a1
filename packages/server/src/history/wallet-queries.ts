/** Questions about money that moved otherwise than by trading. */
import type { DatabaseSync } from "node:sqlite";
import type { Units } from "./units.ts";
import type { Queries } from "./queries.ts";
import type { WalletHistory } from "./wallet-port.ts";

export type WalletQueries = Pick<Queries, keyof WalletHistory>;

export function openWalletQueries(_database: DatabaseSync, _units: Units): WalletQueries {
  const later = (): never => {
    throw new Error("not yet");
  };
  return {
    deposits: later,
    withdrawals: later,
    transfersOfMaster: later,
    transfersOfAccount: later,
    dustConversions: later,
    dividends: later,
    snapshots: later,
    conduct: later,
    conductOfAll: later,
  };
}
