/** One process of a cluster. It writes to a log of its own and needs nobody: it lives on when who started it is killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Kind, Misunderstood } from "./arguments.ts";
import type { Started } from "./folder.ts";

/** Longer than a node takes to answer what is under way. */
const STOP_TIMEOUT_MS = 20_000;
const END_PATIENCE_MS = 500;
const LOOK_EVERY_MS = 50;
const LAST_LINES = 3;

export interface PartOptions {
  readonly kind: Kind | "proxy";
  readonly name: string;
  /** Where its clients connect. */
  readonly url: string;
  readonly program: string;
  readonly args: readonly string[];
  /** Default: the runner's own. */
  readonly env?: NodeJS.ProcessEnv;
  /** The one of the arguments that no other process has. */
  readonly mark: string;
  readonly logFile: string;
  /** Null: it serves; else why not, in a few words. */
  readonly whyNotReady: () => Promise<string | null>;
  readonly patienceMs: number;
}

export class Part {
  readonly kind: PartOptions["kind"];
  readonly name: string;
  readonly url: string;
  readonly #options: PartOptions;
  #child: ChildProcess | undefined;
  #lastPid = 0;
  #onEnded: (how: string) => void = () => {};
  #isToldToStop = false;

  constructor(options: PartOptions) {
    this.kind = options.kind;
    this.name = options.name;
    this.url = options.url;
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  /** The process that runs, or that ran last. */
  get pid(): number {
    return this.#lastPid;
  }

  /** The process that runs, as another runner will recognize it. */
  get started(): Started[] {
    return this.isRunning ? [{ pid: this.#lastPid, mark: this.#options.mark }] : [];
  }

  /** Called when it ends without being told to; `how`: in a few words. */
  onEnded(listener: (how: string) => void): void {
    this.#onEnded = listener;
  }

  /** Resolves when the process is there, not when it serves. */
  async start(): Promise<void> {
    const { program, args, env, logFile } = this.#options;
    const log = openSync(logFile, "a", 0o600);
    try {
      // A group of its own: Ctrl-C in the terminal is for the program that stops all parts in order.
      const child = spawn(program, args, { env: env ?? process.env, detached: true, stdio: ["ignore", log, log] });
      await new Promise<void>((resolve, reject) => child.once("spawn", resolve).once("error", reject));
      this.#isToldToStop = false;
      this.#child = child;
      this.#lastPid = child.pid ?? 0;
      child.once("exit", (code, signal) => {
        this.#child = undefined;
        if (!this.#isToldToStop) this.#onEnded(signal ?? `code ${code}`);
      });
    } finally {
      closeSync(log);
    }
  }

  /** Resolves when it serves; rejects with `Misunderstood` when it has ended, or has had its time. */
  async ready(): Promise<void> {
    const { whyNotReady, patienceMs, logFile } = this.#options;
    for (const late = performance.now() + patienceMs; ; await sleep(LOOK_EVERY_MS)) {
      const why = await whyNotReady();
      if (why === null) return;
      if (!this.isRunning)
        throw new Misunderstood(`${this.name} has exited. Last lines of ${logFile}:\n${this.#lastWords()}`);
      if (performance.now() < late) continue;
      throw new Misunderstood(`${this.name} is running but not ready: ${why}. See ${logFile}`);
    }
  }

  /** Resolves to whether it has ended; the word of a process that was killed a moment ago may be on its way. */
  async hasEnded(): Promise<boolean> {
    const late = performance.now() + END_PATIENCE_MS;
    while (this.isRunning && performance.now() < late) await sleep(LOOK_EVERY_MS);
    return !this.isRunning;
  }

  /** Resolves when the process is gone: by SIGTERM, or in the end by SIGKILL. Returns whether the latter was needed. */
  async stop(): Promise<boolean> {
    const child = this.#child;
    if (child === undefined) return false;
    this.#isToldToStop = true;
    const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.kill("SIGTERM");
    // One that was paused hears it now.
    child.kill("SIGCONT");
    let isKilled = false;
    const late = setTimeout(() => (isKilled = child.kill("SIGKILL")), STOP_TIMEOUT_MS);
    await gone;
    clearTimeout(late);
    return isKilled;
  }

  #lastWords(): string {
    return readFileSync(this.#options.logFile, "utf8").trim().split("\n").slice(-LAST_LINES).join("\n");
  }
}
