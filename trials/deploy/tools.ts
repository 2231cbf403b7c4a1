/** Runs programs that are installed on this machine, for the trials of `deploy/`. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { skipUnless } from "@pricetime/testkit/skip";
import { otherPorts } from "../tools.ts";

/** The `skip` option of a trial that needs `programs`: false if all of them are installed. */
export function lacks(...programs: readonly string[]): string | false {
  const absent = programs.filter((program) => spawnSync(program, ["--version"]).error !== undefined);
  return skipUnless(absent.length === 0, `not on this machine: ${absent.join(", ")}`);
}

/** Runs a program, which must exit with code 0. Returns its complete output. */
export function run(program: string, args: readonly string[], options: { cwd?: string; input?: string } = {}): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: "utf8", ...options });
  assert.ok(error === undefined, String(error));
  assert.equal(status, 0, `${program} ${args.join(" ")}:\n${stdout}${stderr}`);
  return stdout + stderr;
}

export async function freePort(): Promise<number> {
  const [port = 0] = await otherPorts(1);
  return port;
}

export interface Background {
  /** The output so far. */
  output(): string;
  isRunning(): boolean;
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<void>;
}

export function background(program: string, args: readonly string[]): Background {
  const child: ChildProcess = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(child, "exit");
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const killWithUs = (): void => void child.kill("SIGKILL");
  process.once("exit", killWithUs);
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  return {
    output: () => text,
    isRunning,
    stop: async () => {
      process.off("exit", killWithUs);
      if (isRunning()) child.kill("SIGTERM");
      await exited;
    },
  };
}
