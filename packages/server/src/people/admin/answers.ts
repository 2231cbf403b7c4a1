/**
 * Schemas of the admin API's answers. The console derives its types from them. The keys of a row schema are also the
 * columns of the CSV file, so their order must not change.
 */
import { INTERFACES, ORDER_ID_SCOPES } from "@pricetime/engine";
import { z } from "zod";
import { assetSchema, networkFields, symbolFiltersSchema, symbolSchema } from "../../platform/config/listing-schema.ts";
import { count, counts, flag, flags, limitWindows, type sessionRow, text, texts } from "../http/shapes.ts";

/** A value whose fields vary by kind. */
type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
const json = z.custom<Json>();
const jsonFields = z.record(z.string(), json);

// Accounts.

const accountFields = {
  ...{ accountId: count, ...texts("email", "name"), ...counts("makerBps", "takerBps") },
  ...{ ...flags("canTrade", "canWithdraw", "canDeposit"), createdMs: count, masterId: count.nullable() },
  ...{ ...flags("isEnabled", "confirmsByEmail", "isAddressListEnforced"), statusMessage: text },
  ...{ statusObjs: z.array(text), updateTimeMs: count, hasTotp: flag, isTradeGroup: flag.exactOptional() },
  paysInDiscountAsset: flag.exactOptional(),
};
/** `masterId`: null for a master account. */
export const accountRow = z.object(accountFields);
export type PlainAccount = z.output<typeof accountRow>;

const balance = z.object(texts("asset", "free", "locked"));
export type AccountBalance = z.output<typeof balance>;
/** `addressListEndsMs`: when the allowlist ends; absent unless it is being switched off. */
export const listedAccount = accountRow.extend({ addressListEndsMs: count.exactOptional() });
export const account = listedAccount.extend({ openOrders: count, balances: z.array(balance) });
export type WholeAccount = z.output<typeof account>;

const address = texts("network", "address", "tag", "name");
export const addressRow = z.object(address);
/** `fromMs`: when the address can first be used; absent if there is no waiting time. */
export const addressesAnswer = z.object({
  ...{
    accountId: count,
    isEnforced: flag,
    addresses: z.array(z.object({ ...address, fromMs: count.exactOptional() })),
  },
});
export type Addresses = z.output<typeof addressesAnswer>;

export const noteRow = z.object({ ...counts("seq", "timeMs", "accountId"), ...texts("text", "by") });
export type Note = z.output<typeof noteRow>;

export type CustomerSession = z.output<typeof sessionRow>;

/** `price` and quantities are 0 if the order has none. */
export const orderRow = z.object({
  ...{ orderId: count, ...texts("symbol", "side", "type", "timeInForce", "price", "stopPrice", "quantity") },
  ...{ ...texts("executed", "icebergQuantity", "clientOrderId"), ...counts("orderListId", "timeMs"), status: text },
});
export type OpenOrder = z.output<typeof orderRow>;

/** `untilMs`: absent if API trading is not locked. */
export const apiTrading = z.object({
  ...{ accountId: count, isLocked: flag, untilMs: count.exactOptional() },
  ...{ symbol: text.exactOptional(), indicator: text.exactOptional() },
});
export type ApiTrading = z.output<typeof apiTrading>;

const timelineRow = z.object({ timeMs: count, ...texts("kind", "what"), id: z.union([text, count]) }).catchall(json);
export type TimelineRow = z.output<typeof timelineRow>;
/** `before`: null on the last page. */
export const timeline = z.object({ accountId: count, rows: z.array(timelineRow), before: text.nullable() });
export type Timeline = z.output<typeof timeline>;

/** The optional fields depend on the kind of hit. */
const hit = z.object({
  ...{ ...texts("kind", "id"), accountId: count.nullable(), email: text.nullable(), label: text },
  ...{ timeMs: count.exactOptional(), symbol: text.exactOptional(), asset: text.exactOptional() },
  ...{ network: text.exactOptional(), status: text.exactOptional() },
});
export type Hit = z.output<typeof hit>;
export const searchResult = z.object({ text, hits: z.array(hit), isCut: flag });
export type SearchResult = z.output<typeof searchResult>;

