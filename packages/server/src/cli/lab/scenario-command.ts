/** The command that shows the scenario that is played on a lab. */
import type { Command } from "commander";
import type { Row } from "../session/output.ts";
import { action } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

export function addLabScenarioCommand(lab: Command, terminal: Terminal): void {
  const scenario = lab
    .command("scenario")
    .description("show the scenario that is played on the lab, and how it stands");
  action(scenario, terminal, async ({ connection, output }) => {
    const told = await connection.call<Row | null>("GET", "/v1/lab/scenario");
    if (told === null) {
      if (output.isJson) output.one({});
      else output.note("no scenario is played");
      return;
    }
    output.one(told);
  });
}
