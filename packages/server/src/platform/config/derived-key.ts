/** Keys derived from the master key, one for each use: none tells anything of another. RFC 5869. */
import { hkdfSync } from "node:crypto";

const KEY_BYTES = 32;

/** `masterKey` is 64 hex digits; `label` names the use, and nothing else uses it. */
export function derivedKey(masterKey: string, label: string): Buffer {
  return Buffer.from(hkdfSync("sha256", Buffer.from(masterKey, "hex"), "", label, KEY_BYTES));
}
