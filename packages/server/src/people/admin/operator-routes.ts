/** Routes of operators: their roles, invitations and two-factor secrets. */
import {
  type Command,
  type Holder,
  type InvitationRecord,
  MAX_OPERATOR_NAME_LENGTH,
  OPERATOR_ROLES,
  type OperatorRecord,
} from "@pricetime/engine";
import { newId } from "../sign-in/tokens.ts";
import { badRequest, created, ok } from "../http/answer.ts";
import { rejectionOf } from "./rejections.ts";
import { type Caller, isAllowed } from "./operator.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { type AdminRequest, type AdminRoute, route } from "./router.ts";
import { z } from "zod";
import { listRoute } from "./list-route.ts";
import { operatorRow } from "./answers.ts";

/** Who is invited: `holder` exists already; `opens` is the customer account to open when the invitation is accepted. */
type Invited = Pick<Command<"invite">, "email" | "holder" | "opens">;

/** Creates an invitation and returns it with its link; `link` is null if the caller must not see it. */
export async function invite(
  node: AdminNode,
  invited: Invited,
  request: Pick<AdminRequest, "by" | "caller">,
): Promise<object> {
  const { links, sequencer, view, world, invitationLifeMs } = node;
  const invitationId = newId(world);
  const secret = links.secretOf("invitation", invitationId);
  const untilMs = sequencer.nowMs() + invitationLifeMs;
  const { by, caller } = request;
  const secretHash = links.hashOf(secret);
  await carryOut(node, { type: "invite", invitationId, secretHash, ...invited, untilMs, by });
  const invitation = view.access.invitation(invitationId, 0);
  if (invitation === undefined) throw rejectionOf("UNKNOWN_INVITATION");
  const link = `${pageOf(node, invited.holder, caller)}#/invitation?id=${invitationId}&secret=${secret}`;
  return { ...invitationBody(invitation), link: mayKnowLink(invited, caller) ? link : null };
}

/** The link sets a new password for an existing holder, so only callers with the right `venue` may see it. */
const mayKnowLink = ({ holder }: Invited, caller: Caller): boolean => holder === null || isAllowed(caller, "venue");

function pageOf({ publicUrl }: AdminNode, holder: Holder | null, { origin }: Caller): string {
  return holder?.startsWith("operator:") === true ? `${origin}/` : `${publicUrl()}/account/`;
}

/** The invitation without the hash of its secret. */
export function invitationBody({ secretHash: _hash, ...invitation }: InvitationRecord): object {
  return invitation;
}

const email = z.email().max(256);
const role = z.enum(OPERATOR_ROLES);
const openSchema = z.strictObject({
  name: z
    .string()
    .max(MAX_OPERATOR_NAME_LENGTH)
    .regex(
      /^[a-z][a-z0-9._-]*$/,
      "must start with a lower-case letter and contain only lower-case letters, digits, `.`, `_` and `-`",
    ),
  email,
  role,
});
const changeSchema = z.strictObject({
  email: email.exactOptional(),
  role: role.exactOptional(),
  /** Disabling an operator ends all sessions of the operator and voids all approvals. */
  isEnabled: z.boolean().exactOptional(),
});

export function operatorRoutes(node: AdminNode): AdminRoute[] {
  const pattern = "/v1/operators/:operator";
  return [
    listRoute({
      pattern: "/v1/operators",
      summary: "Lists operators, including disabled ones, because the journal refers to them.",
      row: operatorRow,
      page: () => ({ rows: [...node.view.access.operators()].map((one) => operatorBody(node, one)) }),
    }),
    route({
      endpoint: "POST /v1/operators",
      needs: "venue",
      summary: "Adds an operator. Send an invitation to let the operator sign in.",
      answer: operatorRow,
      status: 201,
      body: openSchema,
      handle: async ({ body, by }) => {
        await carryOut(node, { type: "openOperator", ...body, by });
        return created(operatorBody(node, findOperator(node, { operator: body.name })));
      },
    }),
    route({
      endpoint: `PATCH ${pattern}`,
      needs: "venue",
      summary: "Changes the email address, role or state of an operator. Omitted fields keep their values.",
      answer: operatorRow,
      body: changeSchema,
      handle: async ({ path, body: change, by }) => {
        const { name } = findOperator(node, path);
        if (Object.keys(change).length === 0) throw badRequest("the request changes nothing: set at least one field");
        await carryOut(node, { type: "changeOperator", name, ...change, by });
        return ok(operatorBody(node, findOperator(node, path)));
      },
    }),
    route({
      endpoint: `POST ${pattern}/invitation`,
      needs: "venue",
      summary: "Emails an operator a link to choose a password, which replaces the current one.",
      answers: "The invitation with its link.",
      status: 201,
      handle: async (request) => {
        const operator = findOperator(node, request.path);
        const holder = `operator:${operator.name}`;
        return created(await invite(node, { email: operator.email, holder, opens: null }, request));
      },
    }),
    route({
      endpoint: `DELETE ${pattern}/totp`,
      needs: "venue",
      summary: "Removes the two-factor secret of an operator, for example after a device is lost.",
      answer: operatorRow,
      handle: async ({ path, by }) => {
        const { name } = findOperator(node, path);
        await carryOut(node, { type: "setOperatorTotp", name, sealedSecret: null, by });
        return ok(operatorBody(node, findOperator(node, path)));
      },
    }),
  ];
}

function findOperator({ view }: AdminNode, path: { readonly operator: string }): OperatorRecord {
  const operator = view.access.operator(path.operator);
  if (operator === undefined) throw rejectionOf("UNKNOWN_OPERATOR");
  return operator;
}

/** The operator without the two-factor secret. */
function operatorBody({ view, sequencer }: AdminNode, operator: OperatorRecord): object {
  const { name, email: mail, role: has, isEnabled, sealedTotp, createdMs } = operator;
  const holder = `operator:${name}`;
  return {
    ...{ name, email: mail, role: has, isEnabled },
    hasPassword: view.access.sealedPassword(holder) !== undefined,
    hasTotp: sealedTotp !== null,
    sessions: view.access.sessions(holder, sequencer.nowMs()).length,
    createdMs,
  };
}
