/** A terminal: one shell, into which blocks are pasted one after another. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { randomBytes } from "node:crypto";

export interface Outcome {
  /** The shell's exit code: 0 unless a command of the block failed. Null: the shell was ended. */
  readonly code: number | null;
  /** Standard output and standard error together. */
  readonly output: string;
}

export interface Place {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

const SECOND_MS = 1000;

/** Ends all started shells if a trial stops early. */
const started = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of started) endGroup(child, "SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

function start(
  command: string,
  args: readonly string[],
  { folder, env }: Place,
  input: "pipe" | "ignore",
): ChildProcess {
  const child = spawn(command, args, { cwd: folder, env, detached: true, stdio: [input, "pipe", "pipe"] });
  started.add(child);
  child.once("close", () => started.delete(child));
  return child;
}

/** A bash that reads pasted text from a pipe. Variables of one block are available in the next. */
export class ShellSession {
  readonly #bash: ChildProcess;
  #output = "";
  #wake = (): void => {};

  constructor(place: Place) {
    this.#bash = start("bash", ["--norc"], place, "pipe");
    for (const stream of [this.#bash.stdout, this.#bash.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        this.#output += chunk.toString();
        this.#wake();
      });
    }
    this.#bash.once("close", () => this.#wake());
    // A command that fails in the middle of a block is detected, too.
    this.#paste("exec 2>&1; failed=0; set -E; trap 'failed=$?' ERR\n");
  }

  /** Resolves when the block is done. A block that takes too long, or that ends the shell, has no exit code. */
  async run(text: string, timeoutMs: number): Promise<Outcome> {
    const mark = `end-${randomBytes(8).toString("hex")}`;
    const pattern = new RegExp(`\\n?${mark} (\\d+)\\n`);
    this.#output = "";
    this.#paste(`${text}\nprintf '\\n%s %s\\n' ${mark} "$failed"; failed=0\n`);
    const late = Date.now() + timeoutMs;
    for (;;) {
      const found = pattern.exec(this.#output);
      if (found !== null) return { code: Number(found[1]), output: this.#output.slice(0, found.index) };
      if (this.#bash.exitCode !== null || Date.now() >= late) return { code: null, output: this.#output };
      await new Promise<void>((done) => {
        const timer = setTimeout(done, SECOND_MS);
        this.#wake = () => {
          clearTimeout(timer);
          done();
        };
      });
    }
  }

  /** Ends the shell and the processes that it has started. */
  async close(): Promise<void> {
    const gone = this.#bash.exitCode === null ? once(this.#bash, "close") : undefined;
    endGroup(this.#bash, "SIGKILL");
    await gone;
  }

  #paste(text: string): void {
    this.#bash.stdin?.write(text);
  }
}

/** A program of a block that runs in the background. */
export class Running {
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  #output = "";

  constructor(command: string, args: readonly string[], place: Place) {
    this.#child = start(command, args, place, "ignore");
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on("data", (chunk: Buffer) => (this.#output += chunk.toString()));
    this.#child.on("error", (error) => (this.#output += String(error)));
    this.#closed = new Promise((done) => this.#child.once("close", done));
  }

  get output(): string {
    return this.#output;
  }

  /** Resolves to whether the text was printed in time; false as soon as the program has ended without it. */
  async hasPrinted(text: string | RegExp, timeoutMs: number): Promise<boolean> {
    const isThere = (): boolean => (typeof text === "string" ? this.#output.includes(text) : text.test(this.#output));
    for (const late = Date.now() + timeoutMs; !isThere(); ) {
      if (this.#hasEnded || Date.now() >= late) return isThere();
      await new Promise((done) => setTimeout(done, 50));
    }
    return true;
  }

  /** Resolves when the program has ended, or was ended because it took too long. */
  async outcome(timeoutMs: number): Promise<Outcome> {
    const late = setTimeout(() => endGroup(this.#child, "SIGKILL"), timeoutMs);
    await this.#closed;
    clearTimeout(late);
    return { code: this.#child.exitCode, output: this.#output };
  }

  /** Sends Ctrl-C. */
  async stop(timeoutMs: number): Promise<Outcome> {
    if (!this.#hasEnded) endGroup(this.#child, "SIGINT");
    return this.outcome(timeoutMs);
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null || this.#child.pid === undefined;
  }
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
