/** Routes with which operators sign in, accept invitations, and change their password and two-factor secret. */
import { z } from "zod";
import { isFitPassword } from "../sign-in/passwords.ts";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, OPERATOR_SESSION_MS, TOTP_PENDING_MS } from "../sign-in/limits.ts";
import { type Answer, badRequest, ok, Rejection } from "../http/answer.ts";
import { rejectionOf } from "./rejections.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { codeInAct, confirmPendingTotp, newPendingTotp, type Proven } from "../sign-in/sign-in.ts";
import { ALL_RIGHTS, type Caller, rightsOf, type SignedIn } from "./operator.ts";
import { browserOf, CLEARED_AT_SIGN_OUT, isSameHash, newMark, tokenText } from "../sign-in/tokens.ts";
import { type DoneWork, doneWork } from "../sign-in/work.ts";
import { operatorNameOf } from "@pricetime/engine";
import { type AdminRoute, type Asked, route } from "./router.ts";
import { pendingTotp } from "../http/shapes.ts";
import { me, operatorSession } from "./answers.ts";

/** A password to check. Only its maximum length is enforced. */
const sentPassword = z
  .string()
  .min(1)
  .max(2 * MAX_PASSWORD_LENGTH);

const newPassword = z
  .string()
  .max(2 * MAX_PASSWORD_LENGTH)
  .refine(isFitPassword, `must be ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`);

const code = z.string().regex(/^[0-9]{6}$/, "must be six digits");

interface Credentials {
  readonly name: string;
  readonly password: string;
  readonly code?: string | undefined;
  /** The mark from an earlier sign-in with the same browser. */
  readonly mark?: string | undefined;
  readonly work?: DoneWork | undefined;
}

/**
 * Checks the password, and the code if required. Rejects with `SignInRefused`, also for unknown or disabled operators.
 */
function proveOperator(
  { view, signIn, links }: AdminNode,
  { name, password, code, mark, work }: Credentials,
  caller: Caller,
): Promise<Proven> {
  const operator = view.access.operator(name);
  const subject = `operator:${name}`;
  const holder = operator?.isEnabled === true ? subject : undefined;
  const device = ownSender(caller, name) ?? browserOf(links, subject, mark);
  // The port listens on loopback: behind a tunnel or proxy, all clients have the same IP address.
  const guess = { subject, ip: caller.ip, device, isFamiliarAddress: false, isSharedAddress: true } as const;
  return signIn.prove({ holder, password, code, sealedTotp: operator?.sealedTotp ?? null, guess, work });
}

/** Identifies an authenticated client: one with the operator's own session or with the admin token. Otherwise null. */
function ownSender(caller: Caller, name: string): string | null {
  if (caller.kind === "token") return "admin-token";
  return caller.kind === "operator" && caller.name === name ? caller.sessionId : null;
}

/** Returns the signed-in operator; throws `Rejection` for the admin token, which has no password. */
function signedIn(caller: Caller): Caller & SignedIn {
  if (caller.kind === "operator") return caller;
  throw new Rejection(
    409,
    "NOT_AN_OPERATOR",
    "The admin token has no password and no two-factor codes. Sign in as an operator.",
  );
}

/** Throws `Rejection` if the connection is not confidential. */
function mustBePrivate({ isSecure }: Pick<Caller, "isSecure">): void {
  if (isSecure) return;
  const message =
    "Passwords are accepted only over TLS or on this machine. Set admin.tls, or use a proxy that sends X-Forwarded-Proto: https.";
  throw new Rejection(403, "INSECURE", message);
}

const signInSchema = z.strictObject({
  name: z.string().min(1).max(256),
  password: sentPassword,
  code: code.exactOptional(),
  /**
   * The mark from an earlier sign-in with the same browser, so that failed attempts by other clients do not delay it.
   */
  mark: z.string().max(256).exactOptional(),
  work: doneWork.exactOptional(),
});
const acceptSchema = z.strictObject({ id: z.string().max(64), secret: z.string().max(64), password: newPassword });

export function signInRoutes(node: AdminNode): AdminRoute[] {
  return [
    route({
      endpoint: "POST /v1/sign-in",
      needs: "nothing",
      summary: "Signs in an operator.",
      answers:
        "The session token, shown only once. It expires at `untilMs`, or after 30 minutes without requests. 429 TOO_MANY_TRIES " +
        "and 503 BUSY may contain `work`: repeat the request with this proof of work to bypass the limit.",
      answer: operatorSession,
      body: signInSchema,
      handle: ({ body, caller }) => signIn(node, body, caller),
    }),
    route({
      endpoint: "POST /v1/sign-out",
      needs: "view",
      summary: "Ends the session.",
      handle: async ({ caller, by }) => {
        const { sessionId } = signedIn(caller);
        await carryOut(node, { type: "closeSession", sessionId, by });
        return ok({}, CLEARED_AT_SIGN_OUT);
      },
    }),
    route({
      endpoint: "POST /v1/accept-invitation",
      needs: "nothing",
      summary: "Accepts an invitation: the operator chooses a password. Each link works once.",
      answers: "The operator's name, and a `mark` for the first sign-in.",
      body: acceptSchema,
      handle: ({ body, caller }) => accept(node, body, caller),
    }),
  ];
}

async function signIn(node: AdminNode, said: z.output<typeof signInSchema>, caller: Caller): Promise<Answer> {
  mustBePrivate(caller);
  const proven = await proveOperator(node, said, caller);
  const untilMs = node.sequencer.nowMs() + OPERATOR_SESSION_MS;
  const { ip, client } = caller;
  const token = tokenText(await node.signIn.open(proven, untilMs, { ip, client }));
  const role = node.view.access.operator(said.name)?.role;
  return ok({ token, untilMs, name: said.name, role, mark: newMark(node.links, proven.holder, node.world) });
}

