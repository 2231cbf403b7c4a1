/** Tells who signed a text with the key of an EVM address. Read late: few proofs have reserves that are signed so. */
import { recoverMessageAddress } from "viem";

/** Resolves to the address, in whatever letters; "" when the signature is none. `signature`: 130 hex digits (EIP-191). */
export async function signerOf(message: string, signature: string): Promise<string> {
  return recoverMessageAddress({ message, signature: `0x${signature}` }).catch(() => "");
}
