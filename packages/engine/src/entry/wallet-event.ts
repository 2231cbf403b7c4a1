/** Events of the wallet. Records in events belong to the engine and are valid as of the event (see event.ts). */
import type {
  DepositAddress,
  DepositRecord,
  DepositStatus,
  LetterStatus,
  WithdrawalRecord,
  WithdrawalStatus,
} from "./wallet-record.ts";

export interface DepositAddressAssigned {
  readonly type: "depositAddressAssigned";
  readonly address: DepositAddress;
}
export interface DepositChanged {
  readonly type: "depositChanged";
  readonly deposit: DepositRecord;
  readonly status: DepositStatus;
  /** Change of the account's balance: 0n, the amount, or minus what could be taken back. */
  readonly moved: bigint;
  /** Cost of a dropped deposit to the treasury, because the account no longer had the money. */
  readonly shortage: bigint;
}
export interface WithdrawalChanged {
  readonly type: "withdrawalChanged";
  readonly withdrawal: WithdrawalRecord;
  readonly status: WithdrawalStatus;
  readonly txId: string;
  /** Reason of a rejection or failure; else "". */
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
  /** Absent: the client gave none. */
  readonly clientTranId?: string;
}
/** One row of a conversion; all its rows share the tranId. `received` is after the charge, both in the dust asset. */
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
  /** Shared by all holders of one distribution. */
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
export interface LetterChanged {
  readonly type: "letterChanged";
  readonly withdrawalId: string;
  readonly status: LetterStatus;
}
/** A network's cost was paid, or its height moved on: customers see nothing of it. */
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
  | NetworkChanged
  | LetterChanged;
