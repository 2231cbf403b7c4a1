/** What the account API answers. */

export interface Venue {
  readonly signUp: "open" | "invitation";
  readonly passwordMin: number;
  readonly passwordMax: number;
  readonly recoveryDelayMs: number;
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
  readonly confirmsByMail: boolean;
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
  readonly publicKey?: string | null;
  readonly createdMs?: number;
}

export interface AddressRow {
  readonly network: string;
  readonly address: string;
  readonly tag: string;
  readonly name: string;
  /** From when on it may be withdrawn to. */
  readonly usableMs?: number;
}

export interface DepositRow {
  readonly depositId: number;
  readonly asset: string;
  readonly network: string;
  readonly amount: string;
  readonly address: string;
  readonly txId: string;
  readonly timeMs: number;
  readonly status: string;
  readonly confirmations: number;
  readonly creditConfirmations: number;
  readonly finalConfirmations: number;
}