/** `holder`: the existing account whose password the invitation resets; null if it opens a new account. */
export const invitationRow = z.object({
  ...{ ...texts("invitationId", "email"), holder: text.nullable() },
  opens: z.object({ name: text, ...counts("makerBps", "takerBps") }).nullable(),
  ...{ by: text, ...counts("createdMs", "untilMs") },
});
export type Invited = z.output<typeof invitationRow>;

export const operatorRow = z.object({
  ...{ ...texts("name", "email", "role"), ...flags("isEnabled", "hasPassword", "hasTotp") },
  ...counts("sessions", "createdMs"),
});
export type Operator = z.output<typeof operatorRow>;

/** `role`: null for the admin token. `untilMs`: the end of the session; absent for the admin token. */
export const me = z.object({
  ...{ name: text, role: text.nullable(), rights: z.array(text), ...flags("isToken", "hasTotp") },
  untilMs: count.exactOptional(),
});
export type Me = z.output<typeof me>;

/** `mark`: sent with the browser's next sign-in, so that failed attempts by other clients do not delay it. */
export const operatorSession = z.object({ token: text, untilMs: count, ...texts("name", "role", "mark") });
export type OperatorSession = z.output<typeof operatorSession>;

export const emailRow = z.object({
  ...{ emailId: text, createdMs: count, ...texts("to", "subject", "status"), attempts: count, error: text },
  ...{ withdrawalId: text.exactOptional(), notificationId: count.exactOptional() },
});
export const email = emailRow.extend({ text });
export type Email = z.output<typeof emailRow> & Partial<z.output<typeof email>>;

// Deposits, withdrawals, networks, treasury and limits.

/** `by`: the operator who took the last manual step. */
export const depositRow = z.object({
  ...{ depositId: count, ...texts("network", "txId"), output: count, accountId: count },
  ...{ ...texts("asset", "amount", "owedToTreasury", "address", "tag", "status"), insertTimeMs: count },
  by: text.exactOptional(),
});
export type Deposit = z.output<typeof depositRow>;

/** `accountId`: the account that the deposit was credited to. */
export const unattributedDepositRow = z.object({
  ...{ ...counts("seq", "seenMs"), ...texts("network", "txId"), output: count },
  ...{ ...texts("address", "tag", "asset", "amount", "reason", "status"), accountId: count.nullable() },
  ...{ why: text, updateTimeMs: count },
});
export type UnattributedDeposit = z.output<typeof unattributedDepositRow>;

/** `amount`: negative if the account was debited. */
export const adjustmentRow = z.object({
  ...counts("seq", "timeMs", "accountId"),
  ...texts("asset", "amount", "house", "category", "why", "reference", "by"),
});
export type Adjustment = z.output<typeof adjustmentRow>;

export const approvalReason = z.object({
  rule: z.enum(["network", "account", "allCustomers", "dualApproval"]),
  ...{ hours: count, ...texts("limit", "sum") },
});
export type ApprovalReason = z.output<typeof approvalReason>;

/** `by`: the operator who took the last step, or both operators if dual approval was required. */
export const withdrawalRow = z.object({
  ...{ withdrawalId: text, accountId: count, ...texts("asset", "network", "address", "tag", "amount", "fee") },
  ...{ ...texts("arrives", "name", "withdrawOrderId"), applyTimeMs: count, needsApproval: flag },
  ...{ approvalReasons: z.array(approvalReason), isSuspended: flag, status: text, updateTimeMs: count },
  ...{ txId: text, nonce: count, txIds: z.array(text), by: text.exactOptional(), needsDualApproval: flag },
});
export type OpenWithdrawal = z.output<typeof withdrawalRow>;
/** A withdrawal after an operator's decision. `why`: the reason for a rejection or failure. */
export const decidedWithdrawal = withdrawalRow.extend({ why: text.exactOptional() });

