/** The API keys of the accounts of every venue here, which are public. */
export interface Signer {
  readonly apiKey: string;
  readonly secretKey: string;
}

const KEY_LENGTH = 64;

/** The signer of account `n`. */
export function signerOf(n: number): Signer {
  return { apiKey: `Key${n}x`.padEnd(KEY_LENGTH, "0"), secretKey: `Secret${n}x`.padEnd(KEY_LENGTH, "0") };
}
