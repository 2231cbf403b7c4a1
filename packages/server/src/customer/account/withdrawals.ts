/** Withdrawals that their owner takes back, while they wait for the mailed link or for an operator. */
import { carryOut } from "./carry-out.ts";
import { isOwn } from "./parse.ts";
import { type AccountParts, AccountRefused, type AccountRoute, ok, own } from "./port.ts";

export function withdrawalRoutes(parts: AccountParts): AccountRoute[] {
  return [
    own({
      method: "POST",
      path: "withdrawals/:withdrawal/cancel",
      handle: async (request) => {
        const withdrawalId = request.path["withdrawal"] ?? "";
        const accountId = parts.view.funds.withdrawal(withdrawalId)?.accountId;
        if (accountId === undefined || !isOwn(parts, request, accountId)) {
          throw new AccountRefused(404, "UNKNOWN_WITHDRAWAL", "You have no such withdrawal, or it is over.");
        }
        await carryOut(parts, { type: "cancelWithdrawal", withdrawalId, accountId, by: request.holder });
        return ok({});
      },
    }),
  ];
}
