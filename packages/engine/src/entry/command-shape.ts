/**
 * The fields of every command that the journal stores as JSON, and of a batch's header, with their types and lengths.
 * They are checked first, so that the engine processes no malformed command.
 */
import type {
  AccessCommand,
  AddPast,
  Command,
  GrantRole,
  NodeBatch,
  OperatorCommand,
  ProposalCommand,
  VenueCommand,
  WalletCommand,
} from "./command.ts";
import { OPERATOR_ROLES } from "./access.ts";
import { ADJUSTMENT_CATEGORIES, HOUSE_ACCOUNTS, UNKNOWN_DEPOSIT_REASONS } from "./venue.ts";
import {
  MAX_ALLOWED_ADDRESSES,
  MAX_APPROVAL_RULES,
  MAX_APPROVALS,
  MAX_CHAIN_TEXT_LENGTH,
  MAX_CLIENT_LENGTH,
  MAX_CONFIRMATIONS,
  MAX_DUST_ASSETS,
  MAX_DUST_PAUSE_MS,
  MAX_CANDLE_AMOUNT_DIGITS,
  MAX_CANDLES_A_COMMAND,
  MAX_DAY_MOVE_BPS,
  MAX_DAY_TRADES,
  MAX_FEE_BPS,
  MAX_NETWORKS_PER_ASSET,
  MAX_NODE_NAME_LENGTH,
  MAX_NOTE_LENGTH,
  MAX_OPERATOR_NAME_LENGTH,
  MAX_ORDER_LIMITS,
  MAX_ORDER_WINDOW_MS,
  MAX_RELEASE_LENGTH,
  MAX_ROLE_LENGTH,
  MAX_SEALED_LENGTH,
  MAX_SETTING_LENGTH,
  MAX_SHARED_SETTINGS,
  MAX_SIGNED_TX_LENGTH,
  MAX_STATUS_OBJS,
  MAX_TEXT_LENGTH,
  MAX_WITHDRAW_ORDER_ID_LENGTH,
  MAX_TRADES_A_CANDLE,
} from "../limits.ts";
import { eachField, EXCHANGE_FILTERS, type FieldKind, SYMBOL_FILTERS } from "../filters.ts";
import type { AssetNetwork, AssetSpec, LimitsOverTime, SymbolSpec, WithdrawalLimits } from "./symbol.ts";
import { type DustRules, LETTER_STATUSES } from "./wallet-record.ts";
import { isKnownGenerator, PAST_INTERVALS } from "./past-candle.ts";
import {
  type Check,
  type Shape,
  fields,
  integer,
  isBoolean,
  isNumber,
  isString,
  listOf,
  matching,
  nullable,
  oneOf,
  optional,
  text,
  tuple,
} from "./shape.ts";

/** The commands whose fields are checked here. */
export type ShapedCommand =
  | OperatorCommand
  | WalletCommand
  | AccessCommand
  | VenueCommand
  | ProposalCommand
  | NodeBatch
  | GrantRole;
type Shapes = { readonly [Type in ShapedCommand["type"]]: Shape<Omit<Extract<ShapedCommand, { type: Type }>, "type">> };

const hash = matching(/^[0-9a-f]{64}$/);
const count = integer(0, Number.MAX_SAFE_INTEGER - 1);
const note = text(0, MAX_TEXT_LENGTH);
const name = text(1, MAX_TEXT_LENGTH);
/** Printable ASCII without spaces, as chains write it. */
const chainText = matching(/^[!-~]+$/, MAX_CHAIN_TEXT_LENGTH);
const tag = matching(/^[ -~]*$/, MAX_CHAIN_TEXT_LENGTH);
const withdrawalId = matching(/^[0-9a-f]{32}$/);
const confirmationHash = matching(/^([0-9a-f]{64})?$/);
const node = matching(/^[A-Za-z0-9._-]+$/, MAX_NODE_NAME_LENGTH);
const incarnation = matching(/^[0-9a-f]{16}$/);
const sealed = text(1, MAX_SEALED_LENGTH);
const id = matching(/^[0-9a-f]{32}$/);
const secretHash = matching(/^[0-9a-f]{64}$/);
const operatorName = matching(/^[a-z][a-z0-9._-]*$/, MAX_OPERATOR_NAME_LENGTH);
const holder = matching(/^(account:[1-9][0-9]{0,15}|operator:[a-z][a-z0-9._-]{0,31})$/);
const scope = matching(/^(trading|placing|withdrawals|(coin|network):[!-~ ]+)$/, MAX_TEXT_LENGTH + 16);
const reason = text(1, MAX_NOTE_LENGTH);
/** Whether the action is well-formed is checked when it is executed. */
const isProposed: Check = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** More than any list of an operator needs, such as permissions and addresses of keys, or order types of a symbol. */
const MAX_LIST_LENGTH = MAX_ALLOWED_ADDRESSES;

