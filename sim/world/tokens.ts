/**
 * Secrets of simulated sessions and of the links that confirm withdrawals. Each hash that the workload names is that of
 * a text, which a browser can send.
 */
import { type Confirmations, createConfirmations, hashOfSecret } from "@pricetime/server/parts";

export const CONFIRMATIONS: Confirmations = createConfirmations("5a".repeat(32));

/** As many as the workload's hashes. */
const SECRETS = 1_000;
const SECRET_LENGTH = 43;

const secretsByHash = new Map<string, string>();
const hashes: string[] = [];
for (let number = 0; number < SECRETS; number++) {
  const secret = String(number).padStart(SECRET_LENGTH, "s");
  hashes.push(hashOfSecret(secret));
  secretsByHash.set(hashOfSecret(secret), secret);
}

/** The hash of a real secret in place of a symbolic one. */
export function realHash(hash: string): string {
  return secretsByHash.has(hash) ? hash : (hashes[Number.parseInt(hash.slice(-8), 16) % SECRETS] ?? hash);
}

/** The cookie for a secret with this hash. */
export function tokenFor(sessionId: string, hash: string): string {
  return `${sessionId}.${secretsByHash.get(hash) ?? "x".repeat(SECRET_LENGTH)}`;
}
