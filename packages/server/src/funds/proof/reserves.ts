/**
 * Reserves: what the venue says that its addresses held, beside what it owes. They stand behind the statement in the
 * public part, and name it by its digest. docs/internals/proof-format.md.
 */
import type { KeyObject } from "node:crypto";
import { z } from "zod";
import { MAX_RESERVES } from "./limits.ts";
import { count, hex32, lineOf, readLine, sumText } from "./read-text.ts";
import { demand } from "./refused.ts";
import { readSealed, type Sealed, sealLine } from "./seal.ts";

const RESERVES_FORMAT = "pricetime-reserves-1";
const SIGNED_AS = "pricetime proof 1 reserves\n";

const reserveSchema = z.strictObject({
  asset: z.string().regex(/^[A-Z0-9]{1,20}$/),
  network: z.string().regex(/^[A-Z0-9]{1,20}$/),
  address: z.string().regex(/^[\x21-\x7e]{1,128}$/),
  /** The height of the block as of which the address held it. */
  block: count,
  /** In units of the asset. */
  amount: sumText,
  /** That of the address's key over `reserveText` as EIP-191 has it; "": the venue says so, and no key of the address does. */
  signature: z.string().regex(/^([0-9a-f]{130})?$/),
});
const reservesSchema = z.strictObject({
  format: z.literal(RESERVES_FORMAT),
  /** The digest of the statement that they stand beside. */
  statement: hex32,
  reserves: z.array(reserveSchema).min(1).max(MAX_RESERVES),
});

export type Reserve = z.output<typeof reserveSchema>;

export interface Reserves extends Sealed {
  readonly reserves: readonly Reserve[];
}

/** What the key of an address signs (EIP-191, `personal_sign`). */
export function reserveText(
  digest: string,
  { asset, network, address, block, amount }: Omit<Reserve, "signature">,
): string {
  return ["pricetime reserves 1", digest, asset, network, address, block, amount].join("\n");
}

/** Throws `ProofRefused` for what `readReserves` would refuse. `digest`: of the statement. */
export function signReserves(digest: string, assets: readonly string[], reserves: Reserve[], key: KeyObject): Reserves {
  const line = lineOf({ format: RESERVES_FORMAT, statement: digest, reserves });
  return { ...sealLine(line, SIGNED_AS, key), reserves: readLineOf(line, digest, assets) };
}

/** Reads and checks both lines, apart from signatures of addresses. Throws `ProofRefused`. */
export function readReserves(line: string, seal: string, digest: string, assets: readonly string[]): Reserves {
  return { ...readSealed(line, seal, SIGNED_AS, "the reserves"), reserves: readLineOf(line, digest, assets) };
}

function readLineOf(line: string, digest: string, assets: readonly string[]): Reserve[] {
  const { statement, reserves } = readLine(line, reservesSchema, "the line of reserves");
  demand(statement === digest, "the reserves stand beside another proof");
  const seen = new Set<string>();
  for (const { asset, network, address } of reserves) {
    demand(assets.includes(asset), `${asset}: the public part has no such asset, and reserves of it`);
    // An address may be written in capitals or without: it is the same one.
    const place = JSON.stringify([asset, network, address.toLowerCase()]);
    demand(!seen.has(place), `${asset}: the address ${address} is counted twice`);
    seen.add(place);
  }
  return reserves;
}

/** Checks the signatures of addresses. Rejects with `ProofRefused`. */
export async function checkAddresses({ reserves }: Pick<Reserves, "reserves">, digest: string): Promise<void> {
  for (const reserve of reserves) {
    if (reserve.signature === "") continue;
    const { asset, address, signature } = reserve;
    const signer = await signerOf(reserveText(digest, reserve), signature);
    const isOfAddress = signer.toLowerCase() === address.toLowerCase();
    demand(isOfAddress, `${asset}: the signature of ${address} is not of its key, or of another statement`);
  }
}

/** What reserves there are of an asset, in units; null: none is shown. */
export function reservesOf(reserves: readonly Reserve[], asset: string): bigint | null {
  const held = reserves.filter((each) => each.asset === asset);
  return held.length === 0 ? null : held.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

/** Resolves to the address that signed this text; "" when the signature is none. `signature`: 130 hex digits (EIP-191). */
async function signerOf(message: string, signature: string): Promise<string> {
  // Loaded late: few proofs have reserves that are signed by their address.
  const { recoverMessageAddress } = await import("viem");
  return recoverMessageAddress({ message, signature: `0x${signature}` }).catch(() => "");
}
