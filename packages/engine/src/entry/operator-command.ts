/** Acts of operators on the exchange: what is listed, who has an account, and money that moves by hand. */
import type { CodeOfAct } from "./access-record.ts";
import type { AssetSpec, ExchangeFilters, SymbolFilters, SymbolSpec, SymbolStatus } from "./symbol.ts";
import type { Permission } from "./api-key.ts";
import type { PastCommand } from "./past-command.ts";
import type { WalletAct } from "./wallet-command.ts";

/** Every command below is an act of an operator; `by` names the operator and is kept in the journal. */
interface OperatorAct {
  readonly by: string;
}

export interface ListAsset extends OperatorAct {
  readonly type: "listAsset";
  readonly asset: AssetSpec;
}
export interface ListSymbol extends OperatorAct {
  readonly type: "listSymbol";
  readonly symbol: SymbolSpec;
}
export interface SetSymbolStatus extends OperatorAct {
  readonly type: "setSymbolStatus";
  readonly symbol: string;
  readonly status: SymbolStatus;
}
/** Replaces all filters of a symbol; the scale from its listing stays. */
export interface SetSymbolFilters extends OperatorAct {
  readonly type: "setSymbolFilters";
  readonly symbol: string;
  readonly filters: SymbolFilters;
  /** As in `SymbolSpec`; absent: as it was. */
  readonly acceptRounding?: boolean;
}
export interface SetExchangeFilters extends OperatorAct {
  readonly type: "setExchangeFilters";
  readonly filters: ExchangeFilters;
}
/** `email` is unique. Rates are basis points (1/100 of a percent) of the amount received, 0 to 10000. */
export interface OpenAccount extends OperatorAct {
  readonly type: "openAccount";
  readonly email: string;
  readonly name: string;
  readonly makerBps: number;
  readonly takerBps: number;
  /** The master, for a sub-account. A master account has no master. */
  readonly masterId?: number;
}
/** Absent fields stay as they are. */
export interface ChangeAccount extends OperatorAct {
  readonly type: "changeAccount";
  readonly accountId: number;
  /** Where the holder gets mail and by which they sign in. Stored in lower case. Since rules version 4. */
  readonly email?: string;
  readonly makerBps?: number;
  readonly takerBps?: number;
  readonly canTrade?: boolean;
  readonly canWithdraw?: boolean;
  readonly canDeposit?: boolean;
  /** For sub-accounts only; a disabled one cannot trade. Interface 3.9. */
  readonly isEnabled?: boolean;
  /** Withdrawals wait for the mailed link, whatever the asset says. */
  readonly confirmsByMail?: boolean;
  /** Also ends the open orders of the account; only together with `canTrade` or `isEnabled` false. */
  readonly endOrders?: true;
}
/** Overrides the account's rates on one symbol; both null takes the override away. */
export interface SetSymbolFee extends OperatorAct {
  readonly type: "setSymbolFee";
  readonly accountId: number;
  readonly symbol: string;
  readonly makerBps: number | null;
  readonly takerBps: number | null;
}
/** The secret arrives sealed (encrypted by the node's master key): the engine never knows it. */
export interface CreateApiKey extends OperatorAct, CodeOfAct {
  readonly type: "createApiKey";
  readonly accountId: number;
  readonly apiKey: string;
  readonly sealedSecret: string;
  /** As in `ApiKey`; a key has either this or a secret. */
  readonly publicKey?: string;
  readonly permissions: readonly Permission[];
  /** Addresses that may use the key; when empty, all may. */
  readonly ipAllowList: readonly string[];
  readonly label: string;
}
export interface DeleteApiKey extends OperatorAct {
  readonly type: "deleteApiKey";
  readonly apiKey: string;
}
/**
 * From here on secrets are sealed with the master key of this check value: 64 hex digits derived from the key, from
 * which it cannot be computed. Once in a journal; a node without that key does not start on it.
 */
export interface BindMasterKey extends OperatorAct {
  readonly type: "bindMasterKey";
  readonly keyCheck: string;
}
/** At most `limit` orders of an account in each calendar window of this length. */
export interface OrderLimit {
  readonly windowMs: number;
  readonly limit: number;
}
/**
 * The limits on orders from now on. The engine counts the orders of each account in these windows; the nodes refuse
 * what is over a limit, before it is journaled. Journaled by a node whose configuration differs from it.
 */
export interface SetOrderLimits extends OperatorAct {
  readonly type: "setOrderLimits";
  readonly rules: readonly OrderLimit[];
}
/** A setting of the nodes by its name in their files. `value`: as JSON, its keys in order. */
export interface SharedSetting {
  readonly name: string;
  readonly value: string;
}
/**
 * The settings that all nodes of the exchange have alike from now on. The engine keeps them and makes nothing of them:
 * a node whose own differ does not start, or stops.
 */
export interface SetSharedSettings extends OperatorAct {
  readonly type: "setSharedSettings";
  readonly settings: readonly SharedSetting[];
}
/** Money arrives. `amount` is a decimal of the asset. A repeated `reference` is refused, so retries are safe. */
export interface Deposit extends OperatorAct {
  readonly type: "deposit";
  readonly accountId: number;
  readonly asset: string;
  readonly amount: string;
  readonly reference: string;
}
/** Money leaves by an operator's hand, from `free`. `reference` works as in `Deposit`. */
export interface Debit extends OperatorAct {
  readonly type: "debit";
  readonly accountId: number;
  readonly asset: string;
  readonly amount: string;
  readonly reference: string;
}

export type OperatorCommand =
  | ListAsset
  | ListSymbol
  | SetSymbolStatus
  | SetSymbolFilters
  | SetExchangeFilters
  | OpenAccount
  | ChangeAccount
  | SetSymbolFee
  | CreateApiKey
  | DeleteApiKey
  | BindMasterKey
  | SetOrderLimits
  | SetSharedSettings
  | Deposit
  | Debit
  | WalletAct
  | PastCommand;
