/** Canceling a withdrawal that awaits confirmation or approval, and withdrawal limits. */
import { accountLimitRows } from "../../history/shapes/withdrawal-limit-rows.ts";
import { type CustomerAnswer, ok } from "./answer.ts";
import { carryOut } from "./command.ts";
import { CustomerRefused } from "./refused.ts";
import type { CustomerParts, CustomerRoute, SignedIn } from "./route.ts";
import { ACT, LOOK } from "./weights.ts";
import { askedAccount, isOwn, ofAccountQuery } from "./own-account.ts";

async function cancel(asked: SignedIn, parts: CustomerParts): Promise<CustomerAnswer> {
  const withdrawalId = asked.named["withdrawal"] ?? "";
  const accountId = parts.view.funds.withdrawal(withdrawalId)?.accountId;
  if (accountId === undefined || !isOwn(parts, asked, accountId)) throw new CustomerRefused("UNKNOWN_WITHDRAWAL");
  await carryOut(parts, { type: "cancelWithdrawal", withdrawalId, accountId, by: asked.holder });
  return ok({});
}

/** Customers see their own limits. The limits of all customers together are for operators. */
function limits(asked: SignedIn, parts: CustomerParts): CustomerAnswer {
  const { accountId } = askedAccount(parts, asked);
  const rows = accountLimitRows(parts.view, accountId, asked.nowMs);
  return ok(rows.filter(({ limit24h, limit72h }) => limit24h !== null || limit72h !== null));
}

export const WITHDRAWAL_ROUTES: readonly CustomerRoute[] = [
  {
    method: "GET",
    path: "/withdrawal-limits",
    weight: LOOK,
    summary: "Returns how much the account can withdraw in 24 and 72 hours before withdrawals require approval.",
    answers:
      "A list by `asset`, for assets with a limit: `limit24h`, `withdrawn24h`, `left24h`, `limit72h`, `withdrawn72h`, `left72h`. " +
      "A master account and its sub-accounts share their limits. Null: no limit.",
    query: ofAccountQuery,
    handle: limits,
  },
  {
    method: "POST",
    path: "/withdrawals/:withdrawal/cancel",
    weight: ACT,
    summary: "Cancels a withdrawal that awaits confirmation or approval.",
    handle: cancel,
  },
];
