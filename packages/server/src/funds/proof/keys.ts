/**
 * The secrets of proofs, all derived from the master key: nobody has to keep them, and a proof of the same position made
 * again has the same root. HKDF with SHA-256 (RFC 5869), each under a label of its own.
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
/** No other hash of proofs begins with it: hashing.ts. */
const SECRET_TAG = 4;
/** What stands before the 32 bytes of an Ed25519 key in DER. RFC 8410. */
const ED25519_PRIVATE_DER = Buffer.from("302e020100300506032b657004220420", "hex");
const ED25519_PUBLIC_DER = Buffer.from("302a300506032b6570032100", "hex");

/** Returns the key of the proof of one position: whoever has it can tell whose each leaf is. `masterKey` is hex. */
export function proofKeyOf(masterKey: string, chainHash: string): Buffer {
  const secret = Buffer.from(masterKey, "hex");
  return Buffer.from(hkdfSync("sha256", secret, Buffer.from(chainHash, "hex"), PROOF_LABEL, SECRET_BYTES));
}

/** Returns a customer's secret in one proof: 32 bytes, which say nothing of those in other proofs. */
export function customerSecretOf(proofKey: Uint8Array, accountId: number): Buffer {
  // Key and number have fixed lengths: nothing can be hung on to this hash. An HMAC would take four times as long.
  const id = Buffer.alloc(8);
  id.writeBigUInt64BE(BigInt(accountId));
  return hash("sha256", Buffer.concat([Buffer.of(SECRET_TAG), proofKey, id]), "buffer");
}

/** Returns bytes that look random to whoever lacks the key: AES-256 in counter mode. */
export function keystream(proofKey: Uint8Array, purpose: string, context: Uint8Array, length: number): Buffer {
  const key = createHmac("sha256", proofKey).update(`${purpose} `).update(context).digest();
  return createCipheriv("aes-256-ctr", key, Buffer.alloc(16)).update(Buffer.alloc(length));
}

export function signingKeyOf(masterKey: string): KeyObject {
  const seed = Buffer.from(hkdfSync("sha256", Buffer.from(masterKey, "hex"), "", SIGNING_LABEL, SECRET_BYTES));
  return createPrivateKey({ key: Buffer.concat([ED25519_PRIVATE_DER, seed]), format: "der", type: "pkcs8" });
}

/** Returns 64 hex digits. */
export function publicKeyOf(signingKey: KeyObject): string {
  const der = createPublicKey(signingKey).export({ format: "der", type: "spki" });
  return der.subarray(ED25519_PUBLIC_DER.length).toString("hex");
}

/** `publicKey` is 64 hex digits. */
export function publicKeyObject(publicKey: string): KeyObject {
  const key = Buffer.concat([ED25519_PUBLIC_DER, Buffer.from(publicKey, "hex")]);
  return createPublicKey({ key, format: "der", type: "spki" });
}
