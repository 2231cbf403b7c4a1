/** Password resets and account locks: the links in emails. */
import { accountIdOf, type RecoveryRecord } from "@pricetime/engine";
import { z } from "zod";
import { isSameHash, newId } from "../sign-in/tokens.ts";
import { ACCEPTED, type CustomerAnswer, ok } from "./answer.ts";
import { carryOut, setOff } from "./command.ts";
import { email, fitPassword, id, password, secret } from "./fields.ts";
import { mayAskForLetter } from "./letters.ts";
import { CustomerRefused } from "./refused.ts";
import { type Asked, type CustomerParts, type CustomerRoute, read } from "./route.ts";
import { customerOf, holderOf, markFor } from "./who.ts";
import { ACT, HASH, LETTER, LOOK } from "./weights.ts";

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
