/** Changing the password and two-factor authentication, password resets, and account locks. */
import { z } from "zod";
import { PENDING_TOTP_LIFE_MS } from "../sign-in/limits.ts";
import { codeInAct, confirmPendingTotp, newPendingTotp, type Proven } from "../sign-in/sign-in.ts";
import { rejected } from "./rejections.ts";
import { accepted, type Answer, ok } from "../http/answer.ts";
import { ANSWERS } from "./answers.ts";
import {
  type AccountRoute,
  ACT,
  carryOut,
  code,
  type CustomerParts,
  email,
  fitPassword,
  HASH,
  id,
  EMAIL_WEIGHT,
  LOOK,
  type Open,
  openRoute,
  type Own,
  ownRoute,
  password,
  sealed,
  secret,
  setOff,
} from "./route.ts";
import { customerOf, guessWithin, holderOf, markFor, mayRequestEmail } from "./requester.ts";
import { accountIdOf, type RecoveryRecord } from "@pricetime/engine";
import { isSameHash, newId } from "../sign-in/tokens.ts";

const changeBody = z.strictObject({ password, newPassword: password, code: code.exactOptional() });
const beginBody = z.strictObject({ password });
const removeBody = z.strictObject({ password, code });
const confirmBody = z.strictObject({ pending: sealed, code });

interface Given {
  readonly password: string;
  readonly code: string | undefined;
}

function prove(asked: Own<z.ZodType>, parts: CustomerParts, given: Given): Promise<Proven> {
  const { holder, account } = asked;
  return parts.room.signIn.prove({ holder, ...given, sealedTotp: account.sealedTotp, guess: guessWithin(asked) });
}

async function change(asked: Own<typeof changeBody>, parts: CustomerParts): Promise<Answer> {
  const { holder, session, body: given } = asked;
  const { sealedPassword: was, ...used } = await prove(asked, parts, { password: given.password, code: given.code });
  const sealedPassword = await parts.room.signIn.sealedHashOf(fitPassword(given.newPassword), asked.ip);
  const except = session.sessionId;
  const code = codeInAct(used);
  await carryOut(parts, { type: "setPassword", by: holder, holder, was, sealedPassword, except, ...code });
  return ok({});
}

/**
 * Creates a secret for an authenticator app. Nothing is journaled: the page stores the encrypted secret until a code
 * confirms it.
 */
async function begin(asked: Own<typeof beginBody>, parts: CustomerParts): Promise<Answer> {
  const { holder, account, nowMs, body } = asked;
  if (account.sealedTotp !== null) throw rejected("ALREADY_EXISTS");
  await prove(asked, parts, { ...body, code: undefined });
  const untilMs = nowMs + PENDING_TOTP_LIFE_MS;
  return ok(newPendingTotp({ sealer: parts.sealer, dice: parts.room.dice }, { holder, email: account.email, untilMs }));
}

async function confirm(asked: Own<typeof confirmBody>, parts: CustomerParts): Promise<Answer> {
  const { holder, account, nowMs, body } = asked;
  const confirmed = confirmPendingTotp(parts.sealer, body, holder, nowMs);
  if (confirmed === undefined)
    throw rejected("UNKNOWN_LINK", "This secret has expired, or belongs to another account. Start the setup again.");
  await carryOut(parts, { type: "setTotp", by: holder, accountId: account.accountId, ...confirmed });
  return ok({});
}

async function remove(asked: Own<typeof removeBody>, parts: CustomerParts): Promise<Answer> {
  const { holder, account } = asked;
  const used = codeInAct(await prove(asked, parts, asked.body));
  const { accountId } = account;
  await carryOut(parts, { type: "setTotp", by: holder, accountId, sealedSecret: null, ...used });
  return ok({});
}

export const PASSWORD_ROUTES: readonly AccountRoute[] = [
  ownRoute({
    endpoint: "POST /password",
    weight: 2 * HASH,
    summary: "Changes the password and ends all other sessions.",
    body: changeBody,
    handle: change,
  }),
  ownRoute({
    endpoint: "POST /totp",
    weight: HASH,
    summary: "Starts the setup of two-factor authentication. It is not on until a code confirms it.",
    answer: ANSWERS.pendingTotp,
    answers: "`secret`, `uri`, and `pending`, which the confirmation sends back.",
    body: beginBody,
    handle: begin,
  }),
  ownRoute({
    endpoint: "POST /totp/confirm",
    weight: ACT,
    summary: "Turns on two-factor authentication with a code.",
    body: confirmBody,
    handle: confirm,
  }),
  ownRoute({
    endpoint: "POST /totp/remove",
    weight: HASH,
    summary: "Turns off two-factor authentication.",
    body: removeBody,
    handle: remove,
  }),
];

// Password resets and account locks by links in emails.

const askBody = z.strictObject({ email });
const link = z.strictObject({ id, secret });
const completeBody = link.extend({ password });
const number = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
const lockBody = z.strictObject({ account: number, notification: number, until: number, secret });

