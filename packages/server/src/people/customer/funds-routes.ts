/** Deposits, withdrawals, the address book with the withdrawal address allowlist, and small balances. */
import { type EngineView, formatDecimal } from "@pricetime/engine";
import { carriedText } from "../../history/shapes/amounts.ts";
import type { DepositRow, DepositStatusCode } from "../../history/port.ts";
import { rejected } from "./rejections.ts";
import { type Answer, ok } from "../http/answer.ts";
import { ANSWERS } from "./answers.ts";
import {
  type AccountRoute,
  ACT,
  askedAccount,
  carryOut,
  code,
  type CustomerParts,
  demandCode,
  isOwn,
  LOOK,
  MAX_LISTED_DEPOSITS,
  type OfAccount,
  ofAccountQuery,
  type OfPath,
  type Own,
  ownAccount,
  ownRoute,
  READ,
  type SignedIn,
} from "./route.ts";
import { accountLimitRows } from "../../history/shapes/withdrawal-limit-rows.ts";
import { z } from "zod";
import { addressListOf } from "./profile-routes.ts";

const PENDING: DepositStatusCode = 0;
/** Status code of a deposit that is tradable but not final. */
const CREDITED: DepositStatusCode = 6;

async function listDeposits(asked: OfAccount, parts: CustomerParts): Promise<Answer> {
  const { view, history } = parts;
  const { accountId } = askedAccount(parts, asked);
  const { seq } = view;
  const of = (status: DepositStatusCode): Promise<DepositRow[]> =>
    history.query(seq, "deposits", { accountId, status, limit: MAX_LISTED_DEPOSITS });
  const rows = (await Promise.all([of(PENDING), of(CREDITED)])).flat();
  return ok(rows.toSorted((a, b) => b.insertTimeMs - a.insertTimeMs).map((row) => depositBody(parts, row)));
}

function depositBody({ view, wallet }: CustomerParts, row: DepositRow): object {
  const { depositId, network, txId, output, address, tag, insertTimeMs } = row;
  const { spec } = view.asset(row.assetId);
  const amount = carriedText(spec, "depositStep", row.amount, network);
  const { credit, final } = thresholds(view, row);
  const isCredited = row.status === CREDITED;
  // Only the node that reads the chain has the exact confirmations; other nodes report a lower bound from the journal.
  const confirmations = wallet.depthOf({ network, txId, output }) ?? (isCredited ? credit : 0);
  return {
    ...{ id: String(depositId), asset: spec.asset, amount, network, address, tag, txId },
    ...{ insertTimeMs, isCredited, confirmations, creditConfirmations: credit, finalConfirmations: final },
  };
}

function thresholds(view: EngineView, { assetId, network }: DepositRow): { credit: number; final: number } {
  const spec = view.asset(assetId).spec.networks.find((each) => each.network === network);
  const credit = spec?.creditConfirmations ?? 1;
  return { credit, final: Math.max(credit, spec?.finalConfirmations ?? credit) };
}

export const DEPOSIT_ROUTES: readonly AccountRoute[] = [
  ownRoute({
    endpoint: "GET /deposits",
    weight: READ,
    summary: "Lists pending deposits with their confirmations.",
    answer: ANSWERS.deposits,
    answers:
      "A list, newest first, of `id`, `asset`, `amount`, `network`, `address`, `tag`, `txId`, `insertTimeMs`, `isCredited`, `confirmations`, `creditConfirmations`, `finalConfirmations`.",
    query: ofAccountQuery,
    handle: listDeposits,
  }),
];

// Cancels withdrawals that await confirmation or approval, and returns withdrawal limits.

async function cancel(asked: OfPath<"withdrawal">, parts: CustomerParts): Promise<Answer> {
  const withdrawalId = asked.path.withdrawal;
  const accountId = parts.view.funds.withdrawal(withdrawalId)?.accountId;
  if (accountId === undefined || !isOwn(parts, asked, accountId)) throw rejected("UNKNOWN_WITHDRAWAL");
  await carryOut(parts, { type: "cancelWithdrawal", withdrawalId, accountId, by: asked.holder });
  return ok({});
}

/** Returns the customer's own limits. The limits of all customers together are shown only to operators. */
function limits(asked: OfAccount, parts: CustomerParts): Answer {
  const { accountId } = askedAccount(parts, asked);
  const rows = accountLimitRows(parts.view, accountId, asked.nowMs);
  return ok(rows.filter(({ limit24h, limit72h }) => limit24h !== null || limit72h !== null));
}

export const WITHDRAWAL_ROUTES: readonly AccountRoute[] = [
  ownRoute({
    endpoint: "GET /withdrawal-limits",
    weight: LOOK,
    summary: "Returns how much the account can withdraw in 24 and 72 hours before withdrawals require approval.",
    answer: ANSWERS.withdrawalLimits,
    answers:
      "A list by `asset`, for assets with a limit: `limit24h`, `withdrawn24h`, `left24h`, `limit72h`, `withdrawn72h`, `left72h`. " +
      "A master account and its sub-accounts share their limits. Null: no limit.",
    query: ofAccountQuery,
    handle: limits,
  }),
  ownRoute({
    endpoint: "POST /withdrawals/:withdrawal/cancel",
    weight: ACT,
    summary: "Cancels a withdrawal that awaits confirmation or approval.",
    handle: cancel,
  }),
];

