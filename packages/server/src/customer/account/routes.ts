/** All routes of an account's data and settings, for the router: how one signs in stands beside this folder. */
import { addressRoutes } from "./addresses.ts";
import { depositRoutes } from "./deposits.ts";
import { keyRoutes } from "./keys.ts";
import type { AccountParts, AccountRoute } from "./port.ts";
import { profileRoutes } from "./profile.ts";
import { proofRoutes } from "./proof.ts";
import { statementRoutes } from "./statement.ts";
import { withdrawalRoutes } from "./withdrawals.ts";

const ROUTES = [
  profileRoutes,
  keyRoutes,
  addressRoutes,
  depositRoutes,
  withdrawalRoutes,
  statementRoutes,
  proofRoutes,
] as const;

export function accountRoutes(parts: AccountParts): readonly AccountRoute[] {
  return ROUTES.flatMap((make) => make(parts));
}
