/** A user's machine: the installed Node and npm, a PATH without this repository, and an empty folder. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { ROOT } from "@pricetime/testkit/venue";
import { untilAnswer } from "@pricetime/testkit/waiting";

export interface Output {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly pid: number;
  /** The address in the ready line. */
  readonly rest: string;
  /** The time from the command to the ready line. */
  readonly readyMs: number;
  /** Sends the signal to the started process and waits for its exit. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

const READY_TIMEOUT_MS = 120_000;
const GONE_TIMEOUT_MS = 15_000;

export class Machine {
  readonly home = temporaryFolder();
  readonly environment: NodeJS.ProcessEnv;
  readonly #running = new Set<ChildProcess>();

  constructor() {
    const path = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
    const kept = Object.entries(process.env).filter(([name]) => !/^(?:npm_|INIT_CWD|NODE)/i.test(name));
    this.environment = {
      ...Object.fromEntries(kept),
      PATH: path.join(delimiter),
      npm_config_cache: join(this.home, "npm-cache"),
      npm_config_update_notifier: "false",
    };
  }

  /** Creates an empty folder. */
  folder(name: string): string {
    const folder = join(this.home, name);
    mkdirSync(folder);
    return folder;
  }

  /** Builds the package into a new folder. Returns the path of the tarball, next to the unpacked `package`. */
  makePackage(): string {
    return (
      this.get(ROOT, "npm", "run", "--silent", "package", "--", this.folder("out")).trim().split("\n").at(-1) ?? ""
    );
  }

  run(folder: string, program: string, ...args: readonly string[]): Output {
    const options = { cwd: folder, env: this.environment, encoding: "utf8", timeout: READY_TIMEOUT_MS } as const;
    const { status, stdout, stderr, error } = spawnSync(program, args, options);
    if (error !== undefined) throw error;
    return { code: status, stdout, stderr };
  }

  /** Runs a command that must exit with code 0. Returns its standard output. */
  get(folder: string, program: string, ...args: readonly string[]): string {
    const { code, stdout, stderr } = this.run(folder, program, ...args);
    assert.equal(code, 0, `${program} ${args.join(" ")}: ${stdout}${stderr}`);
    return stdout;
  }

  /** Starts an exchange and waits for its ready line. */
  async start(folder: string, program: string, ...args: readonly string[]): Promise<Running> {
    const startedAt = performance.now();
    const child = spawn(program, args, { cwd: folder, env: this.environment, stdio: ["ignore", "pipe", "pipe"] });
    this.#running.add(child);
    const exited = once(child, "exit").then(([code]: (number | null)[]) => code ?? null);
    void exited.then(() => this.#running.delete(child));
    const rest = await readyLine(child);
    return {
      pid: child.pid ?? 0,
      rest,
      readyMs: performance.now() - startedAt,
      stop: (signal) => {
        child.kill(signal);
        return exited;
      },
    };
  }

  /** Command lines of running processes that mention this machine's folders. */
  processes(): string[] {
    const { stdout } = spawnSync("ps", ["-eo", "args"], { encoding: "utf8" });
    return stdout.split("\n").filter((line) => line.includes(this.home));
  }

  /** Waits until no such process is left. */
  async untilNothingRuns(): Promise<void> {
    const patience = { withinMs: GONE_TIMEOUT_MS, everyMs: 100 };
    await untilAnswer(
      "no process is left",
      () => this.processes(),
      (left) => left.length === 0,
      patience,
    );
  }

  close(): void {
    for (const child of this.#running) child.kill("SIGKILL");
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** Waits for the ready line of an exchange and returns its address. Rejects with the output if there is none. */
export function readyLine(child: ChildProcess): Promise<string> {
  return new Promise((done, failed) => {
    let output = "";
    const late = setTimeout(() => failed(new Error(`not ready in time: ${output}`)), READY_TIMEOUT_MS);
    const onOutput = (chunk: Buffer): void => {
      output += chunk.toString();
      const rest = /^ready (http:\/\/\S+)$/m.exec(output)?.[1];
      if (rest === undefined) return;
      clearTimeout(late);
      done(rest);
    };
    child.stdout?.on("data", onOutput);
    child.stderr?.on("data", onOutput);
    child.once("close", (code) => {
      clearTimeout(late);
      failed(new Error(`ended with ${code}: ${output}`));
    });
  });
}

/** The paths of all files in a folder and its subfolders, relative to it. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
}

/** The total bytes of these files. */
export function sizeOf(folder: string): number {
  return filesBelow(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
