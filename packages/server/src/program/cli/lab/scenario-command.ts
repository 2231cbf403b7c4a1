/** The command that shows the scenario that runs on a lab. */
import type { Command } from "commander";
import type { Row } from "../session/output.ts";
import { action } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

export function addLabScenarioCommand(lab: Command, terminal: Terminal): void {
  const scenario = lab.command("scenario").description("Show the running scenario and its state.");
  action(scenario, terminal, async ({ connection, output }) => {
    const told = await connection.call<Row | null>("GET", "/v1/lab/scenario");
    if (told === null) {
      if (output.isJson) output.one({});
      else output.note("No scenario is running.");
      return;
    }
    output.one(told);
  });
}
