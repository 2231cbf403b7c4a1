/** Two operators, and acts that one proposes and the other approves. */
import type { Command, ProposedAct } from "@pricetime/engine";

const [AUTHOR, OTHER] = ["operator:carol", "operator:bob"] as const;

/** Opens both, who may do everything. */
export const TWO_OPERATORS: readonly Command[] = [AUTHOR, OTHER].map((holder) => {
  const name = holder.slice("operator:".length);
  return { type: "openOperator", by: "admin", name, email: `${name}@example.com`, role: "admin" };
});

/** `number` tells proposals apart. */
export function byTwo(number: number, act: ProposedAct): Command[] {
  const proposalId = number.toString(16).padStart(32, "0");
  return [
    { type: "propose", by: AUTHOR, proposalId, act: { ...act, by: AUTHOR }, why: "a test" },
    { type: "approveProposal", by: OTHER, proposalId, version: 1 },
  ];
}
