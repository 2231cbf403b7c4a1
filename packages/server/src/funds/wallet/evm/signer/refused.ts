/** The signer will not sign this; the message gives the reason in a few words. */
export class Refused extends Error {
  override readonly name = "Refused";
  /** Whether asking again is pointless. */
  readonly isForGood: boolean;

  constructor(message: string, { isForGood = false }: { readonly isForGood?: boolean } = {}) {
    super(message);
    this.isForGood = isForGood;
  }
}
