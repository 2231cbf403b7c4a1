/** Acts that somebody proposes: commands as JSON, which the engine checks, and which hold no secret of anybody's. */
import { PROPOSABLE_ACTS, type ProposedAct } from "@pricetime/engine";
import { z } from "zod";
import { AdminRefusal } from "../answer.ts";
import type { AdminNode } from "../node.ts";
import { holdsSecret } from "../needs-two.ts";

/** How deep an act goes: the filters of a symbol that is listed, the networks of an asset. */
const ACT_DEPTH = 4;

function valueOf(depth: number): z.ZodType {
  const plain = [z.string(), z.number(), z.boolean(), z.null()] as const;
  if (depth === 0) return z.union(plain);
  const inner = valueOf(depth - 1);
  return z.union([...plain, z.array(inner), z.record(z.string(), inner)]);
}

/** `by` is whoever proposes it, whatever is sent. */
export const actSchema = z.object({ type: z.enum(PROPOSABLE_ACTS) }).catchall(valueOf(ACT_DEPTH));

/**
 * Returns the act as a command of its author. Throws `AdminRefusal` 400 for a secret that a client would choose: of a
 * key or of codes, sealed by whomever, or that of an invitation, with which the author could accept it.
 */
export function actOf({ links }: AdminNode, sent: z.output<typeof actSchema>, by: string): ProposedAct {
  if (holdsSecret(sent)) throw refused("it must not contain a secret");
  const { type, invitationId, secretHash } = sent;
  if (type === "invite") {
    // Not every value can be made a text: an object may have a member toString.
    const id = typeof invitationId === "string" ? invitationId : "";
    if (secretHash !== links.hashOf(links.secretOf("invitation", id)))
      throw refused("an invitation must be sent as in the error NEEDS_APPROVAL");
  }
  return { ...sent, by } as unknown as ProposedAct;
}

const refused = (why: string): AdminRefusal => new AdminRefusal(400, "BAD_REQUEST", `action: ${why}`);
