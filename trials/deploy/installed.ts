/** The unpacked package, as a systemd unit or a container starts it. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { ROOT } from "@pricetime/testkit/venue";

const READY_TIMEOUT_MS = 60_000;

export interface Installed {
  /** A folder for other files of the trial. */
  readonly home: string;
  /** The folder of the package. */
  readonly folder: string;
  /** `pricetime-VERSION.tgz`, the only file of that name in its folder. */
  readonly tarball: string;
  /** Starts a command, calls `whenReady` after its ready line, and stops it. Returns its exit code and output. */
  serve(
    command: readonly string[],
    environment: NodeJS.ProcessEnv,
    whenReady?: () => unknown,
  ): Promise<{ code: number | null; output: string }>;
  remove(): void;
}

export function installed(): Installed {
  const home = temporaryFolder();
  const made = spawnSync("npm", ["run", "--silent", "package", "--", join(home, "dist")], {
    cwd: ROOT,
    encoding: "utf8",
  });
  assert.equal(made.status, 0, made.stderr);
  const name = readdirSync(join(home, "dist")).find((file) => file.endsWith(".tgz"));
  assert.ok(name !== undefined);
  return {
    home,
    folder: join(home, "dist/package"),
    tarball: join(home, "dist", name),
    serve: (command, environment, whenReady = () => {}) => serve(command, environment, home, whenReady),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

async function serve(
  [program = "", ...args]: readonly string[],
  environment: NodeJS.ProcessEnv,
  cwd: string,
  whenReady: () => unknown,
): Promise<{ code: number | null; output: string }> {
  const env = { PATH: process.env["PATH"], ...environment };
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(child, "exit");
  let output = "";
  const late = setTimeout(() => child.kill("SIGKILL"), READY_TIMEOUT_MS);
  let isReady = false;
  const onOutput = (chunk: Buffer): void => {
    output += chunk.toString();
    if (isReady || !/^ready http:/m.test(output)) return;
    isReady = true;
    try {
      whenReady();
    } finally {
      child.kill("SIGTERM");
    }
  };
  child.stdout.on("data", onOutput);
  child.stderr.on("data", onOutput);
  const [code] = (await exited) as [number | null];
  clearTimeout(late);
  assert.ok(isReady, `the program was never ready: ${output}`);
  return { code, output };
}
