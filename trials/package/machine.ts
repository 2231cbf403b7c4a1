/** A user's machine: its own Node and npm, nothing of this repository in its path, a folder that is empty. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { untilAnswer } from "@pricetime/testkit/waiting";

export interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly pid: number;
  /** `http://127.0.0.1:PORT` of the ready line. */
  readonly rest: string;
  /** From the command to the ready line. */
  readonly readyMs: number;
  /** Sends the signal to the process that was started, and waits for its end. */
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

  /** A new folder, empty. */
  folder(name: string): string {
    const folder = join(this.home, name);
    mkdirSync(folder);
    return folder;
  }

  run(folder: string, program: string, ...args: readonly string[]): Said {
    const options = { cwd: folder, env: this.environment, encoding: "utf8", timeout: READY_TIMEOUT_MS } as const;
    const { status, stdout, stderr, error } = spawnSync(program, args, options);
    if (error !== undefined) throw error;
    return { code: status, stdout, stderr };
  }

  /** As `run`, of what must succeed; gives what it said on stdout. */
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

  /** Command lines of processes that this machine's folders still run. */
  processes(): string[] {
    const { stdout } = spawnSync("ps", ["-eo", "args"], { encoding: "utf8" });
    return stdout.split("\n").filter((line) => line.includes(this.home));
  }

  /** Waits until nothing runs any more; throws when something stays. */
  async untilNothingRuns(): Promise<void> {
    const patience = { withinMs: GONE_TIMEOUT_MS, everyMs: 100 };
    await untilAnswer(
      "nothing is left behind",
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

function readyLine(child: ChildProcess): Promise<string> {
  return new Promise((done, failed) => {
    let said = "";
    const late = setTimeout(() => failed(new Error(`not ready in time: ${said}`)), READY_TIMEOUT_MS);
    const hear = (chunk: Buffer): void => {
      said += chunk.toString();
      const rest = /^ready (http:\/\/\S+)$/m.exec(said)?.[1];
      if (rest === undefined) return;
      clearTimeout(late);
      done(rest);
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.once("close", (code) => {
      clearTimeout(late);
      failed(new Error(`ended with ${code}: ${said}`));
    });
  });
}

/** Every file below a folder, from there; without what stands in `without`. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
}

/** Bytes of the files below a folder. */
export function sizeOf(folder: string): number {
  return filesBelow(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