async function accept(
  node: AdminNode,
  { id, secret, password }: z.output<typeof acceptSchema>,
  caller: Caller,
): Promise<Answer> {
  mustBePrivate(caller);
  const { view, links, sequencer } = node;
  const invitation = view.access.invitation(id, sequencer.nowMs());
  const name = operatorNameOf(invitation?.holder ?? "");
  const secretHash = links.hashOf(secret);
  // All invalid links get the same answer, before the password is hashed at a high cost.
  if (invitation === undefined || name === undefined || !isSameHash(secretHash, invitation.secretHash)) {
    throw rejectionOf("UNKNOWN_INVITATION");
  }
  const sealedPassword = await node.signIn.sealedHashOf(password, id, "operators");
  await carryOut(node, { type: "acceptInvitation", invitationId: id, secretHash, sealedPassword });
  return ok({ name, mark: newMark(links, `operator:${name}`, node.world) });
}

const passwordSchema = z.strictObject({ password: sentPassword, newPassword, code: code.exactOptional() });
const askSchema = z.strictObject({ password: sentPassword });
const confirmSchema = z.strictObject({ pending: z.string().max(1024), code: code });
const removeSchema = z.strictObject({ password: sentPassword, code: code });

export function meRoutes(node: AdminNode): AdminRoute[] {
  return [
    route({
      endpoint: "GET /v1/me",
      needs: "view",
      summary: "Returns the signed-in operator and the rights of the role.",
      answer: me,
      handle: ({ caller, by }) => ok(meBody(node, caller, by)),
    }),
    route({
      endpoint: "POST /v1/me/password",
      needs: "view",
      summary: "Changes your password and ends all your other sessions.",
      body: passwordSchema,
      handle: (request) => setPassword(node, request),
    }),
    route({
      endpoint: "POST /v1/me/totp",
      needs: "view",
      summary: "Creates a two-factor secret. It takes effect when you confirm it with a code.",
      answers: "The secret, its URI, and `pending`, which you send back with the first code.",
      answer: pendingTotp,
      body: askSchema,
      handle: (request) => newTotp(node, request),
    }),
    route({
      endpoint: "POST /v1/me/totp/confirm",
      needs: "view",
      summary: "Confirms a two-factor secret. Sign-in requires a code from now on.",
      body: confirmSchema,
      handle: (request) => confirmTotp(node, request),
    }),
    route({
      endpoint: "POST /v1/me/totp/remove",
      needs: "view",
      summary: "Removes your two-factor secret. Sign-in no longer requires a code.",
      body: removeSchema,
      handle: async ({ caller, body, by }) => {
        const { name } = own(caller);
        const used = codeInAct(await proveOperator(node, { name, ...body }, caller));
        await carryOut(node, { type: "setOperatorTotp", name, sealedSecret: null, by, ...used });
        return ok({ hasTotp: false });
      },
    }),
  ];
}

function meBody({ view, sequencer }: AdminNode, caller: Caller, by: string): object {
  if (caller.kind !== "operator") return { name: by, role: null, rights: ALL_RIGHTS, isToken: true, hasTotp: false };
  const { name, role, sessionId } = caller;
  const hasTotp = (view.access.operator(name)?.sealedTotp ?? null) !== null;
  const untilMs = view.access.session(sessionId, sequencer.nowMs())?.untilMs;
  return { name, role, rights: rightsOf(role), isToken: false, hasTotp, untilMs };
}

function own(caller: Caller): Caller & SignedIn {
  mustBePrivate(caller);
  return signedIn(caller);
}

async function setPassword(node: AdminNode, { caller, body, by }: Asked<typeof passwordSchema>): Promise<Answer> {
  const { name, sessionId } = own(caller);
  const { newPassword: chosen, ...said } = body;
  const { holder, sealedPassword: was, ...used } = await proveOperator(node, { name, ...said }, caller);
  const sealedPassword = await node.signIn.sealedHashOf(chosen, sessionId, "operators");
  const code = codeInAct(used);
  await carryOut(node, { type: "setPassword", holder, was, sealedPassword, except: sessionId, by, ...code });
  return ok({});
}

async function newTotp(node: AdminNode, { caller, body }: Asked<typeof askSchema>): Promise<Answer> {
  const { name } = own(caller);
  const operator = node.view.access.operator(name);
  if (operator === undefined) throw rejectionOf("UNKNOWN_OPERATOR");
  if (operator.sealedTotp !== null) throw rejectionOf("ALREADY_EXISTS");
  const { holder } = await proveOperator(node, { name, ...body }, caller);
  const untilMs = node.sequencer.nowMs() + TOTP_PENDING_MS;
  return ok(newPendingTotp({ sealer: node.sealer, dice: node.world }, { holder, email: operator.email, untilMs }));
}

async function confirmTotp(node: AdminNode, { caller, body, by }: Asked<typeof confirmSchema>): Promise<Answer> {
  const { name } = own(caller);
  const confirmed = confirmPendingTotp(node.sealer, body, `operator:${name}`, node.sequencer.nowMs());
  if (confirmed === undefined) throw badRequest("pending: must be the value from the response, sent within 10 minutes");
  await carryOut(node, { type: "setOperatorTotp", name, by, ...confirmed });
  return ok({ hasTotp: true });
}
