/** Invitations that operators write: to customers, and to other operators. */
import type { Holder, InvitationRecord, Invite } from "@pricetime/engine";
import { newId } from "../../sign-in/tokens.ts";
import { refusalOf } from "../answer.ts";
import { type Asker, mayAsk } from "../asker.ts";
import { type AdminNode, carryOut } from "../node.ts";
import type { AdminRequest } from "../router.ts";

/** Whom to invite: `holder`, or a customer whose account is opened then. */
type Invited = Pick<Invite, "email" | "holder" | "opens">;

/** Invites, and returns what the answer tells: the link is in it for whom it is good to know. */
export async function invite(node: AdminNode, invited: Invited, request: AdminRequest): Promise<object> {
  const { links, sequencer, view, world, invitationLifeMs } = node;
  const invitationId = newId(world);
  const secret = links.secretOf("invitation", invitationId);
  const untilMs = sequencer.nowMs() + invitationLifeMs;
  const { by, asker } = request;
  const secretHash = links.hashOf(secret);
  await carryOut(node, { type: "invite", invitationId, secretHash, ...invited, untilMs, by });
  const invitation = view.access.invitation(invitationId, 0);
  if (invitation === undefined) throw refusalOf("UNKNOWN_INVITATION");
  const link = `${pageOf(node, invited.holder, asker)}#/invitation?id=${invitationId}&secret=${secret}`;
  return { ...invitationBody(invitation), link: mayKnowLink(invited, asker) ? link : null };
}

/**
 * Whoever has the link of somebody who has an account or a name already chooses that one's password: it is shown to
 * those alone who could do as much otherwise.
 */
const mayKnowLink = ({ holder }: Invited, asker: Asker): boolean => holder === null || mayAsk(asker, "venue");

function pageOf({ publicUrl }: AdminNode, holder: Holder | null, { origin }: Asker): string {
  return holder?.startsWith("operator:") === true ? `${origin}/` : `${publicUrl()}/account/`;
}

/** The invitation without its secret, hashed or not. */
export function invitationBody({ secretHash: _hash, ...invitation }: InvitationRecord): object {
  return invitation;
}
