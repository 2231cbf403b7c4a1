/** The commands that take, restore and copy checkpoints of a lab. */
import { readFileSync, writeFileSync } from "node:fs";
import type { Command } from "commander";
import { CommandFailed, type Row, type Terminal } from "../session/terminal.ts";
import { action, escape, said } from "../session/session.ts";

const CHECKPOINTS = "/v1/lab/checkpoints";
const COLUMNS = ["name", "seq", "time", "bytes", "hash"];
const KEEP_KEYS = ["--keep-keys", "Keep API keys and listen keys created after the restored state"] as const;
const KEEP_CONNECTIONS = ["--keep-connections", "Keep streams and WebSocket sessions open"] as const;

export function addLabCheckpointCommands(lab: Command, terminal: Terminal): void {
  const take = lab.command("checkpoint <name>").description("Take a checkpoint of the lab's complete state.");
  take.option("--replace", "Replace an existing checkpoint of that name");
  action(take, terminal, async ({ connection, output }, [name = ""], { replace }) => {
    output.one(withTime(await connection.call<Row>("POST", CHECKPOINTS, said({ name, replace }))));
  });
  const all = lab.command("checkpoints [name]").description("List checkpoints, or show one in detail.");
  action(all, terminal, async ({ connection, output }, [name]) => {
    if (name !== undefined) output.one(withTime(await connection.call<Row>("GET", pathOf(name))));
    else output.rows((await connection.call<Row[]>("GET", CHECKPOINTS)).map(withTime), COLUMNS);
  });
  const restore = lab.command("restore <name>").description("Restore a checkpoint. The checkpoint is kept.");
  restore.option(...KEEP_KEYS).option(...KEEP_CONNECTIONS);
  action(restore, terminal, async ({ connection, output }, [name = ""], { keepKeys, keepConnections }) => {
    const kept = said({ keepKeys, keepConnections });
    output.one(withTime(await connection.call<Row>("POST", `${pathOf(name)}/restore`, kept)));
  });
  const reset = lab.command("reset").description("Restore the state at the start of the lab.");
  reset.option("--here", "Restore nothing; make the current state the target of later resets");
  reset.option(...KEEP_KEYS).option(...KEEP_CONNECTIONS);
  action(reset, terminal, async ({ connection, output }, _names, { here, keepKeys, keepConnections }) => {
    if (here === true) {
      if ((keepKeys ?? keepConnections) !== undefined)
        throw new CommandFailed("--here restores nothing. Use it without --keep-keys and --keep-connections.");
      return output.one(withTime(await connection.call<Row>("PUT", "/v1/lab/reset")));
    }
    const kept = said({ keepKeys, keepConnections });
    output.one(withTime(await connection.call<Row>("POST", "/v1/lab/reset", kept)));
  });
  const remove = lab.command("delete-checkpoint <name>").description("Delete a checkpoint.");
  action(remove, terminal, async ({ connection, output }, [name = ""]) => {
    output.one(await connection.call<Row>("DELETE", pathOf(name)));
  });
  const write = lab.command("export <name> <file>").description("Export a checkpoint to a file.");
  action(write, terminal, async ({ connection, output }, [name = "", file = ""]) => {
    const bytes = await connection.file(`${pathOf(name)}/file`);
    writeFileSync(file, bytes);
    output.one({ name, file, bytes: bytes.length });
  });
  const read = lab.command("import <name> <file>").description("Import a checkpoint from a file, under a new name.");
  action(read, terminal, async ({ connection, output }, [name = "", file = ""]) => {
    const bytes = new Uint8Array(readFileSync(file));
    output.one(withTime(await connection.send<Row>("POST", `${pathOf(name)}/file`, bytes)));
  });
}

const pathOf = (name: string): string => `${CHECKPOINTS}/${escape(name)}`;

function withTime({ nowMs, ...row }: Row): Row {
  return { ...row, nowMs, time: new Date(Number(nowMs)).toISOString() };
}
