/** Acts that always need a second person: whoever asks for one only proposes it. */
import type { ProposedAct } from "@pricetime/engine";
import { accepted, type Answer } from "./answer.ts";
import { type AdminNode, carryOut } from "./node.ts";

const ID_BYTES = 16;

/** Proposes the act, which another operator approves at `/v1/proposals`. */
export async function propose(node: AdminNode, act: ProposedAct, why: string): Promise<Answer> {
  const proposalId = node.world.randomBytes(ID_BYTES).toString("hex");
  const events = await carryOut(node, { type: "propose", proposalId, act, why, by: act.by });
  const changed = events.find((event) => event.type === "proposalChanged");
  return accepted({ proposal: changed?.proposal });
}
