/** Events of the wallet. Records in events are the engine's own, valid as of the event (see event.ts). */
import type {
  DepositAddress,
  DepositRecord,
  DepositStatus,
  WithdrawalRecord,
  WithdrawalStatus,
} from "./wallet-record.ts";

export interface DepositAddressAssigned {
  readonly type: "depositAddressAssigned";
  readonly address: DepositAddress;
}
export interface DepositChanged {
  readonly type: "depositChanged";
  readonly deposit: Readonly<DepositRecord>;
  readonly status: DepositStatus;
  /** What the account's balance changed by: 0n, the amount, or minus what could be taken back. */
  readonly moved: bigint;
  /** What a dropped deposit cost the treasury, because the account no longer had it. */
  readonly shortage: bigint;
}
export interface WithdrawalChanged {
  readonly type: "withdrawalChanged";
  readonly withdrawal: Readonly<WithdrawalRecord>;
  readonly status: WithdrawalStatus;
  readonly txId: string;
  /** Why it was rejected or failed; "". */
  readonly why: string;
}
export interface Transferred {
  readonly type: "transferred";
  /** From 1; one sequence with conversions and dividends. */
  readonly tranId: number;
  readonly masterId: number;
  readonly fromAccountId: number;
  readonly toAccountId: number;
  readonly assetId: number;
  readonly amount: bigint;
}
/** One row of a conversion; all rows of one share the tranId. `received` is after the charge, both in the dust asset. */
export interface DustConverted {
  readonly type: "dustConverted";
  readonly tranId: number;
  readonly accountId: number;
  readonly assetId: number;
  readonly amount: bigint;
  readonly dustAssetId: number;
  readonly received: bigint;
  readonly charge: bigint;
}
export interface DividendPaid {
  readonly type: "dividendPaid";
  /** The same for all holders of one distribution. */
  readonly tranId: number;
  readonly accountId: number;
  readonly assetId: number;
  readonly amount: bigint;
  readonly info: string;
}
export interface MaintenanceChanged {
  readonly type: "maintenanceChanged";
  readonly isOn: boolean;
}
export interface ApiTradingLocked {
  readonly type: "apiTradingLocked";
  readonly accountId: number;
  readonly untilMs: number;
}
/** A network's cost was paid, or its height moved on: nothing that a customer sees. */
export interface NetworkChanged {
  readonly type: "networkChanged";
  readonly network: string;
}

export type WalletEvent =
  | DepositAddressAssigned
  | DepositChanged
  | WithdrawalChanged
  | Transferred
  | DustConverted
  | DividendPaid
  | MaintenanceChanged
  | ApiTradingLocked
  | NetworkChanged;
