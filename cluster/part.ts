/** One process of a cluster. It writes its own log file, and keeps running if the program that started it is killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Kind, UsageError } from "./arguments.ts";
import type { Started } from "./folder.ts";

/** Longer than a node needs to complete running requests. */
const STOP_TIMEOUT_MS = 20_000;
const END_PATIENCE_MS = 500;
const LOOK_EVERY_MS = 50;
const LAST_LINES = 3;

export interface PartOptions {
  readonly kind: Kind | "proxy";
  readonly name: string;
  /** The URL for its clients. */
  readonly url: string;
  readonly program: string;
  readonly args: readonly string[];
  /** Default: the runner's own environment. */
  readonly env?: NodeJS.ProcessEnv;
  /** An argument that no other process has. */
  readonly mark: string;
  readonly logFile: string;
  /** Null if it is ready, otherwise the reason in a few words. */
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

  /** The process ID of the running or last process. */
  get pid(): number {
    return this.#lastPid;
  }

  /** The running process, as another runner will identify it. */
  get started(): Started[] {
    return this.isRunning ? [{ pid: this.#lastPid, mark: this.#options.mark }] : [];
  }

  /** Called when it exits without having been stopped; `how` describes the exit. */
  onEnded(listener: (how: string) => void): void {
    this.#onEnded = listener;
  }

  /** Resolves when the process is started, not when it is ready. */
  async start(): Promise<void> {
    const { program, args, env, logFile } = this.#options;
    const log = openSync(logFile, "a", 0o600);
    try {
      // A process group of its own: Ctrl-C in the terminal goes to the program that stops all parts in order.
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

  /** Resolves when it is ready; rejects with `UsageError` if it has exited or the time is over. */
  async ready(): Promise<void> {
    const { whyNotReady, patienceMs, logFile } = this.#options;
    for (const late = performance.now() + patienceMs; ; await sleep(LOOK_EVERY_MS)) {
      const why = await whyNotReady();
      if (why === null) return;
      if (!this.isRunning)
        throw new UsageError(`${this.name} has exited. Last lines of ${logFile}:\n${this.#lastWords()}`);
      if (performance.now() < late) continue;
      throw new UsageError(`${this.name} is running but not ready: ${why}. See ${logFile}`);
    }
  }

  /** Resolves to whether it has exited; the exit event of a process that was just killed may be pending. */
  async hasEnded(): Promise<boolean> {
    const late = performance.now() + END_PATIENCE_MS;
    while (this.isRunning && performance.now() < late) await sleep(LOOK_EVERY_MS);
    return !this.isRunning;
  }

  /**
   * Resolves when the process has exited after SIGTERM, or after SIGKILL if that did not suffice. Returns whether
   * SIGKILL was needed.
   */
  async stop(): Promise<boolean> {
    const child = this.#child;
    if (child === undefined) return false;
    this.#isToldToStop = true;
    const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.kill("SIGTERM");
    // A paused process handles the signal now.
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
