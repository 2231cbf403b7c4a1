/**
 * Derives the secrets of proofs from the master key, so that they need not be stored, and a recreated proof has the
 * same root. HKDF with SHA-256 (RFC 5869), one label per secret.
 */
import {
  createCipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hash,
  hkdfSync,
  type KeyObject,
} from "node:crypto";

const PROOF_LABEL = "pricetime: key of one proof of liabilities";
const SIGNING_LABEL = "pricetime: signs proofs of liabilities";
const SECRET_BYTES = 32;
/** Tag byte of secrets; must differ from the tags in sum-tree.ts. */
const SECRET_TAG = 4;
/** DER prefixes of raw 32-byte Ed25519 keys (RFC 8410). */
const ED25519_PRIVATE_DER = Buffer.from("302e020100300506032b657004220420", "hex");
const ED25519_PUBLIC_DER = Buffer.from("302a300506032b6570032100", "hex");

/** Derives the key of one position's proof. It reveals the account of each leaf. `masterKey` is hex. */
export function proofKeyOf(masterKey: string, chainHash: string): Buffer {
  const secret = Buffer.from(masterKey, "hex");
  return Buffer.from(hkdfSync("sha256", secret, Buffer.from(chainHash, "hex"), PROOF_LABEL, SECRET_BYTES));
}

/** Derives a customer's secret for one proof: 32 bytes, unrelated to the secrets in other proofs. */
export function customerSecretOf(proofKey: Uint8Array, accountId: number): Buffer {
  // Key and id have fixed lengths, which rules out length extension. An HMAC would take four times as long.
  const id = Buffer.alloc(8);
  id.writeBigUInt64BE(BigInt(accountId));
  return hash("sha256", Buffer.concat([Buffer.of(SECRET_TAG), proofKey, id]), "buffer");
}

/** A pseudorandom key stream (AES-256 in counter mode). */
export function keystream(proofKey: Uint8Array, purpose: string, context: Uint8Array, length: number): Buffer {
  const key = createHmac("sha256", proofKey).update(`${purpose} `).update(context).digest();
  return createCipheriv("aes-256-ctr", key, Buffer.alloc(16)).update(Buffer.alloc(length));
}

export function signingKeyOf(masterKey: string): KeyObject {
  const seed = Buffer.from(hkdfSync("sha256", Buffer.from(masterKey, "hex"), "", SIGNING_LABEL, SECRET_BYTES));
  return createPrivateKey({ key: Buffer.concat([ED25519_PRIVATE_DER, seed]), format: "der", type: "pkcs8" });
}

/** The public key of a signing key: 64 hex digits. */
export function publicKeyOf(signingKey: KeyObject): string {
  const der = createPublicKey(signingKey).export({ format: "der", type: "spki" });
  return der.subarray(ED25519_PUBLIC_DER.length).toString("hex");
}

/** Converts a public key from 64 hex digits. */
export function publicKeyObject(publicKey: string): KeyObject {
  const key = Buffer.concat([ED25519_PUBLIC_DER, Buffer.from(publicKey, "hex")]);
  return createPublicKey({ key, format: "der", type: "spki" });
}
