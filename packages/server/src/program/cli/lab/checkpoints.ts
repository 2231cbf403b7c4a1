/** Commands that take, restore and copy a lab's checkpoints. */
import { readFileSync, writeFileSync } from "node:fs";
import { command } from "../session/command-row.ts";
import { CommandFailed, type Row } from "../session/terminal.ts";
import { escape, said } from "../session/values.ts";

const KEEP_KEYS = ["--keep-keys", "Keep API keys and listen keys created after the restored state"] as const;
const KEEP_CONNECTIONS = ["--keep-connections", "Keep streams and WebSocket sessions open"] as const;
const fileOf = (name: string): string => `/v1/lab/checkpoints/${escape(name)}/file`;

interface ResetOptions {
  readonly here?: true;
  readonly keepKeys?: true;
  readonly keepConnections?: true;
}

interface Copy {
  readonly name: string;
  readonly file: string;
}

export const LAB_CHECKPOINTS = [
  command("checkpoint <name>", "POST /v1/lab/checkpoints")
    .text("Take a checkpoint of the lab's complete state.")
    .option("--replace", "Replace an existing checkpoint of that name")
    .answer(withTime),
  command("checkpoints [name]", "GET /v1/lab/checkpoints")
    .calls("GET /v1/lab/checkpoints/:name", "name")
    .text("List checkpoints, or show one in detail.")
    .answer((answer: Row | readonly Row[]) => (Array.isArray(answer) ? answer.map(withTime) : withTime(answer as Row)))
    .columns("name", "seq", "time", "bytes", "hash"),
  command("restore <name>", "POST /v1/lab/checkpoints/:name/restore")
    .text("Restore a checkpoint. The checkpoint is kept.")
    .option(...KEEP_KEYS)
    .option(...KEEP_CONNECTIONS)
    .answer(withTime),
  command("reset", "POST /v1/lab/reset")
    .calls("PUT /v1/lab/reset", "here")
    .text("Restore the state at the start of the lab.")
    .option("--here", "Restore nothing; make the current state the target of later resets")
    .option(...KEEP_KEYS)
    .option(...KEEP_CONNECTIONS)
    .sends(({ here, keepKeys, keepConnections }: ResetOptions) => {
      if (here === true && (keepKeys ?? keepConnections) !== undefined)
        throw new CommandFailed("--here restores nothing. Use it without --keep-keys and --keep-connections.");
      return said({ keepKeys, keepConnections });
    })
    .answer(withTime),
  command("delete-checkpoint <name>", "DELETE /v1/lab/checkpoints/:name").text("Delete a checkpoint."),
  command("export <name> <file>")
    .text("Export a checkpoint to a file.")
    .runs(async ({ connection, output }, { name, file }: Copy) => {
      const bytes = await connection.file(fileOf(name));
      writeFileSync(file, bytes);
      output.one({ name, file, bytes: bytes.length });
    }),
  command("import <name> <file>")
    .text("Import a checkpoint from a file, under a new name.")
    .runs(async ({ connection, output }, { name, file }: Copy) => {
      const bytes = new Uint8Array(readFileSync(file));
      output.one(withTime(await connection.send<Row>("POST", fileOf(name), bytes)));
    }),
];

function withTime({ nowMs, ...row }: Row): Row {
  return { ...row, nowMs, time: new Date(Number(nowMs)).toISOString() };
}
