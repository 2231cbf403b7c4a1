/** The model's money: what each account holds of each asset, free and locked, by name. */
import { FEE_ACCOUNT, OUTSIDE_ACCOUNT } from "@pricetime/engine";
import type { Amount } from "./amount.ts";

export interface ModelBalance {
  free: Amount;
  locked: Amount;
}

export interface ModelAccount {
  readonly accountId: number;
  email: string;
  makerBps: number;
  takerBps: number;
  canTrade: boolean;
  canWithdraw: boolean;
  canDeposit: boolean;
  /** The master account; null: not a sub-account. */
  readonly masterId: number | null;
  isEnabled: boolean;
  confirmsByMail: boolean;
  isListEnforced: boolean;
  /** The sealed secret; null: no codes are required. */
  totpSecret: string | null;
  /** Rates by symbol. */
  readonly overrides: Map<string, { makerBps: number; takerBps: number }>;
}

export class ModelMoney {
  /** Balances by account and asset. */
  readonly #balances = new Map<string, ModelBalance>();

  of(accountId: number, asset: string): ModelBalance {
    const key = `${accountId} ${asset}`;
    let balance = this.#balances.get(key);
    if (balance === undefined) {
      balance = { free: 0n, locked: 0n };
      this.#balances.set(key, balance);
    }
    return balance;
  }

  lock(accountId: number, asset: string, value: Amount): void {
    const balance = this.of(accountId, asset);
    balance.free -= value;
    balance.locked += value;
  }

  pay(from: number, fromBucket: "free" | "locked", to: number, asset: string, value: Amount): void {
    this.of(from, asset)[fromBucket] -= value;
    this.of(to, asset).free += value;
  }

  enter(accountId: number, asset: string, value: Amount): void {
    this.pay(OUTSIDE_ACCOUNT, "free", accountId, asset, value);
  }

  charge(accountId: number, asset: string, value: Amount): void {
    this.pay(accountId, "free", FEE_ACCOUNT, asset, value);
  }
}
