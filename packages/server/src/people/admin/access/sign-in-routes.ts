/** Routes by which operators get in: with a password, and at first with the link of an invitation. */
import { operatorNameOf } from "@pricetime/engine";
import { z } from "zod";
import { CLEARED_AT_SIGN_OUT } from "../../sign-in/clear-site-data.ts";
import { newMark } from "../../sign-in/familiar-browsers.ts";
import { isSameHash, tokenText } from "../../sign-in/tokens.ts";
import { doneWork } from "../../sign-in/work.ts";
import { type Answer, ok, refusalOf } from "../answer.ts";
import type { Asker } from "../asker.ts";
import { OPERATOR_SESSION_MS } from "../session-limits.ts";
import { type AdminNode, carryOut } from "../node.ts";
import { type Route, route } from "../router.ts";
import { mustBePrivate, proveOperator, signedIn } from "./claim.ts";
import { code, newPassword, saidPassword } from "./password.ts";

const signInSchema = z.strictObject({
  name: z.string().min(1).max(256),
  password: saidPassword,
  code: code.exactOptional(),
  /** The mark from an earlier sign-in in the same browser. Failed attempts of others do not delay it. */
  mark: z.string().max(256).exactOptional(),
  work: doneWork.exactOptional(),
});
const acceptSchema = z.strictObject({ id: z.string().max(64), secret: z.string().max(64), password: newPassword });

export function signInRoutes(node: AdminNode): Route[] {
  return [
    route({
      method: "POST",
      pattern: "/v1/sign-in",
      needs: "nothing",
      summary: "Signs in an operator.",
      answers:
        "The session token, shown only once. It expires at `untilMs`, or after 30 minutes without requests. 429 TOO_MANY_TRIES " +
        "and 503 BUSY may contain `work`: repeat the request with this proof of work to bypass the limit.",
      body: signInSchema,
      handle: ({ body, asker }) => signIn(node, body, asker),
    }),
    route({
      method: "POST",
      pattern: "/v1/sign-out",
      needs: "view",
      summary: "Ends the session.",
      handle: async ({ asker, by }) => {
        const { sessionId } = signedIn(asker);
        await carryOut(node, { type: "closeSession", sessionId, by });
        return { ...ok({}), headers: CLEARED_AT_SIGN_OUT };
      },
    }),
    route({
      method: "POST",
      pattern: "/v1/accept-invitation",
      needs: "nothing",
      summary: "Accepts an invitation: the operator chooses a password. Each link works once.",
      answers: "The operator's name, and a `mark` for the first sign-in.",
      body: acceptSchema,
      handle: ({ body, asker }) => accept(node, body, asker),
    }),
  ];
}

async function signIn(node: AdminNode, said: z.output<typeof signInSchema>, asker: Asker): Promise<Answer> {
  mustBePrivate(asker);
  const proven = await proveOperator(node, said, asker);
  const untilMs = node.sequencer.nowMs() + OPERATOR_SESSION_MS;
  const { ip, client } = asker;
  const token = tokenText(await node.signIn.open(proven, untilMs, { ip, client }));
  const role = node.view.access.operator(said.name)?.role;
  return ok({ token, untilMs, name: said.name, role, mark: newMark(node.links, proven.holder, node.world) });
}

async function accept(
  node: AdminNode,
  { id, secret, password }: z.output<typeof acceptSchema>,
  asker: Asker,
): Promise<Answer> {
  mustBePrivate(asker);
  const { view, links, sequencer } = node;
  const invitation = view.access.invitation(id, sequencer.nowMs());
  const name = operatorNameOf(invitation?.holder ?? "");
  const secretHash = links.hashOf(secret);
  // Whoever guesses learns nothing, and no password is hashed for them.
  if (invitation === undefined || name === undefined || !isSameHash(secretHash, invitation.secretHash)) {
    throw refusalOf("UNKNOWN_INVITATION");
  }
  const sealedPassword = await node.signIn.sealedHashOf(password, id, "operators");
  await carryOut(node, { type: "acceptInvitation", invitationId: id, secretHash, sealedPassword });
  return ok({ name, mark: newMark(links, `operator:${name}`, node.world) });
}
