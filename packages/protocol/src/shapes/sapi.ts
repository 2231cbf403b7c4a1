/** Answers of the wallet under /sapi. Interface 4.6; the rest as later parents have them. Times are milliseconds. */
import type { Balance } from "./account.ts";
import type { ApiTradingStatusShape, AssetDetail, DepositStatusCode, LockedBy, NumberBalance } from "./wapi.ts";
import type { Coin, SystemStatus, TradeFee } from "./wallet.ts";

export interface CoinWithdrawal {
  readonly id: string;
  /** The amount that arrives. */
  readonly amount: string;
  readonly transactionFee: string;
  readonly coin: string;
  readonly status: number;
  readonly address: string;
  readonly addressTag: string;
  /** "" before the broadcast. */
  readonly txId: string;
  /** `2019-10-12 11:12:02`, UTC; so is `completeTime`. */
  readonly applyTime: string;
  readonly network: string;
  readonly transferType: 0;
  readonly withdrawOrderId?: string;
  /** Reason of a rejection or failure; else "". */
  readonly info: string;
  readonly walletType: 0;
  readonly txKey: string;
  readonly completeTime?: string;
}

export interface CoinDeposit {
  readonly id: string;
  readonly amount: string;
  readonly coin: string;
  readonly network: string;
  readonly status: DepositStatusCode;
  readonly address: string;
  readonly addressTag: string;
  readonly txId: string;
  readonly insertTime: number;
  readonly transferType: 0;
  /** As in `1/12`: confirmations so far, of those needed for the last threshold. */
  readonly confirmTimes: string;
  readonly unlockConfirm: number;
  readonly walletType: 0;
}

export interface CoinAddress {
  readonly address: string;
  readonly coin: string;
  readonly tag: string;
  readonly url: string;
}

/** 4.6; the misspelling is the interface's. All rows of one conversion have the same tranId. */
export interface DustAnswer {
  readonly totalServiceCharge: string;
  readonly totalTransfered: string;
  readonly transferResult: readonly {
    readonly amount: string;
    readonly fromAsset: string;
    readonly operateTime: number;
    readonly serviceChargeAmount: string;
    readonly tranId: number;
    readonly transferedAmount: string;
  }[];
}

export interface DividendsAnswer {
  readonly rows: readonly {
    readonly amount: string;
    readonly asset: string;
    readonly divTime: number;
    readonly enInfo: string;
    readonly tranId: number;
  }[];
  readonly total: number;
}

export interface ApiRestrictions {
  readonly ipRestrict: boolean;
  readonly createTime: number;
  readonly enableReading: boolean;
  readonly enableWithdrawals: boolean;
  /** Transfers between a master account and its sub-accounts. */
  readonly enableInternalTransfer: boolean;
  readonly enableSpotAndMarginTrading: boolean;
  readonly enableMargin: false;
  readonly enableFutures: false;
  readonly enableVanillaOptions: false;
  readonly enablePortfolioMarginTrading: false;
  readonly permitsUniversalTransfer: boolean;
}

export interface SnapshotsAnswer {
  readonly code: 200;
  readonly msg: "";
  readonly snapshotVos: readonly {
    readonly type: "spot";
    readonly updateTime: number;
    readonly data: { readonly balances: readonly Balance[]; readonly totalAssetOfBtc: string };
  }[];
}

export interface SubAccount {
  readonly subUserId: number;
  readonly email: string;
  readonly remark: string;
  readonly isFreeze: boolean;
  readonly createTime: number;
  readonly isManagedSubAccount: false;
  readonly isAssetManagementSubAccount: false;
}

export interface SubAccountTransfer {
  readonly from: string;
  readonly to: string;
  readonly asset: string;
  readonly qty: string;
  readonly status: "SUCCESS";
  readonly tranId: number;
  readonly time: number;
}

export interface UniversalTransfersAnswer {
  readonly result: readonly {
    readonly tranId: number;
    readonly fromEmail: string;
    readonly toEmail: string;
    readonly asset: string;
    readonly amount: string;
    readonly createTimeStamp: number;
    readonly fromAccountType: "SPOT";
    readonly toAccountType: "SPOT";
    readonly status: "SUCCESS";
    /** Transfers have no id from the client. */
    /** "": the client gave none. */
    readonly clientTranId: string;
  }[];
  /** Rows on all pages. */
  readonly totalCount: number;
}

/** Amounts are texts, where /sapi/v3 and /wapi have numbers. */
export interface SubAccountBalance extends Balance {
  readonly freeze: string;
  /** Not included in `locked`. */
  readonly withdrawing: string;
}

export interface SapiAnswers {
  readonly "capital.coins": readonly Coin[];
  readonly "capital.withdraw": { readonly id: string };
  readonly "capital.withdrawals": readonly CoinWithdrawal[];
  readonly "capital.deposits": readonly CoinDeposit[];
  readonly "capital.depositAddress": CoinAddress;
  readonly "asset.tradeFee": readonly TradeFee[];
  readonly "asset.detail": Readonly<Record<string, AssetDetail<string>>>;
  readonly "asset.dust": DustAnswer;
  readonly "asset.dustLog": { readonly total: 0; readonly userAssetDribblets: readonly [] };
  readonly "asset.dividends": DividendsAnswer;
  readonly "wallet.accountStatus": { readonly data: string };
  readonly "wallet.apiTradingStatus": { readonly data: ApiTradingStatusShape & LockedBy };
  readonly "wallet.apiRestrictions": ApiRestrictions;
  readonly "wallet.snapshots": SnapshotsAnswer;
  readonly "subAccount.list": { readonly subAccounts: readonly SubAccount[] };
  readonly "subAccount.transfers": readonly SubAccountTransfer[];
  /** `clientTranId`: as sent; absent when it was not. */
  readonly "subAccount.transfer": { readonly tranId: number; readonly clientTranId?: string };
  readonly "subAccount.universalTransfers": UniversalTransfersAnswer;
  readonly "subAccount.assets": { readonly balances: readonly NumberBalance[] };
  readonly "subAccount.assetsV4": { readonly balances: readonly SubAccountBalance[] };
  readonly "system.status": SystemStatus;
}
