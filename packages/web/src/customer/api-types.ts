/** The responses of the account API and of the exchange API, as far as the pages use them. */

export interface Venue {
  readonly signUp: "open" | "invitation";
  readonly passwordMin: number;
  readonly passwordMax: number;
  readonly passwordResetDelayMs: number;
}

/** The steps of deposit and withdrawal amounts on a network; absent if they equal the asset's own unit. */
export interface Steps {
  readonly asset: string;
  readonly network: string;
  readonly depositStep?: string;
  readonly withdrawStep?: string;
}

export interface Session {
  readonly accountId: number;
  readonly email: string;
  readonly name: string;
  readonly sessionId: string;
}

export interface SubAccount {
  readonly accountId: number;
  readonly email: string;
  readonly name: string;
  readonly isEnabled: boolean;
}

export interface Profile {
  readonly accountId: number;
  readonly email: string;
  readonly name: string;
  readonly makerBps: number;
  readonly takerBps: number;
  readonly canTrade: boolean;
  readonly canWithdraw: boolean;
  readonly canDeposit: boolean;
  /** Withdrawals may only go to addresses in the address book. */
  readonly isAddressListEnforced: boolean;
  /** When the allowlist ends, because the customer has requested that; null if not requested. */
  readonly addressListEndsMs: number | null;
  /** The waiting time of a new address, and of switching off the allowlist. */
  readonly addressWaitMs: number;
  readonly confirmsByEmail: boolean;
  readonly hasTotp: boolean;
  /** The end of the withdrawal lock after a password reset; 0 if there is none. */
  readonly heldUntilMs: number;
  readonly subAccounts: readonly SubAccount[];
}

export interface SessionRow {
  readonly sessionId: string;
  readonly openedMs: number;
  readonly renewedMs: number;
  readonly untilMs: number;
  readonly ip: string;
  readonly client: string;
  readonly isThis: boolean;
}

export interface KeyRow {
  readonly apiKey: string;
  readonly label: string;
  readonly permissions: readonly string[];
  readonly ipAllowList: readonly string[];
  /** Absent for keys that sign with a secret. */
  readonly publicKey?: string;
  readonly createdMs: number;
}

export interface AddressRow {
  readonly network: string;
  readonly address: string;
  readonly tag: string;
  readonly name: string;
  /** When withdrawals to it become possible; 0 if they always were. */
  readonly fromMs: number;
}

/**
 * How much of an asset the account and its sub-accounts may withdraw before withdrawals need approval; null if there is
 * no limit.
 */
export interface WithdrawalLimitRow {
  readonly asset: string;
  readonly limit24h: string | null;
  readonly withdrawn24h: string;
  readonly left24h: string | null;
  readonly limit72h: string | null;
  readonly withdrawn72h: string;
  readonly left72h: string | null;
}

/** A pending deposit. */
export interface DepositRow {
  readonly id: string;
  readonly asset: string;
  readonly network: string;
  readonly amount: string;
  readonly address: string;
  readonly tag: string;
  readonly txId: string;
  readonly insertTimeMs: number;
  /** It can be traded but not withdrawn yet. */
  readonly isCredited: boolean;
  readonly confirmations: number;
  readonly creditConfirmations: number;
  readonly finalConfirmations: number;
}

/** The statement of a month. Amounts are exact decimal strings. */
export interface Statement {
  readonly postings: readonly Posting[];
  readonly sums: readonly StatementSum[];
}
export interface Posting {
  readonly id: string;
  readonly timeMs: number;
  readonly asset: string;
  readonly bucket: string;
  readonly amount: string;
  readonly reason: string;
  readonly balanceAfter: string;
}
export interface StatementSum {
  readonly asset: string;
  readonly opening: string;
  readonly movements: string;
  readonly closing: string;
}

// Responses of the exchange API (Interface 4).

/** Interface 4.6, `capital/config/getall`. */
export interface Coin {
  readonly coin: string;
  readonly name: string;
  readonly free: string;
  readonly locked: string;
  readonly withdrawing: string;
  readonly networkList: readonly Network[];
}

export interface Network {
  readonly network: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly depositEnable: boolean;
  readonly withdrawEnable: boolean;
  readonly withdrawFee: string;
  readonly withdrawMin: string;
  readonly withdrawMax: string;
  readonly withdrawIntegerMultiple: string;
  readonly minConfirm: number;
  readonly unLockConfirm: number;
  readonly sameAddress: boolean;
  readonly depositDesc: string;
}

export interface Withdrawal {
  readonly id: string;
  /** The amount that arrives. */
  readonly amount: string;
  readonly transactionFee: string;
  readonly coin: string;
  readonly status: number;
  readonly address: string;
  readonly addressTag: string;
  readonly txId: string;
  readonly applyTime: string;
  readonly completeTime?: string;
  readonly network: string;
  readonly info: string;
}

export interface SymbolInfo {
  readonly symbol: string;
  readonly status: string;
  readonly baseAsset: string;
  readonly quoteAsset: string;
}
