/**
 * Commands: everything that can change the exchange. A command and the time of its entry are all that the engine ever
 * learns about the world. Hot commands refer to accounts, symbols and assets by number.
 */
import type {
  AdoptRules,
  CancelOpenOrders,
  CancelOrder,
  CancelOrderList,
  CancelReplace,
  CloseListenKey,
  GrantRole,
  KeepListenKey,
  NodeBatch,
  OpenListenKey,
  PlaceOco,
  PlaceOrder,
  Tick,
} from "./packed-command.ts";
import type { WalletAct, WalletCommand } from "./wallet-command.ts";
import type { AccessCommand, CodeOfAct, Invite, Permission, RevokeInvitation } from "./access.ts";
import type { VenueCommand } from "./venue.ts";
import type { PastAsset, PastInterval } from "./past-candle.ts";
import type { AssetSpec, ExchangeFilters, SymbolFilters, SymbolSpec, SymbolStatus } from "./symbol.ts";

export {
  type AdoptRules,
  CANCEL_REPLACE_MODES,
  type CancelOpenOrders,
  type CancelOrder,
  type CancelOrderList,
  type CancelReplace,
  type CancelReplaceMode,
  type CloseListenKey,
  type KeepListenKey,
  type ListLeg,
  type OpenListenKey,
  type PlaceOco,
  type PlaceOrder,
  type Tick,
} from "./packed-command.ts";
export type { GrantRole, NodeBatch } from "./packed-command.ts";
export type * from "./wallet-command.ts";
export type * from "./access.ts";
export type * from "./venue.ts";

/**
 * A journaled command: `seq` counts from 1 without gaps; `timeMs` is the sequencer's clock and
 * never goes back.
 */
export interface Entry {
  readonly seq: number;
  readonly timeMs: number;
  readonly command: Command;
}

/** A change of the exchange itself, which any node may send, alone or as the holder of a role. */
export type ExchangeCommand =
  | Tick
  | AdoptRules
  | PlaceOrder
  | CancelOrder
  | CancelOpenOrders
  | PlaceOco
  | CancelOrderList
  | CancelReplace
  | OpenListenKey
  | KeepListenKey
  | CloseListenKey
  | WalletCommand
  | OperatorCommand
  | AccessCommand
  | VenueCommand
  | ProposalCommand;

/**
 * An act of a role's holder. Carried out only while `number` is that of the role's last grant, else refused
 * (ROLE_TAKEN); the outcome is that of the command within.
 */
export interface AsHolder {
  readonly type: "asHolder";
  readonly role: string;
  readonly number: number;
  readonly command: ExchangeCommand;
}

export type Command = ExchangeCommand | NodeBatch | GrantRole | AsHolder;

/** Whether a holder may carry the command: none of those that order the nodes themselves. */
export function isExchangeCommand(command: Pick<Command, "type">): command is ExchangeCommand {
  return command.type !== "nodeBatch" && command.type !== "grantRole" && command.type !== "asHolder";
}

/** The command that is carried out: the one within, when a holder of a role sends it. */
export function innerCommand(command: Command): Exclude<Command, AsHolder> {
  return command.type === "asHolder" ? command.command : command;
}

export type CommandType = Command["type"];

// Candles from before a symbol's first trade. docs/decisions/0025, 0026

/** Generates candles from these numbers. Only for a symbol without trades and without a past. */
export interface AddPast {
  readonly type: "addPast";
  readonly by: string;
  readonly symbol: string;
  /** Version of the generator. A newer one comes with a new edition of the rules, so that no older release reads it. */
  readonly generator: number;
  readonly seed: number;
  /** End of the last candle: a whole minute, not later than the entry. */
  readonly endMs: number;
  /** The last close, a decimal on the symbol's tick. */
  readonly endPrice: string;
  /** Base asset traded on an average day, a decimal on the symbol's step. */
  readonly dayVolume: string;
  readonly dayTrades: number;
  readonly base: Omit<PastAsset, "asset">;
  readonly quote: Omit<PastAsset, "asset">;
}

/** One candle as in the interface: prices, volume, quote volume and takers' purchases of both are decimals. */
export type ImportedCandle = readonly [
  openTimeMs: number,
  open: string,
  high: string,
  low: string,
  close: string,
  volume: string,
  quoteVolume: string,
  count: number,
  takerBuyVolume: string,
  takerBuyQuoteVolume: string,
];

/** Recorded candles in order of time, after the existing ones and before the symbol's first trade. */
export interface ImportKlines {
  readonly type: "importKlines";
  readonly by: string;
  readonly symbol: string;
  readonly interval: PastInterval;
  readonly candles: readonly ImportedCandle[];
}

export type PastCommand = AddPast | ImportKlines;

// Commands of operators: what is listed, who has an account, and money that moves by hand.

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

// Approval requests: acts that need a second person.

/** An act with the name of its author: whatever operators do, but about sessions and about proposals themselves. */
export type ProposedAct =
  | OperatorCommand
  | Invite
  | RevokeInvitation
  | Exclude<VenueCommand, { readonly type: "noteUnknownDeposit" }>;

/** An act that waits for others to approve it. */
export interface ProposalRecord {
  /** 32 hex digits. */
  readonly proposalId: string;
  /** Rises with every change of the act or of its reason, from 1. */
  readonly version: number;
  readonly act: ProposedAct;
  readonly why: string;
  /** Whoever proposed or changed it: none of them may approve. The last one is the author of this version. */
  readonly authors: readonly string[];
  readonly approvals: readonly string[];
  readonly createdMs: number;
  readonly changedMs: number;
  readonly untilMs: number;
}

/** cancelled: its author may propose nothing any more. */
export const PROPOSAL_STATUSES = ["waiting", "done", "rejected", "expired", "cancelled"] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

// Commands about approval requests: `by` is an operator who signed in.

/** `by` names the operator and is kept in the journal. */
interface Act {
  readonly by: string;
}

/** `act.by` is the author, as `by`. */
export interface Propose extends Act {
  readonly type: "propose";
  readonly proposalId: string;
  readonly act: ProposedAct;
  readonly why: string;
}
/** Another act or reason: all approvals are void. */
export interface ChangeProposal extends Act {
  readonly type: "changeProposal";
  readonly proposalId: string;
  readonly version: number;
  readonly act: ProposedAct;
  readonly why: string;
}
/** The last approval that is needed carries out the act; when that is refused, so is the approval. */
export interface ApproveProposal extends Act {
  readonly type: "approveProposal";
  readonly proposalId: string;
  readonly version: number;
}
/** Anybody who may approve, and the authors, may reject. */
export interface RejectProposal extends Act {
  readonly type: "rejectProposal";
  readonly proposalId: string;
  readonly why: string;
}
export type ProposalCommand = Propose | ChangeProposal | ApproveProposal | RejectProposal;