/** `seq`: the entry of the request. `why`: the reason for a rejection or failure, otherwise empty. */
export const pastWithdrawalRow = z.object({
  ...{ seq: count, withdrawalId: text, accountId: count, ...texts("asset", "network", "address", "tag") },
  ...{ ...texts("amount", "fee", "arrives", "name", "withdrawOrderId", "status", "why", "txId") },
  ...counts("applyTimeMs", "updateTimeMs"),
});
export type PastWithdrawal = z.output<typeof pastWithdrawalRow>;
/** A pending withdrawal, or a closed one, which has the fields of the history. */
export const anyWithdrawal = z.union([withdrawalRow, pastWithdrawalRow]);
export type AnyWithdrawal = z.output<typeof anyWithdrawal>;

/** `seq`: the number of the deposit, `depositId`. */
export const pastDepositRow = z.object({
  ...{ seq: count, accountId: count, ...texts("asset", "amount", "network", "txId"), output: count },
  ...{ ...texts("address", "tag", "status"), ...counts("insertTimeMs", "updateTimeMs") },
});
export type PastDeposit = z.output<typeof pastDepositRow>;

export const riskRow = z.object({
  ...{
    withdrawalId: text,
    accountId: count,
    email: text.nullable(),
    ...texts("asset", "network", "amount", "address"),
  },
  ...{ ...texts("tag", "status"), ...counts("applyTimeMs", "waitingMs"), needsApproval: flag, marks: z.array(text) },
  ...{ isOnAddressList: flag, ...counts("completedBefore", "completedToAddress") },
  ...{ newestDepositAgeMs: count.nullable(), accountAgeMs: count },
});
export type Risk = z.output<typeof riskRow>;

/** `owner`: the node that runs the network; absent if this node does. */
export const networkRow = z.object({
  ...{ ...texts("network", "kind"), isUp: flag, ...counts("height", "readHeight") },
  ...{ error: text, owner: text.exactOptional() },
});
export type NetworkState = z.output<typeof networkRow>;

const assetTreasury = z.object({
  ...{ ...texts("asset", "customers", "locked", "leaving"), holders: count, house: z.record(z.string(), text) },
  ...texts("net", "difference"),
  flows: z.object({ in: z.record(z.string(), text), out: z.record(z.string(), text), net: text }).exactOptional(),
});
export type AssetTreasury = z.output<typeof assetTreasury>;
const walletHolding = z.object({
  wallet: z.enum(["hot", "gas"]),
  ...texts("address", "asset", "amount"),
  block: count,
});
export type WalletHolding = z.output<typeof walletHolding>;
/** `wallets`: null if the balances are unknown; `error` gives the reason. */
const networkHoldings = z.object({ network: text, wallets: z.array(walletHolding).nullable(), error: text });
export type NetworkHoldings = z.output<typeof networkHoldings>;
export const treasuryRow = assetTreasury;
export const treasury = z.object({
  ...{ ...counts("seq", "timeMs"), ...texts("chainHash", "stateHash"), isBalanced: flag },
  ...{ assets: z.array(assetTreasury), wallets: z.array(networkHoldings) },
});
export type Treasury = z.output<typeof treasury>;

export const commissionDiscount = z.object({
  discount: z.object({ asset: text, factorBps: count, excludedSymbols: z.array(text) }).nullable(),
});
export type CommissionDiscountAnswer = z.output<typeof commissionDiscount>;

export const houseBalance = z.object(texts("account", "asset", "free"));
export type HouseBalance = z.output<typeof houseBalance>;

export const proofRow = z.object({ ...counts("number", "seq", "timeMs"), ...texts("digest", "publicKey") });
export type ProofSummary = z.output<typeof proofRow>;

