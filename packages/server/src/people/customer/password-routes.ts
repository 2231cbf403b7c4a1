/** The password and two-factor authentication: changing them, password resets, and account locks. */
import { z } from "zod";
import { newTotpSecret, totpStep } from "../../platform/secrets/totp.ts";
import { PENDING_TOTP_LIFE_MS } from "../sign-in/limits.ts";
import { SignInRefused } from "../sign-in/refused.ts";
import { codeInAct, type Proven } from "../sign-in/sign-in.ts";
import { ACCEPTED, type CustomerAnswer, CustomerRefused, ok } from "./answer.ts";
import {
  ACT,
  type Asked,
  carryOut,
  code,
  type CustomerParts,
  type CustomerRoute,
  email,
  fitPassword,
  HASH,
  id,
  LETTER,
  LOOK,
  password,
  read,
  sealed,
  secret,
  setOff,
  type SignedIn,
} from "./route.ts";
import { customerOf, guessWithin, holderOf, markFor, mayAskForLetter } from "./requester.ts";
import { accountIdOf, type RecoveryRecord } from "@pricetime/engine";
import { isSameHash, newId } from "../sign-in/tokens.ts";

const changeBody = z.strictObject({ password, newPassword: password, code: code.exactOptional() });
const beginBody = z.strictObject({ password });
const removeBody = z.strictObject({ password, code });
const confirmBody = z.strictObject({ pending: sealed, code });

/** The contents of a sealed secret that is not confirmed yet. */
const pendingShape = z.strictObject({ holder: z.string(), secret: z.string(), untilMs: z.int() });

interface Given {
  readonly password: string;
  readonly code: string | undefined;
}

function prove(asked: SignedIn, parts: CustomerParts, given: Given): Promise<Proven> {
  const { holder, account } = asked;
  return parts.room.signIn.prove({ holder, ...given, sealedTotp: account.sealedTotp, guess: guessWithin(asked) });
}

async function change(asked: SignedIn, parts: CustomerParts): Promise<CustomerAnswer> {
  const given = read(changeBody, asked.body);
  const { holder, session } = asked;
  const { sealedPassword: was, ...used } = await prove(asked, parts, { password: given.password, code: given.code });
  const sealedPassword = await parts.room.signIn.sealedHashOf(fitPassword(given.newPassword), asked.ip);
  const except = session.sessionId;
  const code = codeInAct(used);
  await carryOut(parts, { type: "setPassword", by: holder, holder, was, sealedPassword, except, ...code });
  return ok({});
}

/** Creates a secret for an authenticator app. Nothing is journaled: the page holds the sealed secret until a code confirms it. */
async function begin(asked: SignedIn, parts: CustomerParts): Promise<CustomerAnswer> {
  const given = read(beginBody, asked.body);
  const { holder, account, nowMs } = asked;
  if (account.sealedTotp !== null) throw new CustomerRefused("ALREADY_EXISTS");
  await prove(asked, parts, { password: given.password, code: undefined });
  const { secret, uri } = newTotpSecret(account.email, parts.room.dice);
  const pending = JSON.stringify({ holder, secret, untilMs: nowMs + PENDING_TOTP_LIFE_MS });
  return ok({ secret, uri, pending: parts.sealer.seal(pending) });
}

async function confirm(asked: SignedIn, parts: CustomerParts): Promise<CustomerAnswer> {
  const given = read(confirmBody, asked.body);
  const { holder, account, nowMs } = asked;
  const secret = pendingSecret(given.pending, asked, parts);
  const step = totpStep(secret, given.code, nowMs);
  if (step === null) throw new SignInRefused("CODE_WRONG");
  const sealedSecret = parts.sealer.seal(secret);
  const used = { totpStep: step, totpSecret: sealedSecret };
  await carryOut(parts, { type: "setTotp", by: holder, accountId: account.accountId, sealedSecret, ...used });
  return ok({});
}

/** Throws `CustomerRefused` for the secret of another account, or an expired one. */
function pendingSecret(pending: string, { holder, nowMs }: SignedIn, { sealer }: CustomerParts): string {
  try {
    const opened = pendingShape.parse(JSON.parse(sealer.unseal(pending)));
    if (opened.holder === holder && nowMs < opened.untilMs) return opened.secret;
  } catch {
    // Not sealed by this exchange: rejected below.
  }
  throw new CustomerRefused(
    "UNKNOWN_LINK",
    "This secret has expired, or belongs to another account. Start the setup again.",
  );
}

async function remove(asked: SignedIn, parts: CustomerParts): Promise<CustomerAnswer> {
  const given = read(removeBody, asked.body);
  const { holder, account } = asked;
  const used = codeInAct(await prove(asked, parts, given));
  const { accountId } = account;
  await carryOut(parts, { type: "setTotp", by: holder, accountId, sealedSecret: null, ...used });
  return ok({});
}

export const PASSWORD_ROUTES: readonly CustomerRoute[] = [
  {
    method: "POST",
    path: "/password",
    weight: 2 * HASH,
    summary: "Changes the password and ends all other sessions.",
    body: changeBody,
    handle: change,
  },
  {
    method: "POST",
    path: "/totp",
    weight: HASH,
    summary: "Starts the setup of two-factor authentication. It is not on until a code confirms it.",
    answers: "`secret`, `uri`, and `pending`, which the confirmation sends back.",
    body: beginBody,
    handle: begin,
  },
  {
    method: "POST",
    path: "/totp/confirm",
    weight: ACT,
    summary: "Turns on two-factor authentication with a code.",
    body: confirmBody,
    handle: confirm,
  },
  {
    method: "POST",
    path: "/totp/remove",
    weight: HASH,
    summary: "Turns off two-factor authentication.",
    body: removeBody,
    handle: remove,
  },
];

