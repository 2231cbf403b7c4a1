/**
 * Commands: all inputs that can change the exchange. A command and the time of its entry are the only inputs of the
 * engine. Frequent commands refer to accounts, symbols and assets by number.
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
import type { ExchangeFilters, SymbolFilters } from "../filters.ts";
import type { AssetSpec, SymbolSpec, SymbolStatus } from "./symbol.ts";

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

/** A journaled command. `seq` counts from 1 without gaps; `timeMs` is the sequencer's clock and never decreases. */
export interface Entry {
  readonly seq: number;
  readonly timeMs: number;
  readonly command: Command;
}

/** A change of the exchange itself, which any node may send, alone or as the owner of a task. */
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
 * A command by the owner of a task (role). It is executed only while `number` is that of the task's last grant,
 * otherwise rejected (ROLE_TAKEN). The result is that of the inner command.
 */
export interface AsHolder {
  readonly type: "asHolder";
  readonly role: string;
  readonly number: number;
  readonly command: ExchangeCommand;
}

export type Command = ExchangeCommand | NodeBatch | GrantRole | AsHolder;

/** Whether a task owner may send the command: all except those that coordinate the nodes themselves. */
export function isExchangeCommand(command: Pick<Command, "type">): command is ExchangeCommand {
  return command.type !== "nodeBatch" && command.type !== "grantRole" && command.type !== "asHolder";
}

/** The executed command, which is the inner one if a task owner sends it. */
export function innerCommand(command: Command): Exclude<Command, AsHolder> {
  return command.type === "asHolder" ? command.command : command;
}

export type CommandType = Command["type"];

// Candles from before a symbol's first trade. docs/decisions/0025, 0026

/** Generates candles from these numbers. Only for a symbol without trades and without earlier candles. */
export interface AddPast {
  readonly type: "addPast";
  readonly by: string;
  readonly symbol: string;
  /**
   * Version of the generator. A newer generator requires a new rules version, so that older releases do not read the
   * journal.
   */
  readonly generator: number;
  readonly seed: number;
  /** End of the last candle: a whole minute, not after the time of the entry. */
  readonly endMs: number;
  /** The last close, a decimal on the symbol's tick. */
  readonly endPrice: string;
  /** The base asset traded on an average day, a decimal on the symbol's step. */
  readonly dayVolume: string;
  readonly dayTrades: number;
  readonly base: Omit<PastAsset, "asset">;
  readonly quote: Omit<PastAsset, "asset">;
}

/**
 * One candle in the format of the interface: prices, volume, quote volume and takers' purchases of both are decimals.
 */
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

// Commands of operators: listings, accounts, and money that is moved by hand.

/** Every command below is by an operator, whom `by` names and the journal stores. */
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
/** Replaces all filters of a symbol. The scale from its listing does not change. */
export interface SetSymbolFilters extends OperatorAct {
  readonly type: "setSymbolFilters";
  readonly symbol: string;
  readonly filters: SymbolFilters;
  /** As in `SymbolSpec`; unchanged if absent. */
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
  /** The master of a sub-account; absent for a master account. */
  readonly masterId?: number;
}
/** Absent fields do not change. */
export interface ChangeAccount extends OperatorAct {
  readonly type: "changeAccount";
  readonly accountId: number;
  /** The address for emails and sign-in. Stored in lower case. Since rules version 4. */
  readonly email?: string;
  readonly makerBps?: number;
  readonly takerBps?: number;
  readonly canTrade?: boolean;
  readonly canWithdraw?: boolean;
  readonly canDeposit?: boolean;
  /** Only for sub-accounts. A disabled one cannot trade. Interface 3.9. */
  readonly isEnabled?: boolean;
  /** Whether withdrawals wait for the emailed link, regardless of the asset. */
  readonly confirmsByMail?: boolean;
  /** Also ends the open orders of the account. Only together with `canTrade` or `isEnabled` false. */
  readonly endOrders?: true;
}
/** Overrides the account's rates on one symbol. If both are null, the override is removed. */
export interface SetSymbolFee extends OperatorAct {
  readonly type: "setSymbolFee";
  readonly accountId: number;
  readonly symbol: string;
  readonly makerBps: number | null;
  readonly takerBps: number | null;
}
/** The secret is sealed (encrypted with the node's master key), so that the engine never receives it in plain text. */
export interface CreateApiKey extends OperatorAct, CodeOfAct {
  readonly type: "createApiKey";
  readonly accountId: number;
  readonly apiKey: string;
  readonly sealedSecret: string;
  /** As in `ApiKey`. A key has either this or a secret. */
  readonly publicKey?: string;
  readonly permissions: readonly Permission[];
  /** Addresses that may use the key. If empty, all may. */
  readonly ipAllowList: readonly string[];
  readonly label: string;
}
export interface DeleteApiKey extends OperatorAct {
  readonly type: "deleteApiKey";
  readonly apiKey: string;
}
/**
 * From here on secrets are sealed with the master key of this check value: 64 hex digits that are derived from the key,
 * and from which it cannot be computed. Once per journal; a node with another key does not start on it.
 */
