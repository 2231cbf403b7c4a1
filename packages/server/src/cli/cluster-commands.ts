/** The commands that concern nodes that are one exchange. */
import type { Command } from "commander";
import type { Row } from "./output.ts";
import { action } from "./session.ts";
import type { Terminal } from "./terminal.ts";

export function addClusterCommands(program: Command, terminal: Terminal): void {
  const cluster = program.command("cluster").description("several nodes that are one exchange");
  action(
    cluster.command("status").description("the nodes, how far each is, and who holds which role, as one node sees it"),
    terminal,
    async ({ connection, output }) => output.one(await connection.call<Row>("GET", "/v1/cluster")),
  );
}
