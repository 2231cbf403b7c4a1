/** The account API, made for a node. */
import { OwnPageGuard } from "../edge/http/own-page-guard.ts";
import { TrustedProxies } from "../edge/http/client-address.ts";
import { AccountApi } from "./account-api.ts";
import type { CustomerParts } from "./route.ts";

export interface AccountApiOptions extends Omit<CustomerParts, "settings"> {
  readonly accounts: CustomerParts["settings"];
  readonly http: { readonly trustedProxies: readonly string[] };
}

export function openAccountApi({ accounts, http, ...parts }: AccountApiOptions): AccountApi {
  const guard = new OwnPageGuard(new TrustedProxies(http.trustedProxies));
  return new AccountApi({ ...parts, settings: accounts }, guard);
}
