/**
 * Commands: all inputs that can change the exchange. A command and the time of its entry are the only inputs of the
 * engine. Frequent commands refer to accounts, symbols and assets by number. Each command is a row of a table, from
 * which its type and the checks of its fields are derived. The tables are here, in imported files, and in
 * `packed-command.ts`.
 */
import { INTERFACES } from "./edition.ts";
import { ORDER_ID_SCOPES } from "./order-id.ts";
import {
  MAX_FILL_CREDIT,
  MAX_CANDLE_AMOUNT_DIGITS,
  MAX_CANDLES_A_COMMAND,
  MAX_DAY_MOVE_BPS,
  MAX_DAY_TRADES,
  MAX_DISCOUNT_FACTOR_BPS,
  MAX_EXCLUDED_SYMBOLS,
  MAX_NODE_NAME_LENGTH,
  MAX_ORDER_LIMITS,
  MAX_ORDER_WINDOW_MS,
  MAX_RELEASE_LENGTH,
  MAX_ROLE_LENGTH,
  MAX_SETTING_LENGTH,
  MAX_SHARED_SETTINGS,
  MAX_TRADES_A_CANDLE,
} from "../limits.ts";
import { language, ACCESS_COMMANDS, type AccessCommand, CODE, type Permission } from "./access.ts";
import * as digest from "./digest.ts";
import type { NodeBatch, OrderCommand } from "./packed-command.ts";
import { isKnownGenerator, PAST_INTERVALS } from "./past-candle.ts";
import {
  AUTHOR,
  type Check,
  type CommandsOf,
  count,
  fields,
  hash,
  id,
  integer,
  isBoolean,
  isNumber,
  isString,
  listOf,
  matching,
  name,
  nullable,
  oneOf,
  optional,
  reason,
  type Shape,
  type Shaped,
  stringAs,
  text,
  tuple,
} from "./shape.ts";
import {
  ASSET,
  exchangeFilters,
  MAX_LIST_LENGTH,
  PRICE_RANGE_RULE,
  SELF_TRADE_PREVENTION,
  SYMBOL,
  symbolFilters,
  type SymbolStatus,
} from "./symbol.ts";
import { VENUE_COMMANDS, type VenueCommand } from "./venue.ts";
import { WALLET_ACTS, WALLET_COMMANDS, type WalletAct, type WalletCommand } from "./wallet-command.ts";

export { CANCEL_REPLACE_MODES } from "./packed-command.ts";
export type * from "./packed-command.ts";
export type { CoinId, DepositContents, WalletAct, WalletCommand } from "./wallet-command.ts";

/** A journaled command. `seq` counts from 1 without gaps; `timeMs` is the sequencer's clock and never decreases. */
export interface Entry {
  readonly seq: number;
  readonly timeMs: number;
  readonly command: Command;
}

/** A command that changes the exchange itself. Any node may send it, by itself or as the owner of a task. */
export type ExchangeCommand =
  | OrderCommand
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

type AnyCommand = ExchangeCommand | NodeBatch | CommandsOf<typeof NODE_COMMANDS> | AsHolder;
type CommandsByType = { readonly [Any in AnyCommand as Any["type"]]: Any };
export type CommandType = AnyCommand["type"];

/** Any command, or the command of the given type. */
export type Command<Type extends CommandType = CommandType> = CommandsByType[Type];

/** Whether a task owner may send the command: all except those that coordinate the nodes themselves. */
export function isExchangeCommand(command: Pick<Command, "type">): command is ExchangeCommand {
  return command.type !== "nodeBatch" && command.type !== "grantRole" && command.type !== "asHolder";
}

/** The executed command, which is the inner one if a task owner sends it. */
export function innerCommand(command: Command): Exclude<Command, AsHolder> {
  return command.type === "asHolder" ? command.command : command;
}

// Candles from before a symbol's first trade. docs/decisions/0025, 0026

/** One candle in the format of the interface: prices, volumes and taker buy volumes are decimals. */
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

const decimal = matching(/^[0-9]{1,20}(\.[0-9]{1,20})?$/, 41);
const traded: Check<string> = (value) => decimal(value) && wholeDigits(value as string) <= MAX_CANDLE_AMOUNT_DIGITS;
const trades = integer(0, MAX_TRADES_A_CANDLE);
const prices = [decimal, decimal, decimal, decimal] as const;
const candle: Check<ImportedCandle> = tuple(count, ...prices, traded, traded, trades, traded, traded);
const pastAsset = fields({ dayMoveBps: integer(0, MAX_DAY_MOVE_BPS), marketPercent: integer(0, 100) });

