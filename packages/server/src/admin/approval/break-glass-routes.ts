/** Routes of the way out where the second person is gone: the rules end a day after all were told. */
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
      summary: "Whether the end of the rules of approval is announced, by whom, and for when.",
      handle: () => ok(shown()),
    }),
    route({
      method: "POST",
      pattern,
      needs: "venue",
      summary: "Announces that the rules of approval end in a day. Every operator is mailed, and anyone may stop it.",
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
      summary: "Stops the announced end of the rules of approval.",
      handle: async ({ by }) => {
        await carryOut(node, { type: "stopBreakGlass", by });
        return ok(shown());
      },
    }),
  ];
}
