/** Routes at which a scenario's player tells what it plays. */
import { ok } from "../../people/admin/answer.ts";
import { type Route, route } from "../../people/admin/router.ts";
import { type ToldScenario, toldScenarioSchema } from "./told-scenario.ts";

export function scenarioRoutes(): Route[] {
  let told: ToldScenario | null = null;
  const pattern = "/v1/lab/scenario";
  return [
    route({
      method: "GET",
      pattern,
      summary: "Shows the scenario that runs on the lab; null if there is none.",
      answers:
        "`name`, `hash` of its file, `startMs`, `endMs`; `timeline`: what happens when, and whether it has; `asserts`: what must hold, and whether it does.",
      handle: () => ok(told),
    }),
    route({
      method: "PUT",
      pattern,
      summary: "Publishes the running scenario for viewers. The node does not use it.",
      body: toldScenarioSchema,
      handle: ({ body }) => ok((told = body)),
    }),
    route({
      method: "DELETE",
      pattern,
      summary: "Removes the published scenario when it has ended.",
      handle: () => ok((told = null)),
    }),
  ];
}