const coin = { network: name, txId: chainText, output: count };
const act = { by: isString };
const code = { totpStep: optional(count), totpSecret: optional(sealed) };
const perhapsByHand = { by: optional(isString) };
const depositStep = {
  ...{ ...coin, ...perhapsByHand, asset: optional(isString), amount: optional(isString) },
  ...{ address: optional(chainText), tag: optional(tag) },
};

const NETWORK: Shape<AssetNetwork> = {
  network: name,
  isDefault: isBoolean,
  depositEnabled: isBoolean,
  withdrawEnabled: isBoolean,
  withdrawFee: isString,
  withdrawMin: isString,
  withdrawMax: isString,
  withdrawStep: optional(isString),
  depositStep: optional(isString),
  depositMin: optional(isString),
  creditConfirmations: optional(integer(1, MAX_CONFIRMATIONS)),
  finalConfirmations: optional(integer(1, MAX_CONFIRMATIONS)),
  isTagged: optional(isBoolean),
  confirmsByMail: optional(isBoolean),
  approvalAbove: optional(isString),
  depositTip: optional(note),
};
const networks = listOf(fields(NETWORK), MAX_NETWORKS_PER_ASSET);

const limitsOverTime = fields({
  per24h: optional(isString),
  per72h: optional(isString),
} satisfies Shape<LimitsOverTime>);
const withdrawalLimits = fields({
  account: optional(limitsOverTime),
  allCustomers: optional(limitsOverTime),
} satisfies Shape<WithdrawalLimits>);

const ASSET: Shape<AssetSpec> = {
  asset: isString,
  name: isString,
  precision: isNumber,
  networks,
  withdrawalLimits: optional(withdrawalLimits),
};

const FIELD_CHECKS: Readonly<Record<FieldKind, Check>> = {
  ...{ price: isString, quantity: isString, amount: isString, multiplier: isString },
  ...{ minutes: isNumber, count: isNumber, flag: isBoolean },
};
/** The form of the filters in a table. */
function filtersIn(table: typeof SYMBOL_FILTERS | typeof EXCHANGE_FILTERS): Check {
  const shapes = Object.entries(eachField(table, FIELD_CHECKS));
  return fields(Object.fromEntries(shapes.map(([key, shape]) => [key, optional(fields(shape))])));
}
const filters = filtersIn(SYMBOL_FILTERS);

const SYMBOL: Shape<SymbolSpec> = {
  symbol: isString,
  status: isString,
  baseAsset: isString,
  quoteAsset: isString,
  orderTypes: listOf(isString, MAX_LIST_LENGTH),
  icebergAllowed: isBoolean,
  ocoAllowed: isBoolean,
  quoteOrderQtyMarketAllowed: isBoolean,
  filters,
  acceptRounding: optional(isBoolean),
};

const DUST_RULES: Shape<DustRules> = {
  dustAsset: isString,
  chargeBps: integer(0, MAX_FEE_BPS),
  limitAsset: isString,
  limit: isString,
  pauseMs: integer(0, MAX_DUST_PAUSE_MS),
};

