/** The routes of the account API, and matching a request to one. */
import { ADDRESS_ROUTES } from "./address-routes.ts";
import { DEPOSIT_ROUTES } from "./deposit-routes.ts";
import { DUST_ROUTES } from "./dust-routes.ts";
import { KEY_ROUTES } from "./key-routes.ts";
import { PROFILE_ROUTES } from "./profile-routes.ts";
import { PROOF_ROUTES } from "./proof-routes.ts";
import { STATEMENT_ROUTES } from "./statement-routes.ts";
import { WITHDRAWAL_ROUTES } from "./withdrawal-routes.ts";
import { INVITATION_ROUTES } from "./invitation-routes.ts";
import { PASSWORD_ROUTES } from "./password-routes.ts";
import { RECOVERY_ROUTES } from "./recovery-routes.ts";
import type { CustomerRoute } from "./route.ts";
import { SESSION_ROUTES } from "./session-routes.ts";
import { SIGN_IN_ROUTES } from "./sign-in-routes.ts";
import { VENUE_ROUTES } from "./venue-routes.ts";

/** Every route of the account API. */
export const ACCOUNT_ROUTES: readonly CustomerRoute[] = [
  ...VENUE_ROUTES,
  ...INVITATION_ROUTES,
  ...SIGN_IN_ROUTES,
  ...SESSION_ROUTES,
  ...PASSWORD_ROUTES,
  ...RECOVERY_ROUTES,
  ...PROFILE_ROUTES,
  ...KEY_ROUTES,
  ...ADDRESS_ROUTES,
  ...DEPOSIT_ROUTES,
  ...WITHDRAWAL_ROUTES,
  ...DUST_ROUTES,
  ...STATEMENT_ROUTES,
  ...PROOF_ROUTES,
];

export interface FoundRoute {
  readonly route: CustomerRoute;
  readonly named: Readonly<Record<string, string>>;
}

/** `path` is below `/account/v1`. "wrong method": the path has other methods. */
export function findRoute(method: string, path: string): FoundRoute | "unknown" | "wrong method" {
  let isKnown = false;
  for (const route of ACCOUNT_ROUTES) {
    const named = namesIn(route.path, path);
    if (named === undefined) continue;
    if (route.method === method) return { route, named };
    isKnown = true;
  }
  return isKnown ? "wrong method" : "unknown";
}

/** The values of `:name` parameters; undefined when the path does not match. */
function namesIn(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  if (wanted.length !== given.length) return undefined;
  const named: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    const value = given[i] ?? "";
    if (part.startsWith(":")) named[part.slice(1)] = unescaped(value);
    else if (part !== value) return undefined;
  }
  return named;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
