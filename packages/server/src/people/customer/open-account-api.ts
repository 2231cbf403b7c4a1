/** The account API, made for a node. */
import { FilePlaces } from "../../api/answers/file-places.ts";
import { OwnPageGuard } from "../../api/edge/http/own-page-guard.ts";
import { TrustedProxies } from "../../api/edge/http/client-address.ts";
import type { Audits } from "../../funds/proof/folder/port.ts";
import { STATEMENT_LIMITS } from "./limits.ts";
import { PublicParts } from "./public-parts.ts";
import { AccountApi } from "./account-api.ts";
import type { CustomerParts } from "./route.ts";

export interface AccountApiOptions extends Omit<CustomerParts, "settings" | "audits" | "publicParts" | "statements"> {
  readonly accounts: CustomerParts["settings"];
  readonly audits: Pick<Audits, "customerPart" | "publicPart" | "makePublished">;
  /** The program's. */
  readonly version?: string;
  readonly http: { readonly trustedProxies: readonly string[] };
  /** Null or absent: clients connect by plain HTTP. */
  readonly tls?: object | null;
}

export function openAccountApi({ accounts, http, tls = null, version = "0", ...parts }: AccountApiOptions): AccountApi {
  const guard = new OwnPageGuard(new TrustedProxies(http.trustedProxies), tls !== null);
  const publicParts = new PublicParts(parts.audits);
  const statements = new FilePlaces(STATEMENT_LIMITS.atOnce);
  return new AccountApi({ ...parts, settings: accounts, publicParts, statements }, guard, version);
}
