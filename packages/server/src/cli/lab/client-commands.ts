/** The commands for the clients in lock step, for which the clock of a lab waits. */
import type { Command } from "commander";
import { CLOCK } from "./clock-commands.ts";
import { action, escape } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

const CLIENTS = `${CLOCK}/clients`;

export function addLabClientCommands(lab: Command, terminal: Terminal): void {
  const clients = lab.command("clients").description("show the clients in lock step: the clock waits for each");
  action(clients, terminal, async ({ connection, output }) => {
    const names = await connection.call<string[]>("GET", CLIENTS);
    const rows = names.map((name) => ({ name }));
    output.rows(rows, ["name"]);
  });
  const dismiss = lab.command("dismiss <names...>").description("let the clock wait for these clients no longer");
  action(dismiss, terminal, async ({ connection, output }, [names = []]) => {
    const dismissed: { readonly name: string }[] = [];
    for (const name of names as unknown as readonly string[]) {
      dismissed.push(await connection.call("DELETE", `${CLIENTS}/${escape(name)}`));
    }
    output.rows(dismissed, ["name"]);
  });
}
