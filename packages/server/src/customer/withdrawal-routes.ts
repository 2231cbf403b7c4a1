/** Withdrawals that their owner takes back, while they wait for the mailed link or for an operator. */
import { type CustomerAnswer, ok } from "./answer.ts";
import { carryOut } from "./command.ts";
import { CustomerRefused } from "./refused.ts";
import type { CustomerParts, CustomerRoute, SignedIn } from "./route.ts";
import { ACT } from "./weights.ts";
import { isOwn } from "./own-account.ts";

async function cancel(asked: SignedIn, parts: CustomerParts): Promise<CustomerAnswer> {
  const withdrawalId = asked.named["withdrawal"] ?? "";
  const accountId = parts.view.funds.withdrawal(withdrawalId)?.accountId;
  if (accountId === undefined || !isOwn(parts, asked, accountId)) throw new CustomerRefused("UNKNOWN_WITHDRAWAL");
  await carryOut(parts, { type: "cancelWithdrawal", withdrawalId, accountId, by: asked.holder });
  return ok({});
}

export const WITHDRAWAL_ROUTES: readonly CustomerRoute[] = [
  {
    method: "POST",
    path: "/withdrawals/:withdrawal/cancel",
    weight: ACT,
    summary: "Takes a withdrawal back while it waits for its link or for an operator.",
    handle: cancel,
  },
];
