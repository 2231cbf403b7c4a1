/** Deposit addresses, from an extended public key: who holds it sees everything and spends nothing. BIP 32. */
import { ECDH } from "node:crypto";
import { HARDENED_OFFSET, HDKey } from "@scure/bip32";
import type { Address } from "viem";
import { publicKeyToAddress } from "viem/accounts";

export class DepositKey {
  readonly #key: HDKey;

  /** Throws an `Error` for what is no extended public key; a private one is refused, for it does not belong here. */
  constructor(xpub: string) {
    if (!xpub.startsWith("xpub"))
      throw new Error("the deposit key must be an extended PUBLIC key, which begins with xpub");
    this.#key = HDKey.fromExtendedKey(xpub);
  }

  /** EIP-55. The same for the same account, for ever. */
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