// Password resets and account locks: the links in emails.

const askBody = z.strictObject({ email });
const link = z.strictObject({ id, secret });
const completeBody = link.extend({ password });
const number = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
const lockBody = z.strictObject({ account: number, notification: number, until: number, secret });

function ask(asked: Asked, parts: CustomerParts): CustomerAnswer {
  const { email: sent } = read(askBody, asked.body);
  const { view, room, settings } = parts;
  const account = customerOf(view, sent);
  // No further email is sent while a link is valid, so repeated requests do not use up the limit of emails.
  const open = account && view.access.recoveryOf(holderOf(account.accountId));
  const isOpen = open !== undefined && asked.nowMs < open.untilMs;
  if (!mayAskForLetter(asked, parts, isOpen ? null : { kind: "recovery", email: sent })) return ACCEPTED;
  if (account !== undefined) {
    const recoveryId = newId(room.dice);
    const secretHash = room.links.hashOf(room.links.secretOf("recovery", recoveryId));
    const fromMs = parts.sequencer.nowMs() + settings.recoveryDelayMs;
    const untilMs = fromMs + settings.recoveryLifeMs;
    const holder = holderOf(account.accountId);
    setOff(parts, { type: "askRecovery", holder, recoveryId, secretHash, fromMs, untilMs });
  }
  return ACCEPTED;
}

/** Throws `CustomerRefused`, also for resets of operators, which the console completes. */
function recoveryOf(recoveryId: string, nowMs: number, { view }: CustomerParts): RecoveryRecord {
  const recovery = view.access.recovery(recoveryId);
  if (recovery === undefined || nowMs >= recovery.untilMs || accountIdOf(recovery.holder) === undefined) {
    throw new CustomerRefused("UNKNOWN_PASSWORD_RESET");
  }
  return recovery;
}

function linkedRecovery(
  { id: recoveryId, secret: sent }: z.output<typeof link>,
  asked: Asked,
  parts: CustomerParts,
): RecoveryRecord {
  const recovery = recoveryOf(recoveryId, asked.nowMs, parts);
  if (!isSameHash(recovery.secretHash, parts.room.links.hashOf(sent)))
    throw new CustomerRefused("UNKNOWN_PASSWORD_RESET");
  return recovery;
}

function look(asked: Asked, parts: CustomerParts): CustomerAnswer {
  const { fromMs, untilMs } = linkedRecovery(read(link, asked.body), asked, parts);
  return ok({ fromMs, untilMs });
}

async function complete(asked: Asked, parts: CustomerParts): Promise<CustomerAnswer> {
  const given = read(completeBody, asked.body);
  const { recoveryId, secretHash, fromMs, holder } = linkedRecovery(
    { id: given.id, secret: given.secret },
    asked,
    parts,
  );
  if (asked.nowMs < fromMs) throw new CustomerRefused("TOO_SOON");
  const sealedPassword = await parts.room.signIn.sealedHashOf(fitPassword(given.password), asked.ip);
  await carryOut(parts, { type: "recover", recoveryId, secretHash, sealedPassword });
  return ok({}, markFor(parts, asked, holder));
}

/** The second link of the email, for a customer who did not request the reset. */
async function cancel(asked: Asked, parts: CustomerParts): Promise<CustomerAnswer> {
  const { id: recoveryId, secret: sent } = read(link, asked.body);
  const { holder } = recoveryOf(recoveryId, asked.nowMs, parts);
  if (!isSameHash(sent, parts.room.links.secretOf("cancelRecovery", recoveryId))) {
    throw new CustomerRefused("UNKNOWN_PASSWORD_RESET");
  }
  await carryOut(parts, { type: "cancelRecovery", recoveryId, by: holder });
  return ok({});
}

/** The link of security emails, for an account that may be compromised. */
async function lock(asked: Asked, parts: CustomerParts): Promise<CustomerAnswer> {
  const { account: accountId, notification, until, secret: sent } = read(lockBody, asked.body);
  const good = parts.room.links.secretOf("freeze", `${accountId}:${notification}:${until}`);
  if (!isSameHash(sent, good)) throw new CustomerRefused("UNKNOWN_LINK");
  if (asked.nowMs >= until) throw new CustomerRefused("LINK_EXPIRED");
  await carryOut(parts, { type: "freezeAccount", accountId, by: holderOf(accountId) });
  return ok({});
}

export const RECOVERY_ROUTES: readonly CustomerRoute[] = [
  {
    method: "POST",
    path: "/password-reset",
    weight: LETTER,
    isOpen: true,
    summary: "Requests a password reset by email.",
    answers: "The same for every address.",
    status: 202,
    body: askBody,
    handle: ask,
  },
  {
    method: "POST",
    path: "/password-reset/check",
    weight: LOOK,
    isOpen: true,
    summary: "Returns when the link of a password reset is valid.",
    answers: "`fromMs`, `untilMs`.",
    body: link,
    handle: look,
  },
  {
    method: "POST",
    path: "/password-reset/complete",
    weight: HASH,
    isOpen: true,
    summary: "Sets a new password with the link of a password reset.",
    body: completeBody,
    handle: complete,
  },
  {
    method: "POST",
    path: "/password-reset/cancel",
    weight: ACT,
    isOpen: true,
    summary: "Cancels a password reset with the second link of its email.",
    body: link,
    handle: cancel,
  },
  {
    method: "POST",
    path: "/lock",
    weight: ACT,
    isOpen: true,
    summary: "Locks an account with the link of a security email.",
    body: lockBody,
    handle: lock,
  },
];
