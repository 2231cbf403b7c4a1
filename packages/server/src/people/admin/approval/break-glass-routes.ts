/** Routes of the emergency override, which switches off dual approval a day after its announcement. */
import { MAX_NOTE_LENGTH } from "@pricetime/engine";
import { z } from "zod";
import { created, ok } from "../answer.ts";
import { type AdminNode, carryOut } from "../node.ts";
import { type Route, route } from "../router.ts";

const whySchema = z.strictObject({ why: z.string().trim().min(1).max(MAX_NOTE_LENGTH) });

export function breakGlassRoutes(node: AdminNode): Route[] {
  const pattern = "/v1/emergency-override";
  const shown = (): object => ({ emergencyOverride: node.view.venue.breakGlass });
  return [
    route({
      method: "GET",
      pattern,
      needs: "view",
      summary: "Returns the announced emergency override with its author, reason and start; null: none is announced.",
      handle: () => ok(shown()),
    }),
    route({
      method: "POST",
      pattern,
      needs: "venue",
      summary:
        "Announces the emergency override: dual approval is switched off after 24 hours. Every operator gets an email, and any operator except a viewer can cancel it.",
      status: 201,
      body: whySchema,
      handle: async ({ body: { why }, by }) => {
        await carryOut(node, { type: "breakGlass", why, by });
        return created(shown());
      },
    }),
    route({
      method: "DELETE",
      pattern,
      needs: "any",
      summary: "Cancels the announced emergency override.",
      handle: async ({ by }) => {
        await carryOut(node, { type: "stopBreakGlass", by });
        return ok(shown());
      },
    }),
  ];
}