/** `reserves` and `surplus`: null if no reserves of the asset are published. */
export const reservesRow = z.object({
  ...{ ...texts("asset", "owed"), reserves: text.nullable(), surplus: text.nullable() },
});
export type ReservesOfAsset = z.output<typeof reservesRow>;
const reserve = z.object({ ...texts("asset", "network", "address", "amount", "signature", "text"), block: count });
/** `digest`: null if no reserves are published. */
export const shownReserves = z.object({
  ...{ statement: text, digest: text.nullable(), assets: z.array(reservesRow), reserves: z.array(reserve) },
});
export type ShownReserves = z.output<typeof shownReserves>;

/** The withdrawal limits of all customers together. `accountLimit24h`, `accountLimit72h`: the limits per account. */
export const limitRow = z.object({
  ...{ asset: text, accountLimit24h: text.nullable(), accountLimit72h: text.nullable(), ...limitWindows },
});
export type LimitRow = z.output<typeof limitRow>;

// Dual approval.

/** An approver must have the right `needs` and must not be one of `authors`, the operators who edited the request. */
export const approvalRequestRow = z.object({
  ...{ requestId: text, version: count, action: z.looseObject({ type: text }), why: text },
  ...{ authors: z.array(text), approvals: z.array(text), approvalsNeeded: count, needs: text },
  ...counts("createdMs", "changedMs", "untilMs"),
});
export type ApprovalRequest = z.output<typeof approvalRequestRow>;
/** An approval request after it was approved or rejected. */
export const decidedRequest = approvalRequestRow.extend({ status: text });

export const approvalRules = z.object({
  ...{ approvals: count, withdrawalsAbove: z.array(z.object(texts("asset", "amount"))), actions: z.array(text) },
});
export type ApprovalRules = z.output<typeof approvalRules>;

const emergencyOverride = z.object({ ...texts("by", "why"), ...counts("sinceMs", "fromMs") });
export type EmergencyOverride = z.output<typeof emergencyOverride>;
/** `emergencyOverride`: null if dual approval is in force. */
export const overrideAnswer = z.object({ emergencyOverride: emergencyOverride.nullable() });
export type OverrideAnswer = z.output<typeof overrideAnswer>;

// Listings.

const listedNetwork = z.object(networkFields.shape);
export type ListedNetwork = z.output<typeof listedNetwork>;
export const assetRow = z.object({ ...assetSchema.shape, networks: z.array(listedNetwork) });
export type ListedAsset = z.output<typeof assetRow>;

const { filters, acceptRounding, ...symbolFields } = symbolSchema.shape;
const delisting = z.object({ ...counts("atMs", "sinceMs"), ...texts("why", "by") });
/** `isEndingOrders`: the symbol does not trade until its open orders are ended. `warnings`: complete sentences. */
export const symbolRow = z.object({
  ...{ ...symbolFields, ...counts("priceDecimals", "quantityDecimals"), filters, acceptRounding },
  ...{ warnings: z.array(text).exactOptional(), delisting: delisting.nullable(), isEndingOrders: flag },
  openOrders: count,
});
export type ListedSymbol = z.output<typeof symbolRow>;

/** `isOfSymbol`: whether the rates are set for this symbol and override the account's general rates. */
export const symbolFeesRow = z.object({
  ...{ accountId: count, email: text, ...counts("makerBps", "takerBps"), isOfSymbol: flag },
});
export type OtherRates = z.output<typeof symbolFeesRow>;
/** `next`: null on the last page. */
export const symbolFees = z.object({
  ...{ symbol: text, ...counts("makerBps", "takerBps"), accounts: z.array(symbolFeesRow), next: count.nullable() },
});
export type SymbolFees = z.output<typeof symbolFees>;

/** Settings from the configuration that operator actions depend on. */
export const configuration = z.object({
  ...{ fees: z.object(counts("makerBps", "takerBps")), invitationLifeMs: count, hasMailServer: flag, publicUrl: text },
});
export type Configuration = z.output<typeof configuration>;

