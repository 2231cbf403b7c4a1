/** The number type of the model, an exact decimal with 8 places, and its accounts with their balances. */
import { FEE_ACCOUNT, OUTSIDE_ACCOUNT } from "@pricetime/engine";

/** The only number type of the model: an exact decimal with 8 places, as a bigint of 10^-8. */
export type Amount = bigint;

export const ONE = 10n ** 8n;

/** Parses a decimal such as `0.015`. Throws if it is invalid or has more than 8 places. */
export function amount(text: string): Amount {
  const match = /^([0-9]+)(?:\.([0-9]{1,8})0*)?$/.exec(text);
  if (match === null) throw new Error(`not an amount: ${text}`);
  return BigInt(match[1]!) * ONE + BigInt((match[2] ?? "").padEnd(8, "0"));
}

/** Formats an amount without trailing zeros. */
export function show(value: Amount): string {
  if (value < 0n) return `-${show(-value)}`;
  const places = (value % ONE).toString().padStart(8, "0").replace(/0+$/, "");
  return `${value / ONE}${places === "" ? "" : `.${places}`}`;
}

/** Converts an integer of 10^-decimals (ticks, lots or units) to an amount. */
export function scaled(value: number | bigint, decimals: number): Amount {
  return BigInt(value) * 10n ** BigInt(8 - decimals);
}

/** Returns the number of decimal places of a decimal, without trailing zeros. */
export function placesOf(text: string): number {
  return (/\.([0-9]*?)0*$/.exec(text)?.[1] ?? "").length;
}

/**
 * Whether a command's decimal has at most `places` places. Trailing zeros count as places only before rules version 4.
 */
export function fits({ edition }: { readonly edition: number }, text: string, places: number): boolean {
  const written = text.split(".")[1] ?? "";
  return (edition < 4 ? written.length : placesOf(text)) <= places;
}

/** Returns price * quantity, rounded down to a multiple of 10^-places. */
export function productFloor(price: Amount, quantity: Amount, places: number): Amount {
  const unit = 10n ** BigInt(8 - places);
  return ((price * quantity) / (ONE * unit)) * unit;
}

/** Returns price * quantity, rounded up to a multiple of 10^-places. */
export function productCeil(price: Amount, quantity: Amount, places: number): Amount {
  const unit = 10n ** BigInt(8 - places);
  return ((price * quantity + ONE * unit - 1n) / (ONE * unit)) * unit;
}

/** Returns basis points of a value, rounded down to a multiple of 10^-places. */
export function basisPoints(value: Amount, bps: number, places: number): Amount {
  const unit = 10n ** BigInt(8 - places);
  return ((value * BigInt(bps)) / (10_000n * unit)) * unit;
}

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
  /** The master account; null if this is not a sub-account. */
  readonly masterId: number | null;
  isEnabled: boolean;
  /** Whether this master account and its sub-accounts must not trade with each other. */
  isTradeGroup: boolean;
  /** Whether commission is paid in the discount asset where possible. */
  paysInDiscountAsset: boolean;
  confirmsByMail: boolean;
  isListEnforced: boolean;
  /** The sealed secret; null if no two-factor codes are required. */
  totpSecret: string | null;
  /** Fee rates by symbol. */
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
