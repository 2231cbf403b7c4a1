/** The bot of a scenario: a child process whose output is stored and shown. */
import { type ChildProcess, spawn } from "node:child_process";
import { basename } from "node:path";
import { HELD } from "../hold/environment.ts";

/** The real time that a bot has to exit before it is killed. */
export const STOP_PATIENCE_MS = 10_000;
/** The maximum length of the output that is stored for the report; only its end is kept. */
const MAX_OUTPUT_LENGTH = 64 * 1024;
/**
 * The file descriptor, after stdin, stdout and stderr, on which a bot under lock step reports that it received a
 * signal.
 */
const SIGNALS_FILE = 3;

/** How the process ended. */
export interface BotEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** The reason why the process could not be started. */
  readonly failure?: string;
}

export interface BotOptions {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The module that the bot imports first if it is a Node program; undefined if there is none. */
  readonly preload: string | undefined;
  readonly onOutput: (text: string, isError: boolean) => void;
}

export class Bot {
  /** Resolves when the process has ended and its output was read. */
  readonly ended: Promise<BotEnd>;
  /**
   * Resolves when the bot has received a signal; undefined if the bot cannot report it. Never resolves if the bot does
   * not listen for signals.
   */
  readonly signaled: Promise<void> | undefined;
  readonly #child: ChildProcess;
  #end: BotEnd | undefined;
  #output = "";

  constructor({ command, environment, preload, onOutput }: BotOptions) {
    const isHeld = preload !== undefined && isNode(command[0] ?? "");
    const [program, ...args] = commandOf(command, isHeld ? preload : undefined);
    this.#child = spawn(program, args, {
      env: { ...process.env, ...environment, ...(isHeld && { [HELD.signalsFile]: String(SIGNALS_FILE) }) },
      stdio: ["ignore", "pipe", "pipe", ...(isHeld ? (["pipe"] as const) : [])],
      // The bot has its own process group, so that its child processes end with it.
      detached: process.platform !== "win32",
    });
    const onData = (isError: boolean) => (chunk: Buffer) => {
      const text = chunk.toString("utf8");
      this.#output = (this.#output + text).slice(-MAX_OUTPUT_LENGTH);
      onOutput(text, isError);
    };
    this.#child.stdout?.on("data", onData(false));
    this.#child.stderr?.on("data", onData(true));
    const signals = this.#child.stdio[SIGNALS_FILE];
    this.signaled = isHeld ? new Promise((resolve) => signals?.once("data", () => resolve())) : undefined;
    this.ended = new Promise((resolve) => {
      const end = (ended: BotEnd): void => resolve((this.#end ??= ended));
      this.#child.once("error", (error) => end({ code: null, signal: null, failure: error.message }));
      this.#child.once("close", (code, signal) => end({ code, signal }));
    });
  }

  /** How the process ended; undefined while it runs. */
  get end(): BotEnd | undefined {
    return this.#end;
  }

  /** The last part of the bot's output. */
  get output(): string {
    return this.#output;
  }

  /** Sends a signal that asks the process to exit, or kills it. */
  send(signal: "SIGTERM" | "SIGKILL"): void {
    const { pid } = this.#child;
    if (this.#end !== undefined || pid === undefined) return;
    try {
      if (process.platform === "win32") this.#child.kill(signal);
      else process.kill(-pid, signal);
    } catch (error) {
      // The process has already ended.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

const isNode = (program: string): boolean => /^node(?:\.exe)?$/.test(basename(program));

/**
 * Returns the program and its arguments. For `node`, it is the Node that runs this program, because it is recent enough
 * for the preload.
 */
function commandOf([program = "", ...args]: readonly string[], preload: string | undefined): [string, ...string[]] {
  if (!isNode(program)) return [program, ...args];
  const node = program === "node" ? process.execPath : program;
  const held = preload === undefined ? [] : ["--disable-warning=ExperimentalWarning", "--import", preload];
  return [node, ...held, ...args];
}