// The address book and the withdrawal address allowlist. While the allowlist is on, a new address can be used only
// after a waiting period, and switching the allowlist off takes as long. The owner has this time to notice a thief with
// a session and a code.

const place = { network: z.string().min(1), address: z.string().min(1), tag: z.string().default("") };
const placeSchema = z.strictObject(place);
const addSchema = z.strictObject({ ...place, name: z.string(), code: code.optional() });
const enforcedSchema = z.strictObject({ isEnforced: z.boolean(), code: code.optional() });

function listAddresses({ account }: SignedIn, { view }: CustomerParts): Answer {
  return ok(view.funds.allowedAddresses(account.accountId).map((each) => ({ ...each, fromMs: each.fromMs ?? 0 })));
}

async function add(asked: Own<typeof addSchema>, parts: CustomerParts): Promise<Answer> {
  const { code: given, ...address } = asked.body;
  const { account, holder } = asked;
  if (!parts.wallet.isAddress(address.network, address.address, address.tag)) throw rejected("INVALID_ADDRESS");
  const used = demandCode(parts, asked, given);
  const wait = waiting(asked, parts);
  const { accountId } = account;
  await carryOut(parts, { type: "allowAddress", accountId, ...address, ...wait, ...used, by: holder });
  return ok({ ...address, fromMs: wait.fromMs ?? 0 });
}

async function remove({ account, holder, body }: Own<typeof placeSchema>, parts: CustomerParts): Promise<Answer> {
  const { accountId } = account;
  await carryOut(parts, { type: "disallowAddress", accountId, ...body, by: holder });
  return ok({});
}

async function enforce(asked: Own<typeof enforcedSchema>, parts: CustomerParts): Promise<Answer> {
  const { isEnforced, code: given } = asked.body;
  const { accountId } = asked.account;
  const used = demandCode(parts, asked, given);
  const wait = isEnforced ? {} : waiting(asked, parts);
  await carryOut(parts, { type: "setAddressList", accountId, isEnforced, ...wait, ...used, by: asked.holder });
  return ok(addressListOf(ownAccount(parts, asked, accountId), asked.nowMs));
}

/** The waiting period for new addresses while the allowlist is on. */
function waiting(
  { account, nowMs }: Pick<SignedIn, "account" | "nowMs">,
  { settings }: CustomerParts,
): { readonly fromMs?: number } {
  return addressListOf(account, nowMs).isAddressListEnforced ? { fromMs: nowMs + settings.addressWaitMs } : {};
}

export const ADDRESS_ROUTES: readonly AccountRoute[] = [
  ownRoute({
    endpoint: "GET /addresses",
    weight: LOOK,
    summary: "Lists the address book.",
    answer: ANSWERS.addresses,
    answers: "A list of `network`, `address`, `tag`, `name` and `fromMs`, the time from which the address can be used.",
    handle: listAddresses,
  }),
  ownRoute({
    endpoint: "POST /addresses",
    weight: ACT,
    summary: "Adds an address. While the allowlist is on, it can be used only after the waiting period.",
    answer: ANSWERS.address,
    answers: "The address, with `fromMs`.",
    body: addSchema,
    handle: add,
  }),
  ownRoute({
    endpoint: "DELETE /addresses",
    weight: ACT,
    summary: "Removes an address from the address book.",
    body: placeSchema,
    handle: remove,
  }),
  ownRoute({
    endpoint: "PUT /addresses/enforced",
    weight: ACT,
    summary: "Turns the withdrawal address allowlist on, or off after the waiting period.",
    answer: ANSWERS.addressList,
    answers: "`isAddressListEnforced`, `addressListEndsMs`.",
    body: enforcedSchema,
    handle: enforce,
  }),
];

// Small balances ("dust"): the convertible balances, and the rules.

function dust({ account: { accountId } }: SignedIn, { view }: CustomerParts): Answer {
  const rules = view.funds.dustRules;
  if (rules === undefined) return ok({ rules: null, balances: [] });
  const held = view.assets().flatMap(({ assetId, spec }) => {
    const { free } = view.balance(accountId, assetId);
    return free === 0n ? [] : [{ asset: spec.asset, free: formatDecimal(free, spec.precision) }];
  });
  const faults = view.funds.dustFaults(
    accountId,
    held.map(({ asset }) => asset),
  );
  return ok({ rules, balances: held.filter(({ asset }) => !faults.has(asset)) });
}

export const DUST_ROUTES: readonly AccountRoute[] = [
  ownRoute({
    endpoint: "GET /dust",
    weight: LOOK,
    summary: "Lists the balances that are small enough to be converted, and the rules of the conversion.",
    answer: ANSWERS.dust,
    answers:
      "`rules` (`dustAsset`, `limitAsset`, `limit`, `chargeBps`, `pauseMs`), or null if the exchange converts no small balances; `balances`: `asset`, `free`.",
    handle: dust,
  }),
];
