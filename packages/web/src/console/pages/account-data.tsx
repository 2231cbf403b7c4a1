/** An account as the admin API returns it, and its restrictions. Amounts are decimal strings. */
import { consoleAccounts as words } from "../../words/words.ts";

/** The path of an account's routes. `account` is a number or an email address. */
export const accountPath = (account: string): string => `/v1/accounts/${encodeURIComponent(account)}`;

export interface PlainAccount {
  readonly accountId: number;
  readonly email: string;
  readonly name: string;
  readonly makerBps: number;
  readonly takerBps: number;
  readonly canTrade: boolean;
  readonly canWithdraw: boolean;
  readonly canDeposit: boolean;
  readonly isEnabled: boolean;
  readonly confirmsByEmail: boolean;
  readonly isAddressListEnforced: boolean;
  readonly createdMs: number;
  readonly updateTimeMs: number;
  readonly masterId: number | null;
  readonly statusMessage: string;
  readonly statusObjs: readonly string[];
  readonly hasTotp: boolean;
}

export interface AccountBalance {
  readonly asset: string;
  readonly free: string;
  readonly locked: string;
}

export interface WholeAccount extends PlainAccount {
  readonly openOrders: number;
  readonly balances: readonly AccountBalance[];
}

export interface Key {
  readonly apiKey: string;
  readonly permissions: readonly string[];
  readonly ipAllowList: readonly string[];
  readonly label: string;
  readonly createdMs: number;
  readonly publicKey?: string;
}

export interface Addresses {
  readonly isEnforced: boolean;
  readonly addresses: readonly {
    readonly network: string;
    readonly address: string;
    readonly tag: string;
    readonly name: string;
  }[];
}

export interface ApiTrading {
  readonly isLocked: boolean;
  readonly untilMs?: number;
}

export interface OpenOrder {
  readonly orderId: number;
  readonly symbol: string;
  readonly side: string;
  readonly type: string;
  readonly timeInForce: string;
  readonly price: string;
  readonly stopPrice: string;
  readonly quantity: string;
  readonly executed: string;
  readonly clientOrderId: string;
  readonly orderListId: number;
  readonly timeMs: number;
  readonly status: string;
}

export function limitsOf({ isEnabled, canTrade, canWithdraw, canDeposit }: PlainAccount): string[] {
  return [
    ...(isEnabled ? [] : [words.disabled]),
    ...(canTrade ? [] : [words.noTrading]),
    ...(canWithdraw ? [] : [words.noWithdrawals]),
    ...(canDeposit ? [] : [words.noDeposits]),
  ];
}

export function Limits({ account }: { account: PlainAccount }) {
  return (
    <>
      {limitsOf(account).map((limit) => (
        <span key={limit} class="tag bad">
          {limit}
        </span>
      ))}
    </>
  );
}
