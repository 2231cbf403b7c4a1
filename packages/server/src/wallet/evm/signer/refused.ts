/** The signer will not sign this; the message says why, in a few words. */
export class Refused extends Error {
  override readonly name = "Refused";
  /** Whether it is no use to ask again. */
  readonly isForGood: boolean;

  constructor(message: string, { isForGood = false }: { readonly isForGood?: boolean } = {}) {
    super(message);
    this.isForGood = isForGood;
  }
}
