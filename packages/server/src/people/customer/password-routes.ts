/** The password and two-factor authentication: changing them, password resets, and account locks. */
import { z } from "zod";
import { newTotpSecret, totpStep } from "../../platform/config/totp.ts";
import { PENDING_TOTP_LIFE_MS } from "../sign-in/limits.ts";
import { SignInRefused } from "../sign-in/refused.ts";
import { codeInAct, type Proven } from "../sign-in/sign-in.ts";
import { type CustomerAnswer, ok } from "./answer.ts";
import { carryOut } from "./command.ts";
import { code, fitPassword, password, sealed } from "./fields.ts";
import { CustomerRefused } from "./refused.ts";
import { type CustomerParts, type CustomerRoute, read, type SignedIn } from "./route.ts";
import { guessWithin } from "./who.ts";
import { ACT, HASH } from "./weights.ts";

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
