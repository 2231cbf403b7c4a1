/** The answers of the account API and of the exchange API, as far as the pages read them. */

export interface Venue {
  readonly signUp: "open" | "invitation";
  readonly passwordMin: number;
  readonly passwordMax: number;
  readonly passwordResetDelayMs: number;
}

/** What a network carries: steps of deposits and withdrawals; absent: the ledger's own unit. */
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
  /** Withdrawals go to the addresses of the book alone. */
  readonly isAddressListEnforced: boolean;
  /** From when on they may go anywhere again, because the customer has asked for that; null: nobody has. */
  readonly addressListEndsMs: number | null;
  /** How long a new address, and such an end, wait. */
  readonly addressWaitMs: number;
  readonly confirmsByEmail: boolean;
  readonly hasTotp: boolean;
  /** Until when the account may not withdraw, because its password was recovered; 0: nothing is held. */
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
  /** Absent: it signs by a secret. */
  readonly publicKey?: string;
  readonly createdMs: number;
}

export interface AddressRow {
  readonly network: string;
  readonly address: string;
  readonly tag: string;
  readonly name: string;
  /** From when on it may be withdrawn to; 0: it always was. */
  readonly fromMs: number;
}

/** What the account and its sub-accounts may withdraw of an asset before withdrawals wait for approval; null: no limit. */
export interface WithdrawalLimitRow {
  readonly asset: string;
  readonly limit24h: string | null;
  readonly withdrawn24h: string;
  readonly left24h: string | null;
  readonly limit72h: string | null;
  readonly withdrawn72h: string;
  readonly left72h: string | null;
}

/** A deposit that is on its way. */
export interface DepositRow {
  readonly id: string;
  readonly asset: string;
  readonly network: string;
  readonly amount: string;
  readonly address: string;
  readonly tag: string;
  readonly txId: string;
  readonly insertTimeMs: number;
  /** It can be traded with, and not withdrawn yet. */
  readonly isCredited: boolean;
  readonly confirmations: number;
  readonly creditConfirmations: number;
  readonly finalConfirmations: number;
}

/** A month, all of it as exact texts. */
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

// Answers of the exchange API (Interface 4).

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
  /** What arrives. */
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
