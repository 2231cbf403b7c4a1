/** Answers of /wapi, to the letter. Interface 2.10, 4.5. Times are milliseconds; numbers are exact decimals. */
import type { SystemStatus } from "./wallet.ts";

interface Success {
  readonly success: true;
}

export interface WithdrawResult extends Success {
  readonly msg: "success";
  /** 32 hex digits. */
  readonly id: string;
}

/** Interface 2.10: 0 pending, 6 credited but cannot withdraw, 1 success. */
export type DepositStatusCode = 0 | 6 | 1;

export interface DepositRecord {
  readonly insertTime: number;
  readonly amount: number;
  readonly asset: string;
  readonly address: string;
  /** Only for networks with tags. */
  readonly addressTag?: string;
  readonly txId: string;
  readonly status: DepositStatusCode;
}
export interface DepositHistory extends Success {
  readonly depositList: readonly DepositRecord[];
}

/** `amount` is what arrives, after the fee. Interface S.18. */
export interface WithdrawRecord {
  readonly id: string;
  readonly amount: number;
  readonly transactionFee: number;
  readonly address: string;
  readonly addressTag?: string;
  readonly asset: string;
  /** Absent before the broadcast. */
  readonly txId?: string;
  readonly applyTime: number;
  /** 0 to 6. Interface 2.10. */
  readonly status: number;
}
export interface WithdrawHistory extends Success {
  readonly withdrawList: readonly WithdrawRecord[];
}

export interface DepositAddressAnswer extends Success {
  readonly address: string;
  /** "" when the network has none. */
  readonly addressTag: string;
  readonly asset: string;
}

export interface AccountStatusAnswer extends Success {
  readonly msg: string;
  /** Minutes until trading is possible again, when it is locked. */
  readonly objs: readonly string[];
}

export type IndicatorName = "UFR" | "IFER" | "GCR";

/** i name, c orders counted, v value, t trigger. */
export interface Indicator {
  readonly i: IndicatorName;
  readonly c: number;
  readonly v: number;
  readonly t: number;
}

export interface ApiTradingStatusShape {
  readonly isLocked: boolean;
  /** 0 when it is not locked. */
  readonly plannedRecoverTime: number;
  readonly triggerCondition: Readonly<Record<IndicatorName, number>>;
  readonly indicators: Readonly<Record<string, readonly Indicator[]>>;
  readonly updateTime: number;
}
/** An addition of ours, only under /sapi and while locked: clients of 2019 know the fields above alone. */
export interface LockedBy {
  readonly lockedBy?: IndicatorName;
}
export interface ApiTradingStatusAnswer extends Success {
  readonly status: ApiTradingStatusShape;
}

/** Fractions: 0.001 is 0.1 %. */
export interface TradeFeeAnswer extends Success {
  readonly tradeFee: readonly { readonly symbol: string; readonly maker: number; readonly taker: number }[];
}

/** `Fee` is a number here and text under /sapi. */
export interface AssetDetail<Fee> {
  readonly minWithdrawAmount: string;
  readonly depositStatus: boolean;
  readonly withdrawFee: Fee;
  readonly withdrawStatus: boolean;
  /** Present when there is a message. */
  readonly depositTip?: string;
}
export interface AssetDetailAnswer extends Success {
  readonly assetDetail: Readonly<Record<string, AssetDetail<number>>>;
}

export interface SubAccountRecord {
  readonly email: string;
  readonly status: "enabled" | "disabled";
  readonly activated: boolean;
  readonly mobile: string;
  readonly gAuth: boolean;
  readonly createTime: number;
}
export interface SubAccountsAnswer extends Success {
  readonly subAccounts: readonly SubAccountRecord[];
}

export interface TransferRecord {
  readonly from: string;
  readonly to: string;
  readonly asset: string;
  readonly qty: string;
  readonly time: number;
}
export interface TransfersAnswer extends Success {
  readonly transfers: readonly TransferRecord[];
}
export interface TransferAnswer extends Success {
  readonly txnId: string;
}

export interface NumberBalance {
  readonly asset: string;
  readonly free: number;
  readonly locked: number;
}
export interface SubAccountAssetsAnswer extends Success {
  readonly balances: readonly NumberBalance[];
}

export interface WapiAnswers {
  readonly "wapi.withdraw": WithdrawResult;
  readonly "wapi.deposits": DepositHistory;
  readonly "wapi.withdrawals": WithdrawHistory;
  readonly "wapi.depositAddress": DepositAddressAnswer;
  readonly "wapi.accountStatus": AccountStatusAnswer;
  readonly "wapi.systemStatus": SystemStatus;
  readonly "wapi.apiTradingStatus": ApiTradingStatusAnswer;
  readonly "wapi.dustLog": never;
  readonly "wapi.tradeFee": TradeFeeAnswer;
  readonly "wapi.assetDetail": AssetDetailAnswer;
  readonly "wapi.subAccounts": SubAccountsAnswer;
  readonly "wapi.subAccountTransfers": TransfersAnswer;
  readonly "wapi.subAccountTransfer": TransferAnswer;
  readonly "wapi.subAccountAssets": SubAccountAssetsAnswer;
}
