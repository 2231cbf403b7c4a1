/** The signed-in account, its permissions and sub-accounts, and public settings for accounts. */
import type { AccountView, DiscountRules } from "@pricetime/engine";
import { z } from "zod";
import { type Answer, ok } from "../http/answer.ts";
import { ANSWERS } from "./answers.ts";
import {
  type AccountRoute,
  ACT,
  type Asked,
  carryOut,
  type CustomerParts,
  language,
  LOOK,
  ofAccountQuery,
  openRoute,
  type Own,
  ownAccount,
  ownRoute,
  type SignedIn,
} from "./route.ts";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../sign-in/limits.ts";

function profile({ account, holder, nowMs }: SignedIn, parts: CustomerParts): Answer {
  const { view, settings } = parts;
  const {
    accountId,
    email,
    name,
    makerBps,
    takerBps,
    canTrade,
    canWithdraw,
    canDeposit,
    confirmsByMail: confirmsByEmail,
  } = account;
  return ok({
    ...{ accountId, email, name, makerBps, takerBps, canTrade, canWithdraw, canDeposit, confirmsByEmail },
    ...addressListOf(account, nowMs),
    addressWaitMs: settings.addressWaitMs,
    hasTotp: account.sealedTotp !== null,
    language: account.language ?? parts.language,
    paysInDiscountAsset: account.paysInDiscountAsset ?? false,
    commissionDiscount: discountOf(view.commissionDiscount),
    heldUntilMs: view.access.heldUntilMs(holder),
    subAccounts: view.subAccounts(accountId).flatMap((each) => subBody(view.account(each))),
  });
}

/** The excluded symbols are in `account/commission` of each symbol. */
function discountOf(discount: DiscountRules | null): object | null {
  return discount && { asset: discount.asset, factorBps: discount.factorBps };
}

interface AddressList {
  readonly isAddressListEnforced: boolean;
  /** When the allowlist ends; null if it is not being switched off. */
  readonly addressListEndsMs: number | null;
}

/** Whether the allowlist is on, and until when. */
export function addressListOf(account: AccountView, nowMs: number): AddressList {
  const endsMs = account.addressListEndsMs ?? null;
  const isAddressListEnforced = account.isAddressListEnforced && nowMs < (endsMs ?? Infinity);
  return { isAddressListEnforced, addressListEndsMs: isAddressListEnforced ? endsMs : null };
}

function subBody(account: AccountView | undefined): object[] {
  if (account === undefined) return [];
  const { accountId, email, name, isEnabled, paysInDiscountAsset = false } = account;
  return [{ accountId, email, name, isEnabled, paysInDiscountAsset }];
}

const languageBody = z.strictObject({ language });

async function setLanguage({ account, holder, body }: Own<typeof languageBody>, parts: CustomerParts): Promise<Answer> {
  await carryOut(parts, { type: "changeAccount", accountId: account.accountId, ...body, by: holder });
  return ok({});
}

const discountBody = z.strictObject({ isOn: z.boolean() });

async function setDiscount(
  asked: Own<typeof discountBody, typeof ofAccountQuery>,
  parts: CustomerParts,
): Promise<Answer> {
  const { holder, body } = asked;
  const { accountId, paysInDiscountAsset = false } = ownAccount(parts, asked, asked.query.account);
  if (body.isOn === paysInDiscountAsset) return ok({});
  await carryOut(parts, { type: "changeAccount", accountId, paysInDiscountAsset: body.isOn, by: holder });
  return ok({});
}

export const PROFILE_ROUTES: readonly AccountRoute[] = [
  ownRoute({
    endpoint: "GET /profile",
    weight: LOOK,
    summary: "Returns the signed-in account, its permissions and its sub-accounts.",
    answer: ANSWERS.profile,
    answers:
      "`accountId`, `email`, `name`, `makerBps`, `takerBps`, `canTrade`, `canWithdraw`, `canDeposit`, `confirmsByEmail`, `isAddressListEnforced`, `addressListEndsMs`, `addressWaitMs`, `hasTotp`, `language`, `paysInDiscountAsset`, `commissionDiscount`, `heldUntilMs`, `subAccounts`.",
    handle: profile,
  }),
  ownRoute({
    endpoint: "PUT /language",
    weight: ACT,
    summary: "Sets the language of emails to the customer.",
    body: languageBody,
    handle: setLanguage,
  }),
  ownRoute({
    endpoint: "PUT /commission-discount",
    weight: ACT,
    summary:
      "Sets whether the account, or a sub-account, pays trading fees in the exchange's discount asset where it can.",
    query: ofAccountQuery,
    body: discountBody,
    handle: setDiscount,
  }),
];

function venue(_: Asked, { settings, hasMailServer }: CustomerParts): Answer {
  const { signUp, recoveryDelayMs: passwordResetDelayMs } = settings;
  const lengths = { passwordMin: MIN_PASSWORD_LENGTH, passwordMax: MAX_PASSWORD_LENGTH };
  return ok({ signUp, ...lengths, passwordResetDelayMs, hasMailServer });
}

/** The smallest amounts on networks that are coarser than the ledger. */
function steps(_: Asked, { view }: CustomerParts): Answer {
  return ok(
    view.assets().flatMap(({ spec: { asset, networks } }) =>
      networks.flatMap(({ network, depositStep, withdrawStep }) => {
        const own = { ...(depositStep && { depositStep }), ...(withdrawStep && { withdrawStep }) };
        return Object.keys(own).length === 0 ? [] : [{ asset, network, ...own }];
      }),
    ),
  );
}

export const VENUE_ROUTES: readonly AccountRoute[] = [
  openRoute({
    endpoint: "GET /venue",
    needs: "page",
    weight: LOOK,
    summary: "Returns public settings of accounts.",
    answer: ANSWERS.venue,
    answers: "`signUp`, `passwordMin`, `passwordMax`, `passwordResetDelayMs`, `hasMailServer`.",
    handle: venue,
  }),
  ownRoute({
    endpoint: "GET /steps",
    weight: LOOK,
    summary: "Lists the steps of deposits and withdrawals on networks whose amounts are coarser than the ledger's.",
    answer: ANSWERS.steps,
    answers: "A list of `asset`, `network`, and, if the network has one, `depositStep` and `withdrawStep`.",
    handle: steps,
  }),
  ownRoute({
    endpoint: "GET /manual-networks",
    weight: LOOK,
    summary: "Lists the networks whose deposits and payments an operator handles, such as a bank.",
    answer: ANSWERS.manualNetworks,
    answers: "A list of `network` and `transferDetails`: `label` and `value` of each line, as the operator wrote them.",
    handle: (_, { manualNetworks }) => ok(manualNetworks),
  }),
];