export interface BindMasterKey extends OperatorAct {
  readonly type: "bindMasterKey";
  readonly keyCheck: string;
}
/** A maximum of `limit` orders of an account in each calendar window of this length. */
export interface OrderLimit {
  readonly windowMs: number;
  readonly limit: number;
}
/**
 * Sets the limits on orders. The engine counts the orders of each account in these windows; the nodes reject orders
 * over a limit before they are journaled. Sent by a node whose configuration differs from the current limits.
 */
export interface SetOrderLimits extends OperatorAct {
  readonly type: "setOrderLimits";
  readonly rules: readonly OrderLimit[];
}
/** A setting of the nodes, with its name in their configuration files. `value` is JSON with sorted keys. */
export interface SharedSetting {
  readonly name: string;
  readonly value: string;
}
/**
 * Sets the settings that all nodes of the exchange must share. The engine only stores them: a node with different
 * settings does not start, or stops.
 */
export interface SetSharedSettings extends OperatorAct {
  readonly type: "setSharedSettings";
  readonly settings: readonly SharedSetting[];
}
/** Money arrives. `amount` is a decimal of the asset. A repeated `reference` is rejected, so that retries are safe. */
export interface Deposit extends OperatorAct {
  readonly type: "deposit";
  readonly accountId: number;
  readonly asset: string;
  readonly amount: string;
  readonly reference: string;
}
/** An operator removes money from the free balance. `reference` works as in `Deposit`. */
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

// Approval requests: actions that need dual approval.

/** An action with the name of its author: any operator command except those on sessions and on approval requests. */
export type ProposedAct =
  | OperatorCommand
  | Invite
  | RevokeInvitation
  | Exclude<VenueCommand, { readonly type: "noteUnknownDeposit" }>;

/** An action that waits for approval. */
export interface ProposalRecord {
  /** 32 hex digits. */
  readonly proposalId: string;
  /** Increases from 1 with every change of the action or of its reason. */
  readonly version: number;
  readonly act: ProposedAct;
  readonly why: string;
  /**
   * The operators who created or changed the request, none of whom may approve it. The last one is the author of this
   * version.
   */
  readonly authors: readonly string[];
  readonly approvals: readonly string[];
  readonly createdMs: number;
  readonly changedMs: number;
  readonly untilMs: number;
}

/** `cancelled` means that the author may no longer create approval requests. */
export const PROPOSAL_STATUSES = ["waiting", "done", "rejected", "expired", "cancelled"] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

// Commands on approval requests: `by` is an operator who is signed in.

/** `by` names the operator and is stored in the journal. */
interface Act {
  readonly by: string;
}

/** `act.by` is the author, equal to `by`. */
export interface Propose extends Act {
  readonly type: "propose";
  readonly proposalId: string;
  readonly act: ProposedAct;
  readonly why: string;
}
/** Changes the action or the reason, which invalidates all approvals. */
export interface ChangeProposal extends Act {
  readonly type: "changeProposal";
  readonly proposalId: string;
  readonly version: number;
  readonly act: ProposedAct;
  readonly why: string;
}
/** The last required approval executes the action. If the action is rejected, so is the approval. */
export interface ApproveProposal extends Act {
  readonly type: "approveProposal";
  readonly proposalId: string;
  readonly version: number;
}
/** Rejects a request. Operators who may approve it, and its authors, may do this. */
export interface RejectProposal extends Act {
  readonly type: "rejectProposal";
  readonly proposalId: string;
  readonly why: string;
}
export type ProposalCommand = Propose | ChangeProposal | ApproveProposal | RejectProposal;
