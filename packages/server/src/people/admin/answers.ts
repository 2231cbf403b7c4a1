/**
 * Schemas of the admin API's answers; the console derives its types from them. The keys of a row schema are also the
 * columns of the CSV file, so their order must not change.
 */
import { z } from "zod";
import { count, counts, flag, flags, text, texts } from "../http/shapes.ts";

const amountOrNone = text.nullable();

// Accounts.

const accountFields = {
  ...{ accountId: count, ...texts("email", "name"), ...counts("makerBps", "takerBps") },
  ...{ ...flags("canTrade", "canWithdraw", "canDeposit"), createdMs: count, masterId: count.nullable() },
  ...{ ...flags("isEnabled", "confirmsByEmail", "isAddressListEnforced"), statusMessage: text },
  ...{ statusObjs: z.array(text), updateTimeMs: count, hasTotp: flag },
};
/** `masterId`: null for a master account. */
export const accountRow = z.object(accountFields);
export type PlainAccount = z.output<typeof accountRow>;

const balance = z.object(texts("asset", "free", "locked"));
export type AccountBalance = z.output<typeof balance>;
/** `addressListEndsMs`: when the allowlist stops being enforced; absent unless it was switched off. */
export const listedAccount = accountRow.extend({ addressListEndsMs: count.exactOptional() });
export const account = listedAccount.extend({ openOrders: count, balances: z.array(balance) });
export type WholeAccount = z.output<typeof account>;

const address = texts("network", "address", "tag", "name");
export const addressRow = z.object(address);
/** `fromMs`: the time from which the address can be used; absent if there is no waiting time. */
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

/** `publicKey`: absent for keys that sign with a secret. */
export const keyRow = z.object({
  ...{ apiKey: text, accountId: count, permissions: z.array(text), ipAllowList: z.array(text) },
  ...{ label: text, createdMs: count, publicKey: text.exactOptional() },
});
export type Key = z.output<typeof keyRow>;

export const sessionRow = z.object({
  ...{ sessionId: text, ...counts("openedMs", "renewedMs", "untilMs"), ...texts("ip", "client") },
});
export type CustomerSession = z.output<typeof sessionRow>;

/** A price or quantity that the order does not have is 0. */
export const orderRow = z.object({
  ...{ orderId: count, ...texts("symbol", "side", "type", "timeInForce", "price", "stopPrice", "quantity") },
  ...{ ...texts("executed", "icebergQuantity", "clientOrderId"), ...counts("orderListId", "timeMs"), status: text },
});
export type OpenOrder = z.output<typeof orderRow>;

/** `holder`: the account that gets a new password; null if the invitation opens a new account. */
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

// Money.

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

/** `by`: the operator who took the last step, or both operators if two were required. */
export const withdrawalRow = z.object({
  ...{ withdrawalId: text, accountId: count, ...texts("asset", "network", "address", "tag", "amount", "fee") },
  ...{ ...texts("arrives", "name", "withdrawOrderId"), applyTimeMs: count, needsApproval: flag },
  ...{ approvalReasons: z.array(approvalReason), isSuspended: flag, status: text, updateTimeMs: count },
  ...{ txId: text, nonce: count, txIds: z.array(text), by: text.exactOptional() },
});
export type OpenWithdrawal = z.output<typeof withdrawalRow>;
/** The withdrawal after an operator's step. `why`: the reason for a rejection or failure. */
export const decidedWithdrawal = withdrawalRow.extend({ why: text.exactOptional() });

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

const windows = {
  ...{ limit24h: amountOrNone, withdrawn24h: text, left24h: amountOrNone },
  ...{ limit72h: amountOrNone, withdrawn72h: text, left72h: amountOrNone },
};
/** The limits of all customers together. `accountLimit24h`, `accountLimit72h`: the limits of each account. */
export const limitRow = z.object({
  ...{ asset: text, accountLimit24h: amountOrNone, accountLimit72h: amountOrNone, ...windows },
});
/** The limits of one account. `isOwn`: whether they are set for this account. */
export const accountLimitRow = z.object({ asset: text, isOwn: flag, ...windows });
export type AccountLimitRow = z.output<typeof accountLimitRow>;
export type LimitRow = z.output<typeof limitRow>;

// Dual approval.

/** An approver must have the right `needs`, and must not be one of `authors`: all operators who edited the request. */
export const approvalRequestRow = z.object({
  ...{ requestId: text, version: count, action: z.looseObject({ type: text }), why: text },
  ...{ authors: z.array(text), approvals: z.array(text), approvalsNeeded: count, needs: text },
  ...counts("createdMs", "changedMs", "untilMs"),
});
export type ApprovalRequest = z.output<typeof approvalRequestRow>;
/** The request after an approval or a rejection. */
export const decidedRequest = approvalRequestRow.extend({ status: text });

export const approvalRules = z.object({
  ...{ approvals: count, withdrawalsAbove: z.array(z.object(texts("asset", "amount"))), actions: z.array(text) },
});
export type ApprovalRules = z.output<typeof approvalRules>;

const emergencyOverride = z.object({ ...texts("by", "why"), ...counts("sinceMs", "fromMs") });
export type EmergencyOverride = z.output<typeof emergencyOverride>;
/** Null if the approval rules are in force. */
export const overrideAnswer = z.object({ emergencyOverride: emergencyOverride.nullable() });
export type OverrideAnswer = z.output<typeof overrideAnswer>;

// The venue.

/** `scope`: `trading`, `placing`, `withdrawals`, `asset:BTC` or `network:ETH`. `untilMs`: null until it is lifted. */
export const suspensionRow = z.object({ ...texts("scope", "why", "by"), sinceMs: count, untilMs: count.nullable() });
export type Suspension = z.output<typeof suspensionRow>;

const sentences = z.record(z.string(), text);
const numbers = z.record(z.string(), count);
/** `hour`: one sample per period, oldest first; null if none was taken. */
const figure = z.object({ ...texts("name", "unit"), now: count.nullable(), hour: z.array(count.nullable()) });
export type Figure = z.output<typeof figure>;

/** `unattributedDeposits`: the number not yet resolved. `isDustOffered`: whether customers can convert small balances. */
export const overview = z.object({
  ...{ timeMs: count, version: text, startedMs: count, isReady: flag },
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
