/** Customers by the names that they type, and what the node knows of whoever asks. */
import { type AccountView, type EngineView, foldedEmail } from "@pricetime/engine";
import { networkOf } from "../../api/edge/limits/network.ts";
import { browserOf, newMark } from "../sign-in/familiar-browsers.ts";
import type { Guess } from "../sign-in/guesses.ts";
import type { ClientSigns } from "../sign-in/sign-in.ts";
import { markCookie } from "./cookies.ts";
import type { Asked, CustomerParts, SignedIn } from "./route.ts";

export const holderOf = (accountId: number): string => `account:${accountId}`;

/** The account that signs in by this email address as typed. Sub-accounts do not: they are a master's. */
export function customerOf(view: EngineView, email: string): AccountView | undefined {
  const account = view.accountByEmail(email);
  return account?.masterId === null ? account : undefined;
}

export const signsOf = ({ ip, client }: Asked): ClientSigns => ({ ip, client });

/** A try to sign in; counted by the mail address as typed, so alike whether an account has it or not. */
export function guessOf({ view, room }: CustomerParts, asked: Asked, email: string, holder: string | undefined): Guess {
  const { ip, mark, nowMs } = asked;
  const network = networkOf(ip);
  const open = holder === undefined ? [] : view.access.sessions(holder, nowMs);
  return {
    subject: `mail ${foldedEmail(email)}`,
    ip,
    device: browserOf(room.links, holder, mark),
    isFamiliarAddress: open.some((session) => networkOf(session.ip) === network),
  };
}

/** A try of somebody who is signed in: counted by the session, so that its thief holds up nobody else. */
export function guessWithin({ account, session, ip }: SignedIn): Guess {
  return { subject: `account ${account.accountId}`, ip, device: session.sessionId, isFamiliarAddress: true };
}

/** The header that makes the browser one of the holder's, unless it is already. */
export function markFor({ room }: CustomerParts, { mark }: Pick<Asked, "mark">, holder: string): readonly string[] {
  const isMarked = browserOf(room.links, holder, mark) !== null;
  return isMarked ? [] : markCookie(newMark(room.links, holder, room.dice));
}
