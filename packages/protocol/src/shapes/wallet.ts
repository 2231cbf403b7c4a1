/** Answers of the wallet under /wapi and /sapi. Interface 2.10, 4.5, 4.6, S.16. Times are milliseconds. */
import type { Balance } from "./account.ts";

export interface CoinNetwork {
  readonly network: string;
  readonly coin: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly depositEnable: boolean;
  readonly withdrawEnable: boolean;
  readonly withdrawFee: string;
  readonly withdrawMin: string;
  readonly withdrawMax: string;
  /** The smallest step of an amount. */
  readonly withdrawIntegerMultiple: string;
  /** Confirmations until a deposit can be traded. `unLockConfirm` is the number until it can be withdrawn. */
  readonly minConfirm: number;
  readonly unLockConfirm: number;
  /** Whether customers share addresses and are distinguished by a tag. */
  readonly sameAddress: boolean;
  /** A message while deposits are suspended, otherwise "". */
  readonly depositDesc: string;
}

export interface Coin {
  readonly coin: string;
  readonly name: string;
  readonly free: string;
  /** Excludes the amounts of pending withdrawals, which are in `withdrawing`. */
  readonly locked: string;
  readonly withdrawing: string;
  readonly depositAllEnable: boolean;
  readonly withdrawAllEnable: boolean;
  readonly trading: boolean;
  readonly isLegalMoney: boolean;
  readonly networkList: readonly CoinNetwork[];
}

/** Commissions are fractions as decimal strings, as in "0.001". */
export interface TradeFee {
  readonly symbol: string;
  readonly makerCommission: string;
  readonly takerCommission: string;
}

/** `status` is 0 for normal operation, 1 for maintenance. */
export interface SystemStatus {
  readonly status: 0 | 1;
  readonly msg: string;
}

// Answers of /wapi, exactly as the interface defines them. Interface 2.10, 4.5. Numbers are exact decimals.

interface Success {
  readonly success: true;
}

export interface WithdrawResult extends Success {
  readonly msg: "success";
  /** 32 hex digits. */
  readonly id: string;
}

/** 0: pending, 6: credited but not withdrawable yet, 1: success. Interface 2.10. */
export type DepositStatusCode = 0 | 6 | 1;

export interface DepositRecord {
  readonly insertTime: number;
  readonly amount: number;
  readonly asset: string;
  readonly address: string;
  /** Present only for networks with tags. */
  readonly addressTag?: string;
  readonly txId: string;
  readonly status: DepositStatusCode;
}
export interface DepositHistory extends Success {
  readonly depositList: readonly DepositRecord[];
}

/** `amount` is the amount that arrives, after the fee. Interface S.18. */
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
  /** "" if the network has no tags. */
  readonly addressTag: string;
  readonly asset: string;
}

export interface AccountStatusAnswer extends Success {
  readonly msg: string;
  /** The minutes until a locked account can trade again. */
  readonly objs: readonly string[];
}

export type IndicatorName = "UFR" | "IFER" | "GCR";

/** `i` is the name, `c` the number of orders, `v` the value, `t` the trigger. */
export interface Indicator {
  readonly i: IndicatorName;
  readonly c: number;
  readonly v: number;
  readonly t: number;
}

export interface ApiTradingStatusShape {
  readonly isLocked: boolean;
  /** 0 if the account is not locked. */
  readonly plannedRecoverTime: number;
  readonly triggerCondition: Readonly<Record<IndicatorName, number>>;
  readonly indicators: Readonly<Record<string, readonly Indicator[]>>;
  readonly updateTime: number;
}
/**
 * An extra field of this exchange, only under /sapi and while the account is locked, because clients of 2019 read only
 * the fields above.
 */
export interface LockedBy {
  readonly lockedBy?: IndicatorName;
}
export interface ApiTradingStatusAnswer extends Success {
  readonly status: ApiTradingStatusShape;
}

/** Fees are fractions: 0.001 is 0.1 %. */
export interface TradeFeeAnswer extends Success {
  readonly tradeFee: readonly { readonly symbol: string; readonly maker: number; readonly taker: number }[];
}

/** `Fee` is a number under /wapi and a string under /sapi. */
export interface AssetDetail<Fee> {
  readonly minWithdrawAmount: string;
  readonly depositStatus: boolean;
  readonly withdrawFee: Fee;
  readonly withdrawStatus: boolean;
  /** Present if there is a message. */
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

// Answers under /sapi, as in Interface 4.6 or in later versions of the original interface.

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
  /** UTC, for example `2019-10-12 11:12:02`. `completeTime` has the same format. */
  readonly applyTime: string;
  readonly network: string;
  readonly transferType: 0;
  readonly withdrawOrderId?: string;
  /** The reason for a rejection or failure, otherwise "". */
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
  /** For example `1/12`: confirmations so far, and confirmations needed for the last threshold. */
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

/**
 * The answer to a dust conversion. Interface 4.6 misspells "transferred". All rows of one conversion have the same
 * tranId.
 */
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
    /** Transfers that have no id from the client. */
    /** "" if the client sent none. */
    readonly clientTranId: string;
  }[];
  /** The number of rows on all pages. */
  readonly totalCount: number;
}

/** Amounts are strings here, where /sapi/v3 and /wapi have numbers. */
export interface SubAccountBalance extends Balance {
  readonly freeze: string;
  /** This amount is not included in `locked`. */
  readonly withdrawing: string;
}

/** `interestBNBBurn` is of margin accounts, which this exchange does not have. */
export interface DiscountSwitch {
  readonly spotBNBBurn: boolean;
  readonly interestBNBBurn: false;
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
  readonly "discount.show": DiscountSwitch;
  readonly "discount.switch": DiscountSwitch;
  readonly "asset.dividends": DividendsAnswer;
  readonly "wallet.accountStatus": { readonly data: string };
  readonly "wallet.apiTradingStatus": { readonly data: ApiTradingStatusShape & LockedBy };
  readonly "wallet.apiRestrictions": ApiRestrictions;
  readonly "wallet.snapshots": SnapshotsAnswer;
  readonly "subAccount.list": { readonly subAccounts: readonly SubAccount[] };
  readonly "subAccount.transfers": readonly SubAccountTransfer[];
  /** `clientTranId` is the id as sent, or absent if none was sent. */
  readonly "subAccount.transfer": { readonly tranId: number; readonly clientTranId?: string };
  readonly "subAccount.universalTransfers": UniversalTransfersAnswer;
  readonly "subAccount.assets": { readonly balances: readonly NumberBalance[] };
  readonly "subAccount.assetsV4": { readonly balances: readonly SubAccountBalance[] };
  readonly "system.status": SystemStatus;
}
