/** The bot of a scenario: a process of its own, whose output is kept and shown. */
import { type ChildProcess, spawn } from "node:child_process";
import { basename } from "node:path";
import { HELD } from "../hold/environment.ts";

/** Time by the machine's clock that a bot gets to end by itself before it is killed. */
export const STOP_PATIENCE_MS = 10_000;
/** The end of its output that a report has. */
const MOST_KEPT = 64 * 1024;
/** The file, after input, output and errors, on which a held bot says that a signal has reached it. */
const SIGNALS_FILE = 3;

/** How it ended. */
export interface BotEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it could not be started. */
  readonly failure?: string;
}

export interface BotOptions {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** A module that it is to import first, where it is a program of Node's; undefined: none. */
  readonly preload: string | undefined;
  readonly onOutput: (text: string, isError: boolean) => void;
}

export class Bot {
  /** Resolves when it has ended and said all. */
  readonly ended: Promise<BotEnd>;
  /** Resolves when a signal has reached it; undefined: it cannot say so. Never, when it listens for none. */
  readonly heard: Promise<void> | undefined;
  readonly #child: ChildProcess;
  #end: BotEnd | undefined;
  #said = "";

  constructor({ command, environment, preload, onOutput }: BotOptions) {
    const isHeld = preload !== undefined && isNode(command[0] ?? "");
    const [program, ...args] = commandOf(command, isHeld ? preload : undefined);
    this.#child = spawn(program, args, {
      env: { ...process.env, ...environment, ...(isHeld && { [HELD.signalsFile]: String(SIGNALS_FILE) }) },
      stdio: ["ignore", "pipe", "pipe", ...(isHeld ? (["pipe"] as const) : [])],
      // A group of its own: what it has started ends with it.
      detached: process.platform !== "win32",
    });
    const hear = (isError: boolean) => (chunk: Buffer) => {
      const text = chunk.toString("utf8");
      this.#said = (this.#said + text).slice(-MOST_KEPT);
      onOutput(text, isError);
    };
    this.#child.stdout?.on("data", hear(false));
    this.#child.stderr?.on("data", hear(true));
    const signals = this.#child.stdio[SIGNALS_FILE];
    this.heard = isHeld ? new Promise((resolve) => signals?.once("data", () => resolve())) : undefined;
    this.ended = new Promise((resolve) => {
      const end = (ended: BotEnd): void => resolve((this.#end ??= ended));
      this.#child.once("error", (error) => end({ code: null, signal: null, failure: error.message }));
      this.#child.once("close", (code, signal) => end({ code, signal }));
    });
  }

  /** Undefined while it runs. */
  get end(): BotEnd | undefined {
    return this.#end;
  }

  /** The end of its output. */
  get said(): string {
    return this.#said;
  }

  /** Tells it to end, or ends it. */
  send(signal: "SIGTERM" | "SIGKILL"): void {
    const { pid } = this.#child;
    if (this.#end !== undefined || pid === undefined) return;
    try {
      if (process.platform === "win32") this.#child.kill(signal);
      else process.kill(-pid, signal);
    } catch (error) {
      // It has ended meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

const isNode = (program: string): boolean => /^node(?:\.exe)?$/.test(basename(program));

/** `node` is the one that this runs on: it is new enough for the preload. */
function commandOf([program = "", ...args]: readonly string[], preload: string | undefined): [string, ...string[]] {
  if (!isNode(program)) return [program, ...args];
  const node = program === "node" ? process.execPath : program;
  const held = preload === undefined ? [] : ["--disable-warning=ExperimentalWarning", "--import", preload];
  return [node, ...held, ...args];
}
