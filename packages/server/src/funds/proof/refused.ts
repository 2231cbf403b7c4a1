/** Why a proof does not hold, or a file is none, in one line for the person who checks. */
export class ProofRefused extends Error {
  override readonly name = "ProofRefused";
}

/** Throws `ProofRefused` unless the condition holds. */
export function demand(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new ProofRefused(otherwise);
}
