/** API keys: who may call what, from where. Interface 5. */

/**
 * What a key may reach: the security types of the interface (section 5) and, apart from them,
 * withdrawing (FACTS 0.18). By default a key has all but WITHDRAW.
 */
export type Permission = "MARKET_DATA" | "USER_STREAM" | "TRADE" | "USER_DATA" | "WITHDRAW";

export const PERMISSIONS: readonly Permission[] = ["MARKET_DATA", "USER_STREAM", "TRADE", "USER_DATA", "WITHDRAW"];

export interface ApiKey {
  readonly apiKey: string;
  readonly accountId: number;
  /** The secret, encrypted by the node; opaque here. */
  readonly sealedSecret: string;
  readonly permissions: readonly Permission[];
  readonly ipAllowList: readonly string[];
  readonly label: string;
  readonly createdMs: number;
}
