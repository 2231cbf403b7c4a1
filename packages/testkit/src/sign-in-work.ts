/** Does the work that a node asks of a stranger who signs in. */
import { type DoneWork, type SignInWork, workNonce } from "@pricetime/protocol";

export function solved(work: SignInWork): DoneWork {
  const nonces = Array.from({ length: work.pieces }, (_, piece) => workNonce(work, piece, 0, 2 ** 32) ?? 0);
  return { challenge: work.challenge, nonces };
}
