/** The commands for notes on accounts, which operators write for each other. */
import type { Command } from "commander";
import type { Row } from "../session/output.ts";
import { action, escape } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

export function addAccountNotes(account: Command, terminal: Terminal): void {
  const note = account.command("note <account> <text>").description("Add a note to an account. Only operators see it.");
  action(note, terminal, async ({ connection, output }, [name = "", text]) =>
    output.one(await connection.call<Row>("POST", `/v1/accounts/${escape(name)}/notes`, { text })),
  );
  const notes = account.command("notes <account>").description("List the notes on an account, newest first.");
  action(notes, terminal, async ({ connection, output }, [name = ""]) =>
    output.rows(await connection.call<Row[]>("GET", `/v1/accounts/${escape(name)}/notes`), ["timeMs", "by", "text"]),
  );
}
