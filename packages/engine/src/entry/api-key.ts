/** API keys: who may call what, and from where. Interface 5. */

/**
 * Permissions of a key: the security types of the interface (section 5) and, apart from them, withdrawing (Interface
 * S.18). By default a key has all but WITHDRAW.
 */
export type Permission = "MARKET_DATA" | "USER_STREAM" | "TRADE" | "USER_DATA" | "WITHDRAW";

export const PERMISSIONS: readonly Permission[] = ["MARKET_DATA", "USER_STREAM", "TRADE", "USER_DATA", "WITHDRAW"];

export interface ApiKey {
  readonly apiKey: string;
  readonly accountId: number;
  /** The secret, encrypted by the node; opaque here. "" when the key signs with Ed25519. */
  readonly sealedSecret: string;
  /** SubjectPublicKeyInfo, base64, of a key that signs with Ed25519. */
  readonly publicKey?: string;
  readonly permissions: readonly Permission[];
  readonly ipAllowList: readonly string[];
  readonly label: string;
  readonly createdMs: number;
}
