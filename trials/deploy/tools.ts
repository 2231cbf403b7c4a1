/** Programs of the machine that `deploy/` is for. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { skipUnless } from "@pricetime/testkit/skip";

/** The `skip` of a trial that needs `programs`: false where all of them are there. */
export function lacks(...programs: readonly string[]): string | false {
  const absent = programs.filter((program) => spawnSync(program, ["--version"]).error !== undefined);
  return skipUnless(absent.length === 0, `not on this machine: ${absent.join(", ")}`);
}

/** Runs a program to its end, which must be a good one; gives all that it said. */
export function run(program: string, args: readonly string[], options: { cwd?: string; input?: string } = {}): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: "utf8", ...options });
  assert.ok(error === undefined, String(error));
  assert.equal(status, 0, `${program} ${args.join(" ")}:\n${stdout}${stderr}`);
  return stdout + stderr;
}

/** A TCP port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  server.close();
  await once(server, "close");
  return address.port;
}

export interface Background {
  said(): string;
  isRunning(): boolean;
  /** SIGTERM, and its end. */
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
    said: () => text,
    isRunning,
    stop: async () => {
      process.off("exit", killWithUs);
      if (isRunning()) child.kill("SIGTERM");
      await exited;
    },
  };
}
