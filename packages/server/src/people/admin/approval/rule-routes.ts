/** Routes of the approval rules: which actions require dual approval. */
import { MAX_APPROVAL_RULES, MAX_APPROVALS, RULABLE_ACTS } from "@pricetime/engine";
import { z } from "zod";
import { assetName, decimal } from "../../../platform/config/listing-schema.ts";
import { ok } from "../answer.ts";
import { type AdminNode, carryOut } from "../node.ts";
import { findAsset } from "../parse.ts";
import { type Route, route } from "../router.ts";

const rulesSchema = z.strictObject({
  /** The number of operators, besides the author, who must approve. */
  approvals: z.int().min(1).max(MAX_APPROVALS).default(1),
  /** Approving a withdrawal above the amount requires dual approval. */
  withdrawalsAbove: z
    .array(z.strictObject({ asset: assetName, amount: decimal }))
    .max(MAX_APPROVAL_RULES)
    .default([]),
  /** Types of commands, as the audit log and the journal name them. */
  actions: z.array(z.enum(RULABLE_ACTS)).max(MAX_APPROVAL_RULES).default([]),
});

function rulesBody({ venue }: AdminNode["view"]): object {
  const { acts, ...rules } = venue.approvalRules;
  return { ...rules, actions: acts };
}

export function approvalRuleRoutes(node: AdminNode): Route[] {
  const { view } = node;
  return [
    route({
      method: "GET",
      pattern: "/v1/approval-rules",
      needs: "view",
      summary:
        "Returns the approval rules: which actions require dual approval. Adjustments, and crediting or keeping unattributed deposits, always do.",
      handle: () => ok(rulesBody(view)),
    }),
    route({
      method: "PUT",
      pattern: "/v1/approval-rules",
      needs: "venue",
      summary: "Sets the approval rules. Once any action requires dual approval, changing the rules does, too.",
      body: rulesSchema,
      handle: async ({ body: { actions, ...rules }, by }) => {
        for (const { asset } of rules.withdrawalsAbove) findAsset(view, asset);
        await carryOut(node, { type: "setApprovalRules", rules: { ...rules, acts: actions }, by });
        return ok(rulesBody(view));
      },
    }),
  ];
}