function wholeDigits(amount: string): number {
  const point = amount.indexOf(".");
  return point === -1 ? amount.length : point;
}

// Commands of operators: listings, accounts, and manual movements of money.

const ORDER_LIMIT = {
  windowMs: integer(1, MAX_ORDER_WINDOW_MS),
  limit: integer(1, Number.MAX_SAFE_INTEGER),
};
/** Allows an account at most `limit` orders in each calendar window of this length. */
export type OrderLimit = Shaped<typeof ORDER_LIMIT>;

const FILL_CREDITS = { taker: integer(0, MAX_FILL_CREDIT), maker: integer(0, MAX_FILL_CREDIT) };
/** How many orders the first fill of an order takes off its account's counts, by the order's role in this fill. */
export type FillCredits = Shaped<typeof FILL_CREDITS>;

const SETTING = { name, value: text(1, MAX_SETTING_LENGTH) };
/** A setting of the nodes, with its name in their configuration files. `value` is JSON with sorted keys. */
export type SharedSetting = Shaped<typeof SETTING>;

const DISCOUNT_RULES = {
  /** The asset in which the discounted commission is paid. */
  asset: isString,
  /** The part of the commission that remains, in basis points. */
  factorBps: integer(1, MAX_DISCOUNT_FACTOR_BPS),
  /** Symbols without the discount. */
  excludedSymbols: listOf(isString, MAX_EXCLUDED_SYMBOLS),
};
/** A venue's discount on commission that is paid in another asset. */
export type DiscountRules = Shaped<typeof DISCOUNT_RULES>;

/**
 * The fields of a deposit or debit. `amount` is a decimal of the asset. A repeated `reference` is rejected, so that
 * retries are safe.
 */
const moved = { ...AUTHOR, accountId: count, asset: isString, amount: isString, reference: isString };