const PAST_ASSET: Shape<AddPast["base"]> = {
  dayMoveBps: integer(0, MAX_DAY_MOVE_BPS),
  marketPercent: integer(0, 100),
};
const decimal = matching(/^[0-9]{1,20}(\.[0-9]{1,20})?$/, 41);
const traded: Check = (value) => decimal(value) && wholeDigits(value as string) <= MAX_CANDLE_AMOUNT_DIGITS;
const trades = integer(0, MAX_TRADES_A_CANDLE);
const candle = tuple(count, decimal, decimal, decimal, decimal, traded, traded, trades, traded, traded);

function wholeDigits(amount: string): number {
  const point = amount.indexOf(".");
  return point === -1 ? amount.length : point;
}

const SHAPES: Shapes = {
  assignDepositAddress: { accountId: count, network: name, address: chainText, tag },
  seeDeposit: { ...coin, ...perhapsByHand, asset: isString, address: chainText, tag, amount: isString },
  creditDeposit: depositStep,
  finishDeposit: depositStep,
  dropDeposit: depositStep,
  requestWithdrawal: {
    withdrawalId,
    accountId: count,
    asset: isString,
    network: note,
    address: chainText,
    tag,
    amount: isString,
    name: note,
    withdrawOrderId: text(0, MAX_WITHDRAW_ORDER_ID_LENGTH),
    totpStep: nullable(count),
    totpSecret: optional(sealed),
    confirmationHash,
    isBySession: optional(oneOf(true)),
  },
  confirmWithdrawal: { withdrawalId, confirmationHash },
  cancelWithdrawal: { ...perhapsByHand, accountId: count, withdrawalId },
  signWithdrawal: {
    ...perhapsByHand,
    withdrawalId,
    txId: chainText,
    nonce: count,
    signedTx: text(1, MAX_SIGNED_TX_LENGTH),
  },
  completeWithdrawal: { ...perhapsByHand, withdrawalId, txId: chainText },
  failWithdrawal: { ...perhapsByHand, withdrawalId, why: note },
  failSignedWithdrawal: { ...perhapsByHand, withdrawalId, txId: chainText, nonce: count, why: note },
  changeLetter: { ...perhapsByHand, withdrawalId, from: oneOf(...LETTER_STATUSES), to: oneOf(...LETTER_STATUSES) },
  payNetworkCost: { network: name, txId: chainText, asset: isString, amount: isString },
  advanceNetwork: { ...perhapsByHand, network: name, height: count, blockHash: chainText },
  transfer: {
    ...{ accountId: count, fromAccountId: count, toAccountId: count, asset: isString, amount: isString },
    clientTranId: optional(name),
  },
  convertDust: { accountId: count, assets: listOf(isString, MAX_DUST_ASSETS) },
  lockApiTrading: { accountId: count, symbol: isString, indicator: oneOf("UFR", "IFER", "GCR") },

  approveWithdrawal: { ...act, withdrawalId },
  rejectWithdrawal: { ...act, withdrawalId, why: note },
  setAssetNetworks: { ...act, asset: isString, networks },
  setWithdrawalLimits: { ...act, asset: isString, limits: withdrawalLimits },
  setAccountWithdrawalLimits: { ...act, accountId: count, asset: isString, limits: nullable(limitsOverTime) },
  setAddressList: { ...act, ...code, accountId: count, isEnforced: isBoolean, fromMs: optional(count) },
  allowAddress: {
    ...act,
    ...code,
    accountId: count,
    network: name,
    address: chainText,
    tag,
    name: note,
    fromMs: optional(count),
  },
  disallowAddress: { ...act, accountId: count, network: name, address: chainText, tag },
  setTotp: { ...act, ...code, accountId: count, sealedSecret: nullable(sealed) },
  setAccountStatus: { ...act, accountId: count, message: note, objs: listOf(note, MAX_STATUS_OBJS) },
  unlockApiTrading: { ...act, accountId: count },
  setMaintenance: { ...act, isOn: isBoolean },
  setDustRules: { ...act, rules: fields(DUST_RULES) },
  distributeDividend: {
    ...act,
    reference: name,
    heldAsset: isString,
    paidAsset: isString,
    amount: isString,
    info: note,
  },

  listAsset: { ...act, asset: fields(ASSET) },
  listSymbol: { ...act, symbol: fields(SYMBOL) },
  setSymbolStatus: { ...act, symbol: isString, status: isString },
  setSymbolFilters: { ...act, symbol: isString, filters, acceptRounding: optional(isBoolean) },
  setExchangeFilters: { ...act, filters: filtersIn(EXCHANGE_FILTERS) },
  openAccount: {
    ...act,
    email: isString,
    name: isString,
    makerBps: isNumber,
    takerBps: isNumber,
    masterId: optional(count),
  },
  changeAccount: {
    ...act,
    accountId: count,
    email: optional(name),
    makerBps: optional(isNumber),
    takerBps: optional(isNumber),
    canTrade: optional(isBoolean),
    canWithdraw: optional(isBoolean),
    canDeposit: optional(isBoolean),
    isEnabled: optional(isBoolean),
    confirmsByMail: optional(isBoolean),
    endOrders: optional(oneOf(true)),
  },
  setSymbolFee: {
    ...act,
    accountId: count,
    symbol: isString,
    makerBps: nullable(isNumber),
    takerBps: nullable(isNumber),
  },
  createApiKey: {
    ...act,
    ...code,
    accountId: count,
    apiKey: isString,
    sealedSecret: isString,
    publicKey: optional(isString),
    permissions: listOf(isString, MAX_LIST_LENGTH),
    ipAllowList: listOf(isString, MAX_LIST_LENGTH),
    label: isString,
  },
  deleteApiKey: { ...act, apiKey: isString },
  bindMasterKey: { ...act, keyCheck: matching(/^[0-9a-f]{64}$/) },
  setOrderLimits: {
    ...act,
    rules: listOf(
      fields({ windowMs: integer(1, MAX_ORDER_WINDOW_MS), limit: integer(1, Number.MAX_SAFE_INTEGER) }),
      MAX_ORDER_LIMITS,
    ),
  },
  setSharedSettings: {
    ...act,
    settings: listOf(fields({ name, value: text(1, MAX_SETTING_LENGTH) }), MAX_SHARED_SETTINGS),
  },
  deposit: { ...act, accountId: count, asset: isString, amount: isString, reference: isString },
  debit: { ...act, accountId: count, asset: isString, amount: isString, reference: isString },

  invite: {
    ...act,
    invitationId: id,
    secretHash,
    email: name,
    holder: nullable(holder),
    opens: nullable(fields({ name: note, makerBps: integer(0, MAX_FEE_BPS), takerBps: integer(0, MAX_FEE_BPS) })),
    untilMs: count,
  },
  revokeInvitation: { ...act, invitationId: id },
  acceptInvitation: { invitationId: id, secretHash, sealedPassword: sealed, name: optional(note) },
  setPassword: { ...act, ...code, holder, was: sealed, sealedPassword: sealed, except: nullable(id) },
  openSession: {
    holder,
    sessionId: id,
    secretHash,
    sealedPassword: sealed,
    totpStep: nullable(count),
    totpSecret: optional(sealed),
    untilMs: count,
    ip: text(0, MAX_CLIENT_LENGTH),
    client: text(0, MAX_CLIENT_LENGTH),
  },
  renewSession: { sessionId: id, secretHash, newSecretHash: secretHash },
  closeSession: { ...act, sessionId: id },
  closeSessions: { ...act, holder, except: nullable(id) },
  askRecovery: { holder, recoveryId: id, secretHash, fromMs: count, untilMs: count },
  cancelRecovery: { ...act, recoveryId: id },
  recover: { recoveryId: id, secretHash, sealedPassword: sealed },
  freezeAccount: { ...act, accountId: count },
  tellAlreadyKnown: { holder },
  changeNotice: { noticeId: count, from: oneOf(...LETTER_STATUSES), to: oneOf(...LETTER_STATUSES) },

  setStop: { ...act, scope, why: reason, untilMs: nullable(count) },
  liftStop: { ...act, scope },
  adjust: {
    ...act,
    accountId: count,
    asset: isString,
    direction: oneOf("credit", "debit"),
    amount: isString,
    house: oneOf(...HOUSE_ACCOUNTS),
    category: oneOf(...ADJUSTMENT_CATEGORIES),
    why: reason,
    reference: name,
  },
  noteAccount: { ...act, accountId: count, text: reason },
  noteUnknownDeposit: {
    ...coin,
    ...perhapsByHand,
    address: chainText,
    tag,
    coin: chainText,
    amount: chainText,
    reason: oneOf(...UNKNOWN_DEPOSIT_REASONS),
  },
  settleUnknownDeposit: {
    ...act,
    ...coin,
    how: oneOf("credit", "keep", "dismiss"),
    toAccountId: nullable(count),
    asset: nullable(name),
    amount: nullable(name),
    why: reason,
  },
  openOperator: { ...act, name: operatorName, email: name, role: oneOf(...OPERATOR_ROLES) },
  changeOperator: {
    ...act,
    name: operatorName,
    email: optional(name),
    role: optional(oneOf(...OPERATOR_ROLES)),
    isEnabled: optional(isBoolean),
  },
  setOperatorTotp: { ...act, ...code, name: operatorName, sealedSecret: nullable(sealed) },
  setApprovalRules: {
    ...act,
    rules: fields({
      approvals: integer(1, MAX_APPROVALS),
      withdrawalsAbove: listOf(fields({ asset: name, amount: name }), MAX_APPROVAL_RULES),
      acts: listOf(name, MAX_APPROVAL_RULES),
    }),
  },
  propose: { ...act, proposalId: id, act: isProposed, why: reason },
  changeProposal: { ...act, proposalId: id, version: count, act: isProposed, why: reason },
  approveProposal: { ...act, proposalId: id, version: count },
  rejectProposal: { ...act, proposalId: id, why: reason },
  breakGlass: { ...act, why: reason },
  stopBreakGlass: { ...act },
  publishProof: { ...act, number: integer(1, Number.MAX_SAFE_INTEGER), seq: count, root: hash, previous: hash },
  endOrder: { ...act, orderId: count, why: reason },
  endAccountOrders: { ...act, accountId: count, symbol: optional(isString), why: reason },
  endSymbolOrders: { ...act, symbol: isString, why: reason },
  setDelisting: { ...act, symbol: isString, atMs: nullable(count), why: reason },

  nodeBatch: {
    node,
    incarnation,
    replaces: matching(/^([0-9a-f]{16})?$/),
    number: integer(1, Number.MAX_SAFE_INTEGER),
    atSeq: count,
    digest: matching(/^[0-9a-f]{16}$/),
    release: matching(/^[!-~]+$/, MAX_RELEASE_LENGTH),
  },
  grantRole: { role: text(1, MAX_ROLE_LENGTH), node, incarnation, after: count },

  addPast: {
    ...act,
    symbol: isString,
    generator: isKnownGenerator,
    seed: count,
    endMs: count,
    endPrice: decimal,
    dayVolume: decimal,
    dayTrades: integer(1, MAX_DAY_TRADES),
    base: fields(PAST_ASSET),
    quote: fields(PAST_ASSET),
  },
  importKlines: {
    ...act,
    symbol: isString,
    interval: oneOf(...PAST_INTERVALS),
    candles: listOf(candle, MAX_CANDLES_A_COMMAND),
  },
};

const CHECKS: ReadonlyMap<Command["type"], Check> = new Map(
  Object.entries(SHAPES).map(([type, shape]) => [type as Command["type"], fields(shape)]),
);

/** Whether the command has the fields of its type. For the other packed commands, their layout ensures this. */
export function isWellFormed(command: ShapedCommand): boolean {
  return CHECKS.get(command.type)?.(command) ?? false;
}

/** Like `isWellFormed`, but without additional fields, because approvers agree to an action and not to other data. */
export function isExactlyFormed({ type, ...rest }: ShapedCommand): boolean {
  return CHECKS.get(type)?.(rest, true) ?? false;
}
