/** Routes of whoever has signed in: who that is, the own password and the own codes. */
import { z } from "zod";
import { newTotpSecret, totpStep } from "../../../platform/config/totp.ts";
import { SignInRefused } from "../../sign-in/refused.ts";
import { codeInAct } from "../../sign-in/sign-in.ts";
import { AdminRefusal, type Answer, ok, refusalOf } from "../answer.ts";
import { ALL_RIGHTS, type Asker, rightsOf, type SignedIn } from "../asker.ts";
import { TOTP_PENDING_MS } from "../session-limits.ts";
import { type AdminNode, carryOut } from "../node.ts";
import { type Asked, type Route, route } from "../router.ts";
import { mustBePrivate, proveOperator, signedIn } from "./claim.ts";
import { code as sixDigits, newPassword, saidPassword } from "./password.ts";

const passwordSchema = z.strictObject({ password: saidPassword, newPassword, code: sixDigits.exactOptional() });
const askSchema = z.strictObject({ password: saidPassword });
const confirmSchema = z.strictObject({ pending: z.string().max(1024), code: sixDigits });
const removeSchema = z.strictObject({ password: saidPassword, code: sixDigits });

/** A secret that its holder was shown and has not confirmed: sealed, and kept by the holder. */
const pendingSchema = z.strictObject({ holder: z.string(), secret: z.string(), untilMs: z.number() });

type Own<Body extends z.ZodType> = Asked<Body, z.ZodType>;

export function meRoutes(node: AdminNode): Route[] {
  return [
    route({
      method: "GET",
      pattern: "/v1/me",
      needs: "view",
      summary: "Returns the signed-in operator and the rights of the role.",
      handle: ({ asker, by }) => ok(meBody(node, asker, by)),
    }),
    route({
      method: "POST",
      pattern: "/v1/me/password",
      needs: "view",
      summary: "Changes your password and ends all your other sessions.",
      body: passwordSchema,
      handle: (request) => setPassword(node, request),
    }),
    route({
      method: "POST",
      pattern: "/v1/me/totp",
      needs: "view",
      summary: "Creates a two-factor secret. It takes effect when you confirm it with a code.",
      answers: "The secret, its URI, and `pending`, which you send back with the first code.",
      body: askSchema,
      handle: (request) => newTotp(node, request),
    }),
    route({
      method: "POST",
      pattern: "/v1/me/totp/confirm",
      needs: "view",
      summary: "Confirms a two-factor secret. Sign-in requires a code from now on.",
      body: confirmSchema,
      handle: (request) => confirmTotp(node, request),
    }),
    route({
      method: "POST",
      pattern: "/v1/me/totp/remove",
      needs: "view",
      summary: "Removes your two-factor secret. Sign-in no longer requires a code.",
      body: removeSchema,
      handle: async ({ asker, body, by }) => {
        const { name } = own(asker);
        const used = codeInAct(await proveOperator(node, { name, ...body }, asker));
        await carryOut(node, { type: "setOperatorTotp", name, sealedSecret: null, by, ...used });
        return ok({ hasTotp: false });
      },
    }),
  ];
}

function meBody({ view, sequencer }: AdminNode, asker: Asker, by: string): object {
  if (asker.kind !== "operator") return { name: by, role: null, rights: ALL_RIGHTS, isToken: true, hasTotp: false };
  const { name, role, sessionId } = asker;
  const hasTotp = (view.access.operator(name)?.sealedTotp ?? null) !== null;
  const untilMs = view.access.session(sessionId, sequencer.nowMs())?.untilMs;
  return { name, role, rights: rightsOf(role), isToken: false, hasTotp, untilMs };
}

function own(asker: Asker): Asker & SignedIn {
  mustBePrivate(asker);
  return signedIn(asker);
}

async function setPassword(node: AdminNode, { asker, body, by }: Own<typeof passwordSchema>): Promise<Answer> {
  const { name, sessionId } = own(asker);
  const { newPassword: chosen, ...said } = body;
  const { holder, sealedPassword: was, ...used } = await proveOperator(node, { name, ...said }, asker);
  const sealedPassword = await node.signIn.sealedHashOf(chosen, sessionId, "operators");
  const code = codeInAct(used);
  await carryOut(node, { type: "setPassword", holder, was, sealedPassword, except: sessionId, by, ...code });
  return ok({});
}

async function newTotp(node: AdminNode, { asker, body }: Own<typeof askSchema>): Promise<Answer> {
  const { name } = own(asker);
  const operator = node.view.access.operator(name);
  if (operator === undefined) throw refusalOf("UNKNOWN_OPERATOR");
  if (operator.sealedTotp !== null) throw refusalOf("ALREADY_EXISTS");
  const { holder } = await proveOperator(node, { name, ...body }, asker);
  const { secret, uri } = newTotpSecret(operator.email, node.world);
  const untilMs = node.sequencer.nowMs() + TOTP_PENDING_MS;
  return ok({ secret, uri, pending: node.sealer.seal(JSON.stringify({ holder, secret, untilMs })) });
}

async function confirmTotp(node: AdminNode, { asker, body, by }: Own<typeof confirmSchema>): Promise<Answer> {
  const { name } = own(asker);
  const nowMs = node.sequencer.nowMs();
  const secret = pendingSecret(node, body.pending, `operator:${name}`, nowMs);
  const step = totpStep(secret, body.code, nowMs);
  if (step === null) throw new SignInRefused("CODE_WRONG");
  const sealedSecret = node.sealer.seal(secret);
  const used = { totpStep: step, totpSecret: sealedSecret };
  await carryOut(node, { type: "setOperatorTotp", name, sealedSecret, by, ...used });
  return ok({ hasTotp: true });
}

/** Throws `AdminRefusal` for what is not ours, somebody else's, or too old. */
function pendingSecret({ sealer }: AdminNode, pending: string, holder: string, nowMs: number): string {
  const refusal = new AdminRefusal(
    400,
    "BAD_REQUEST",
    "pending: must be the value from the response, sent within 10 minutes",
  );
  let text: string;
  try {
    text = sealer.unseal(pending);
  } catch (cause) {
    refusal.cause = cause;
    throw refusal;
  }
  const known = text.startsWith("{") ? pendingSchema.safeParse(JSON.parse(text)) : undefined;
  if (known?.success !== true || known.data.holder !== holder || nowMs >= known.data.untilMs) throw refusal;
  return known.data.secret;
}