/** The range of backfilled candles; fields without a value are null. */
export const backfilledCandles = z.object({
  ...{ symbol: text, interval: text.nullable(), firstMs: count.nullable(), endMs: count.nullable() },
  scale: z.object(counts("priceDecimals", "quantityDecimals", "quoteDecimals")).nullable(),
  firstTradeMs: count.nullable(),
});
export type BackfilledCandles = z.output<typeof backfilledCandles>;

/**
 * `refused`: number of rejected orders. `overCount`: for each filter on the number of orders, how many accounts exceed
 * it.
 */
export const filterPreview = z.object({
  ...{ symbol: text, filters: symbolFiltersSchema, warnings: z.array(text).exactOptional() },
  ...{ ...counts("openOrders", "refused", "accounts"), byReason: z.record(z.string(), count) },
  overCount: z.array(z.object({ filter: text, accounts: count })),
  examples: z.array(z.object({ accountId: count, ...orderRow.shape, reason: text })),
});
export type FilterPreview = z.output<typeof filterPreview>;

// The venue.

export const auditRow = z.object({
  ...{ ...counts("seq", "timeMs"), ...texts("type", "by"), accountId: count.nullable(), outcome: text },
  details: jsonFields,
});
export type OperatorAction = z.output<typeof auditRow>;

export const journalHead = z.object({
  ...{ ...counts("lastSeq", "lastTimeMs"), chainHash: text, ...counts("stateSeq", "stateTimeMs"), eventDigest: text },
});
export type JournalHead = z.output<typeof journalHead>;

export const journalRow = z.object({
  ...{ ...counts("seq", "timeMs"), ...texts("node", "type"), by: text.nullable(), accountId: count.nullable() },
  ...{ symbol: text.nullable(), command: jsonFields },
});
export type JournalEntry = z.output<typeof journalRow>;
const seqRange = z.object(counts("fromSeq", "toSeq"));
/** `searched`: the entries that were searched completely. `prior`, `next`: null if there is no such page. */
export const journalEntries = z.object({
  ...{ entries: z.array(journalRow), lastSeq: count, prior: count.nullable(), next: count.nullable() },
  searched: seqRange,
  chain: seqRange.extend({ isValid: flag, ...texts("priorHash", "hash"), fault: text.exactOptional() }),
});
export type JournalEntries = z.output<typeof journalEntries>;

/**
 * `scope`: `trading`, `placing`, `withdrawals`, `asset:BTC` or `network:ETH`. `untilMs`: null if it lasts until lifted.
 */
export const suspensionRow = z.object({ ...texts("scope", "why", "by"), sinceMs: count, untilMs: count.nullable() });
export type Suspension = z.output<typeof suspensionRow>;

const sentences = z.record(z.string(), text);
const numbers = z.record(z.string(), count);
/** `hour`: one sample per period, oldest first; null where no sample was taken. */
const figure = z.object({ ...texts("name", "unit"), now: count.nullable(), hour: z.array(count.nullable()) });
export type Figure = z.output<typeof figure>;

/** `unattributedDeposits`: number of unresolved ones. `isDustOffered`: whether customers can convert small balances. */
export const overview = z.object({
  ...{
    timeMs: count,
    version: text,
    interface: z.enum(INTERFACES),
    orderIds: z.enum(ORDER_ID_SCOPES),
    startedMs: count,
    isReady: flag,
  },
  ...{ faults: sentences, warnings: sentences, networks: sentences, tasks: sentences },
  ...{ isInMaintenance: flag, suspensions: z.array(suspensionRow), unattributedDeposits: count, isDustOffered: flag },
  ...{ markets: numbers, withdrawals: numbers },
  ...{
    journal: z.object({ ...counts("lastSeq", "lastTimeMs"), chainHash: text }),
    state: z.object(counts("seq", "timeMs")),
  },
  ...{ history: z.object(counts("seq", "lag")), disk: z.object(counts("freeBytes", "totalBytes")).nullable() },
  ...{ periodMs: count, figures: z.array(figure) },
});
export type Overview = z.output<typeof overview>;
