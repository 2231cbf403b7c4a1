/** Acts that always need a second person: whoever asks for one only proposes it. */
import type { ProposedAct } from "@pricetime/engine";
import { newId } from "../../sign-in/tokens.ts";
import { accepted, type Answer } from "../answer.ts";
import type { Asker } from "../asker.ts";
import { type AdminNode, carryOut } from "../node.ts";
import { mustBeSomebody, proposalBody } from "./proposal-routes.ts";

/** Proposes the act, which another operator approves at `/v1/approval-requests`. Throws `AdminRefusal`. */
export async function propose(node: AdminNode, act: ProposedAct, why: string, asker: Asker): Promise<Answer> {
  mustBeSomebody(asker);
  const proposalId = newId(node.world);
  const events = await carryOut(node, { type: "propose", proposalId, act, why, by: act.by });
  const changed = events.find((event) => event.type === "proposalChanged");
  return accepted(changed === undefined ? {} : { request: proposalBody(node, changed.proposal) });
}
