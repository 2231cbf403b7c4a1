/** Derives deposit addresses from an extended public key, which cannot spend. BIP 32. */
import { ECDH } from "node:crypto";
import { HARDENED_OFFSET, HDKey } from "@scure/bip32";
import type { Address } from "viem";
import { publicKeyToAddress } from "viem/accounts";

export class DepositKey {
  readonly #key: HDKey;

  /** Accepts only an extended public key. Throws an `Error` for anything else, in particular for a private key. */
  constructor(xpub: string) {
    if (!xpub.startsWith("xpub")) throw new Error("xpub must be an extended public key, which starts with xpub");
    this.#key = HDKey.fromExtendedKey(xpub);
  }

  /** The account's deposit address in EIP-55 form. It never changes. */
  addressOf(accountId: number): Address {
    if (!Number.isInteger(accountId) || accountId < 0 || accountId >= HARDENED_OFFSET) {
      throw new RangeError(`no deposit address has the index ${accountId}`);
    }
    const { publicKey } = this.#key.deriveChild(accountId);
    if (publicKey === null) throw new Error(`the deposit key has no child ${accountId}`);
    const point = ECDH.convertKey(publicKey, "secp256k1", undefined, "hex", "uncompressed") as string;
    return publicKeyToAddress(`0x${point}`);
  }
}