const OPERATOR_COMMANDS = {
  listAsset: { ...AUTHOR, asset: fields(ASSET) },
  listSymbol: { ...AUTHOR, symbol: fields(SYMBOL) },
  setSymbolStatus: { ...AUTHOR, symbol: isString, status: stringAs<SymbolStatus>() },
  /**
   * Replaces all filters of a symbol. The scale that was chosen at listing does not change. `acceptRounding` is that of
   * `SymbolSpec`, and does not change if absent.
   */
  setSymbolFilters: { ...AUTHOR, symbol: isString, filters: symbolFilters, acceptRounding: optional(isBoolean) },
  /** Replaces the symbol's modes of self-trade prevention. Open orders keep theirs. Since rules version 5. */
  setSelfTradePrevention: { ...AUTHOR, symbol: isString, ...SELF_TRADE_PREVENTION },
  /** Replaces the execution rule PRICE_RANGE of a symbol; null removes it. Since rules version 5. */
  setPriceRange: { ...AUTHOR, symbol: isString, priceRange: nullable(fields(PRICE_RANGE_RULE)) },
  setExchangeFilters: { ...AUTHOR, filters: exchangeFilters },
  /** `email` is unique. Rates are basis points (1/100 of a percent) of the amount received, 0 to 10000. */
  openAccount: {
    ...AUTHOR,
    email: isString,
    name: isString,
    makerBps: isNumber,
    takerBps: isNumber,
    /** The master of a sub-account; absent for a master account. */
    masterId: optional(count),
  },
  /** Absent fields do not change. */
  changeAccount: {
    ...AUTHOR,
    accountId: count,
    /** The address for emails and sign-in. Stored in lower case. Since rules version 4. */
    email: optional(name),
    makerBps: optional(isNumber),
    takerBps: optional(isNumber),
    canTrade: optional(isBoolean),
    canWithdraw: optional(isBoolean),
    canDeposit: optional(isBoolean),
    /** Only for sub-accounts. A disabled sub-account cannot trade. Interface 3.9. */
    isEnabled: optional(isBoolean),
    /** Whether withdrawals wait for the emailed link, regardless of the asset. */
    confirmsByMail: optional(isBoolean),
    /**
     * Only for master accounts: whether self-trade prevention applies among the account and its sub-accounts. Since
     * rules version 5.
     */
    isTradeGroup: optional(isBoolean),
    /**
     * Whether the account pays commission in the venue's discount asset where it can. The customer may change it alone.
     * Since rules version 5.
     */
    paysInDiscountAsset: optional(isBoolean),
    /** The language of emails to the customer, who may change it alone. */
    language: optional(language),
    /** Also ends the account's open orders. Allowed only if `canTrade` or `isEnabled` is set to false. */
    endOrders: optional(oneOf(true)),
  },
  /** Overrides the account's rates on one symbol. If both are null, the override is removed. */
  setSymbolFee: {
    ...AUTHOR,
    accountId: count,
    symbol: isString,
    makerBps: nullable(isNumber),
    takerBps: nullable(isNumber),
  },
  /**
   * The secret is sealed (encrypted with the node's master key), so that the engine never receives it in plain text. A
   * key has either a secret or `publicKey`, as in `ApiKey`.
   */
  createApiKey: {
    ...AUTHOR,
    ...CODE,
    accountId: count,
    apiKey: isString,
    sealedSecret: isString,
    publicKey: optional(isString),
    permissions: listOf(stringAs<Permission>(), MAX_LIST_LENGTH),
    /** IP addresses that may use the key; an empty list allows all. */
    ipAllowList: listOf(isString, MAX_LIST_LENGTH),
    label: isString,
  },
  deleteApiKey: { ...AUTHOR, apiKey: isString },
  /**
   * From this entry on, secrets are sealed with the master key that has this check value: 64 hex digits that are
   * derived from the key and do not reveal it. Allowed once per journal; a node with another key does not start on the
   * journal.
   */
  bindMasterKey: { ...AUTHOR, keyCheck: hash },
  /**
   * Sets the limits on orders. The engine counts the orders of each account in these windows; the nodes reject orders
   * over a limit before they are journaled. Without `fillCredits`, the counts do not depend on fills. Sent by a node
   * whose configuration differs from the current limits.
   */
  setOrderLimits: {
    ...AUTHOR,
    rules: listOf(fields(ORDER_LIMIT), MAX_ORDER_LIMITS),
    fillCredits: optional(fields(FILL_CREDITS)),
  },
  /**
   * Sets the settings that all nodes of the exchange must share. The engine only stores them: a node with different
   * settings does not start, or stops.
   */
  setSharedSettings: { ...AUTHOR, settings: listOf(fields(SETTING), MAX_SHARED_SETTINGS) },
  /**
   * From this entry on, the venue answers with this interface and the engine follows its rules (`INTERFACE_RULES`).
   * Open orders stay. Open listen keys end if the interface has none. Sent by a node whose configuration differs.
   */
  setInterface: { ...AUTHOR, interface: oneOf(...INTERFACES) },
  /**
   * Sets whether orders are numbered across the exchange or by symbol. Allowed only before the first order. Sent by a
   * node that creates the data folder. Since rules version 5.
   */
  setOrderIds: { ...AUTHOR, orderIds: oneOf(...ORDER_ID_SCOPES) },
  /**
   * Sets the discount on commission; null removes it. It applies from the next fill on, to accounts that have chosen
   * it (`paysInDiscountAsset`). Since rules version 5.
   */
  setCommissionDiscount: { ...AUTHOR, discount: nullable(fields(DISCOUNT_RULES)) },
  /** An operator credits money to the free balance. */
  deposit: moved,
  /** An operator debits money from the free balance. */
  debit: moved,

  /**
   * Generates synthetic candles from these parameters. Only for a symbol without trades and without earlier candles.
   */
  addPast: {
    ...AUTHOR,
    symbol: isString,
    /**
     * Version of the generator. A newer version requires a new rules version, so that older releases do not read the
     * journal.
     */
    generator: isKnownGenerator,
    seed: count,
    /** End of the last candle: a whole minute, not after the time of the entry. */
    endMs: count,
    /** The last close, a decimal on the symbol's tick. */
    endPrice: decimal,
    /** The amount of the base asset traded on an average day: a decimal on the symbol's step. */
    dayVolume: decimal,
    dayTrades: integer(1, MAX_DAY_TRADES),
    base: pastAsset,
    quote: pastAsset,
  },
  /** Imports recorded candles in order of time, after all existing candles and before the symbol's first trade. */
  importKlines: {
    ...AUTHOR,
    symbol: isString,
    interval: oneOf(...PAST_INTERVALS),
    candles: listOf(candle, MAX_CANDLES_A_COMMAND),
  },
};
export type OperatorCommand = CommandsOf<typeof OPERATOR_COMMANDS> | WalletAct;

// Approval requests: actions that need dual approval.