function ask(asked: Open<typeof askBody>, parts: CustomerParts): Answer {
  const { email: sent } = asked.body;
  const { view, room, settings } = parts;
  const account = customerOf(view, sent);
  // No further email is sent while an earlier link is valid, so that repeated requests do not use up the email limit.
  const open = account && view.access.recoveryOf(holderOf(account.accountId));
  const isOpen = open !== undefined && asked.nowMs < open.untilMs;
  if (!mayRequestEmail(asked, parts, isOpen ? null : { kind: "recovery", email: sent })) return accepted({});
  if (account !== undefined) {
    const recoveryId = newId(room.dice);
    const secretHash = room.links.hashOf(room.links.secretOf("recovery", recoveryId));
    const fromMs = parts.sequencer.nowMs() + settings.recoveryDelayMs;
    const untilMs = fromMs + settings.recoveryLifeMs;
    const holder = holderOf(account.accountId);
    setOff(parts, { type: "askRecovery", holder, recoveryId, secretHash, fromMs, untilMs });
  }
  return accepted({});
}

/** Finds a password reset. Throws `Rejection`, also for operators' resets, which are completed in the console. */
function recoveryOf(recoveryId: string, nowMs: number, { view }: CustomerParts): RecoveryRecord {
  const recovery = view.access.recovery(recoveryId);
  if (recovery === undefined || nowMs >= recovery.untilMs || accountIdOf(recovery.holder) === undefined) {
    throw rejected("UNKNOWN_PASSWORD_RESET");
  }
  return recovery;
}

function linkedRecovery(
  { body: { id: recoveryId, secret: sent }, nowMs }: Pick<Open<typeof link>, "body" | "nowMs">,
  parts: CustomerParts,
): RecoveryRecord {
  const recovery = recoveryOf(recoveryId, nowMs, parts);
  if (!isSameHash(recovery.secretHash, parts.room.links.hashOf(sent))) throw rejected("UNKNOWN_PASSWORD_RESET");
  return recovery;
}

function look(asked: Open<typeof link>, parts: CustomerParts): Answer {
  const { fromMs, untilMs } = linkedRecovery(asked, parts);
  return ok({ fromMs, untilMs });
}

async function complete(asked: Open<typeof completeBody>, parts: CustomerParts): Promise<Answer> {
  const { recoveryId, secretHash, fromMs, holder } = linkedRecovery(asked, parts);
  if (asked.nowMs < fromMs) throw rejected("TOO_SOON");
  const sealedPassword = await parts.room.signIn.sealedHashOf(fitPassword(asked.body.password), asked.ip);
  await carryOut(parts, { type: "recover", recoveryId, secretHash, sealedPassword });
  return ok({}, markFor(parts, asked, holder));
}

/** Cancels a reset by the second link of its email, for a customer who did not request it. */
async function cancel(asked: Open<typeof link>, parts: CustomerParts): Promise<Answer> {
  const { id: recoveryId, secret: sent } = asked.body;
  const { holder } = recoveryOf(recoveryId, asked.nowMs, parts);
  if (!isSameHash(sent, parts.room.links.secretOf("cancelRecovery", recoveryId))) {
    throw rejected("UNKNOWN_PASSWORD_RESET");
  }
  await carryOut(parts, { type: "cancelRecovery", recoveryId, by: holder });
  return ok({});
}

/** Locks an account that may be compromised, by the link in security emails. */
async function lock(asked: Open<typeof lockBody>, parts: CustomerParts): Promise<Answer> {
  const { account: accountId, notification, until, secret: sent } = asked.body;
  const good = parts.room.links.secretOf("freeze", `${accountId}:${notification}:${until}`);
  if (!isSameHash(sent, good)) throw rejected("UNKNOWN_LINK");
  if (asked.nowMs >= until) throw rejected("LINK_EXPIRED");
  await carryOut(parts, { type: "freezeAccount", accountId, by: holderOf(accountId) });
  return ok({});
}

export const RECOVERY_ROUTES: readonly AccountRoute[] = [
  openRoute({
    endpoint: "POST /password-reset",
    needs: "page",
    weight: EMAIL_WEIGHT,
    summary: "Requests a password reset by email.",
    answers: "The same for every address.",
    status: 202,
    body: askBody,
    handle: ask,
  }),
  openRoute({
    endpoint: "POST /password-reset/check",
    needs: "page",
    weight: LOOK,
    summary: "Returns when the link of a password reset is valid.",
    answer: ANSWERS.reset,
    answers: "`fromMs`, `untilMs`.",
    body: link,
    handle: look,
  }),
  openRoute({
    endpoint: "POST /password-reset/complete",
    needs: "page",
    weight: HASH,
    summary: "Sets a new password with the link of a password reset.",
    body: completeBody,
    handle: complete,
  }),
  openRoute({
    endpoint: "POST /password-reset/cancel",
    needs: "page",
    weight: ACT,
    summary: "Cancels a password reset with the second link of its email.",
    body: link,
    handle: cancel,
  }),
  openRoute({
    endpoint: "POST /lock",
    needs: "page",
    weight: ACT,
    summary: "Locks an account with the link of a security email.",
    body: lockBody,
    handle: lock,
  }),
];
