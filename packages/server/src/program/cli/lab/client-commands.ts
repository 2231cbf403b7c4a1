/** The commands for the clients in lock step, for which the clock of a lab waits. */
import type { Command } from "commander";
import { CLOCK } from "./clock-commands.ts";
import { action, escape } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

const CLIENTS = `${CLOCK}/clients`;

export function addLabClientCommands(lab: Command, terminal: Terminal): void {
  const clients = lab.command("clients").description("List the clients in lock step, for which the clock waits.");
  action(clients, terminal, async ({ connection, output }) => {
    const names = await connection.call<string[]>("GET", CLIENTS);
    const rows = names.map((name) => ({ name }));
    output.rows(rows, ["name"]);
  });
  const release = lab
    .command("release <names...>")
    .description("Release clients from lock step. The clock no longer waits for them.");
  action(release, terminal, async ({ connection, output }, [names = []]) => {
    const released: { readonly name: string }[] = [];
    for (const name of names as unknown as readonly string[]) {
      released.push(await connection.call("DELETE", `${CLIENTS}/${escape(name)}`));
    }
    output.rows(released, ["name"]);
  });
}
