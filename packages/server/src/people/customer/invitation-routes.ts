/** Sign-up and invitations. Whether an address has an account is revealed only by email. */
import { accountIdOf, type InvitationRecord, MAX_TEXT_LENGTH, SIGN_UP } from "@pricetime/engine";
import { z } from "zod";
import { newId } from "../sign-in/tokens.ts";
import { SignInRefused } from "../sign-in/refused.ts";
import { ACCEPTED, type CustomerAnswer, ok } from "./answer.ts";
import { carryOut, setOff } from "./command.ts";
import { fitPassword, id, newEmail, password, secret } from "./fields.ts";
import { mayAskForLetter } from "./letters.ts";
import { CustomerRefused } from "./refused.ts";
import { type Asked, type CustomerParts, type CustomerRoute, read } from "./route.ts";
import { openSession } from "./sign-in-routes.ts";
import { customerOf, holderOf } from "./who.ts";
import { HASH, LETTER, LOOK } from "./weights.ts";

const signUpBody = z.strictObject({ email: newEmail });
const link = z.strictObject({ id, secret });
const acceptBody = link.extend({ password, name: z.string().trim().max(MAX_TEXT_LENGTH).exactOptional() });

function signUp(asked: Asked, parts: CustomerParts): CustomerAnswer {
  const { email } = read(signUpBody, asked.body);
  if (parts.settings.signUp !== "open") throw new CustomerRefused("SIGN_UP_CLOSED");
  if (!mayAskForLetter(asked, parts, { kind: "sign-up", email })) return ACCEPTED;
  const { view, room, settings, fees } = parts;
  if (view.accountByEmail(email) === undefined) {
    const invitationId = newId(room.dice);
    const secretHash = room.links.hashOf(room.links.secretOf("invitation", invitationId));
    const untilMs = asked.nowMs + settings.invitationLifeMs;
    const invitation = { invitationId, secretHash, email, untilMs, holder: null, opens: { name: "", ...fees } };
    setOff(parts, { type: "invite", by: SIGN_UP, ...invitation });
  } else {
    const known = customerOf(view, email);
    if (known !== undefined) setOff(parts, { type: "tellAlreadyKnown", holder: holderOf(known.accountId) });
  }
  return ACCEPTED;
}

/** Throws `CustomerRefused`, also for invitations of operators, which the console accepts. */
function invitationOf(
  { id: invitationId, secret: sent }: z.output<typeof link>,
  asked: Asked,
  parts: CustomerParts,
): InvitationRecord {
  const { view, room } = parts;
  const invitation = view.access.invitation(invitationId, asked.nowMs);
  const isForCustomer = invitation?.holder === null || accountIdOf(invitation?.holder ?? "") !== undefined;
  if (invitation === undefined || !isForCustomer || invitation.secretHash !== room.links.hashOf(sent)) {
    throw new CustomerRefused("UNKNOWN_INVITATION");
  }
  return invitation;
}

function look(asked: Asked, parts: CustomerParts): CustomerAnswer {
  const { email, holder, untilMs } = invitationOf(read(link, asked.body), asked, parts);
  return ok({ email, isNew: holder === null, untilMs });
}

async function accept(asked: Asked, parts: CustomerParts): Promise<CustomerAnswer> {
  const given = read(acceptBody, asked.body);
  const { secretHash, invitationId } = invitationOf(given, asked, parts);
  const sealedPassword = await parts.room.signIn.sealedHashOf(fitPassword(given.password), asked.ip);
  const named = given.name === undefined || given.name === "" ? {} : { name: given.name };
  const command = { type: "acceptInvitation", invitationId, secretHash, sealedPassword, ...named } as const;
  const set = (await carryOut(parts, command)).find(({ type }) => type === "passwordSet");
  if (set?.type !== "passwordSet") throw new TypeError("an invitation that is accepted sets a password");
  return ok({}, await signInAtOnce(asked, parts, set.holder, sealedPassword));
}

/** An account with two-factor authentication is not signed in: it needs a code. */
async function signInAtOnce(
  asked: Asked,
  parts: CustomerParts,
  holder: string,
  sealedPassword: string,
): Promise<readonly string[]> {
  try {
    return await openSession(asked, parts, { holder, sealedPassword, totpStep: null });
  } catch (error) {
    if (error instanceof SignInRefused) return [];
    throw error;
  }
}

export const INVITATION_ROUTES: readonly CustomerRoute[] = [
  {
    method: "POST",
    path: "/sign-up",
    weight: LETTER,
    isOpen: true,
    summary: "Requests an account. The invitation is sent by email.",
    answers: "The same for every address.",
    status: 202,
    body: signUpBody,
    handle: signUp,
  },
  {
    method: "POST",
    path: "/invitation/check",
    weight: LOOK,
    isOpen: true,
    summary: "Returns the email address and the expiry of an invitation link.",
    answers: "`email`, `isNew`, `untilMs`.",
    body: link,
    handle: look,
  },
  {
    method: "POST",
    path: "/invitation/accept",
    weight: HASH,
    isOpen: true,
    summary: "Accepts an invitation: sets the password and opens a session.",
    answers: "An empty object, and a session cookie unless the account has two-factor authentication.",
    body: acceptBody,
    handle: accept,
  },
];