/** An action with the name of its author: any operator command, except those for sessions and approval requests. */
export type ProposedAct =
  | OperatorCommand
  | Extract<AccessCommand, { readonly type: "invite" | "revokeInvitation" }>
  | Exclude<VenueCommand, { readonly type: "noteUnknownDeposit" }>;

/** Digests an action of any type as JSON, which is how the journal stores it. */
const proposedAct: digest.Digested<ProposedAct> = (sum, act) => digest.text(sum, JSON.stringify(act));

/** An action that waits for approval. */
export type ProposalRecord = digest.RecordOf<typeof PROPOSAL>;
export const PROPOSAL = {
  /** 32 hex digits. */
  proposalId: digest.text,
  /** Increases from 1 with every change of the action or of its reason. */
  version: digest.number,
  act: proposedAct,
  why: digest.text,
  /**
   * The operators who created or changed the request, none of whom may approve it. The last one is the author of this
   * version.
   */
  authors: digest.listOf(digest.text),
  approvals: digest.listOf(digest.text),
  createdMs: digest.number,
  changedMs: digest.number,
  untilMs: digest.number,
};

/** `cancelled`: the author may no longer create approval requests. */
export const PROPOSAL_STATUSES = ["waiting", "done", "rejected", "expired", "cancelled"] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

/** Checks only that the action is an object. Its fields are checked when the command is executed. */
const proposed: Check<ProposedAct> = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Commands for approval requests. `by` is an operator who is signed in. */
const PROPOSAL_COMMANDS = {
  /** Requests approval of an action. `act.by` must equal `by`, the author. */
  propose: { ...AUTHOR, proposalId: id, act: proposed, why: reason },
  /** Changes the action or the reason, which invalidates all approvals. */
  changeProposal: { ...AUTHOR, proposalId: id, version: count, act: proposed, why: reason },
  /** The last required approval executes the action. If the action is rejected, so is the approval. */
  approveProposal: { ...AUTHOR, proposalId: id, version: count },
  /** Rejects a request. Its authors and the operators who may approve it may do this. */
  rejectProposal: { ...AUTHOR, proposalId: id, why: reason },
};
export type ProposalCommand = CommandsOf<typeof PROPOSAL_COMMANDS>;

// Commands that coordinate the nodes.

const node = matching(/^[A-Za-z0-9._-]+$/, MAX_NODE_NAME_LENGTH);
const incarnation = matching(/^[0-9a-f]{16}$/);

const NODE_COMMANDS = {
  /**
   * Grants a task (role) to a process of a node. Rejected (ROLE_TAKEN) unless `after` is the number of the last grant,
   * 0 before the first. The new number is one higher.
   */
  grantRole: { role: text(1, MAX_ROLE_LENGTH), node, incarnation, after: count },
};

/** The checks of a batch header, which is packed. Its layout does not limit its texts. */
const nodeBatch: { readonly [Field in Exclude<keyof NodeBatch, "type">]: Check<NodeBatch[Field]> } = {
  node,
  incarnation,
  replaces: matching(/^([0-9a-f]{16})?$/),
  number: integer(1, Number.MAX_SAFE_INTEGER),
  atSeq: count,
  digest: incarnation,
  release: matching(/^[!-~]+$/, MAX_RELEASE_LENGTH),
};

const SHAPES: Readonly<Record<string, Shape>> = {
  ...WALLET_COMMANDS,
  ...WALLET_ACTS,
  ...OPERATOR_COMMANDS,
  ...ACCESS_COMMANDS,
  ...VENUE_COMMANDS,
  ...PROPOSAL_COMMANDS,
  ...NODE_COMMANDS,
  nodeBatch,
};
const CHECKS: ReadonlyMap<string, Check> = new Map(
  Object.entries(SHAPES).map(([type, shape]) => [type, fields(shape)]),
);

/** The commands whose fields are checked here. The fields of other packed commands are valid by their layout. */
export type ShapedCommand = Exclude<Command, OrderCommand | AsHolder>;

/** Whether the command has all fields of its type, with values of the right types and lengths. */
export function isWellFormed(command: ShapedCommand): boolean {
  return CHECKS.get(command.type)?.(command) ?? false;
}

/**
 * Like `isWellFormed`, but also rejects additional fields, because approvers agree to the action and to no other data.
 */
export function isExactlyFormed({ type, ...rest }: ShapedCommand): boolean {
  return CHECKS.get(type)?.(rest, true) ?? false;
}
