/** The signer will not sign this; the message says why, in a few words. */
export class Refused extends Error {
  override readonly name = "Refused";
}
