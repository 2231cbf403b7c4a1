/** The bot of a scenario: a child process whose output is stored and shown. */
import { type ChildProcess, spawn } from "node:child_process";
import { basename } from "node:path";
import { HELD } from "../hold/environment.ts";

/** Real time that a bot gets to exit before it is killed. */
export const STOP_PATIENCE_MS = 10_000;
/** The last bytes of the output, which are part of the report. */
const MAX_OUTPUT_LENGTH = 64 * 1024;
/**
 * The file descriptor, after input, output and errors, on which a bot under lock step reports that it received a
 * signal.
 */
const SIGNALS_FILE = 3;

/** How the process ended. */
export interface BotEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why the process could not be started. */
  readonly failure?: string;
}

export interface BotOptions {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** A module to import first if the bot is a Node program; undefined if there is none. */
  readonly preload: string | undefined;
  readonly onOutput: (text: string, isError: boolean) => void;
}

export class Bot {
  /** Resolves when the process has ended and its output was read. */
  readonly ended: Promise<BotEnd>;
  /**
   * Resolves when the bot has received a signal. Undefined if the bot cannot report it. Never resolves if the bot
   * listens for no signal.
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
      // A process group of its own, so that child processes of the bot end with it.
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

  /** Undefined while the process runs. */
  get end(): BotEnd | undefined {
    return this.#end;
  }

  /** The last part of the output. */
  get output(): string {
    return this.#output;
  }

  /** Asks the process to exit, or kills it. */
  send(signal: "SIGTERM" | "SIGKILL"): void {
    const { pid } = this.#child;
    if (this.#end !== undefined || pid === undefined) return;
    try {
      if (process.platform === "win32") this.#child.kill(signal);
      else process.kill(-pid, signal);
    } catch (error) {
      // The process has ended meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

const isNode = (program: string): boolean => /^node(?:\.exe)?$/.test(basename(program));

/** Uses the Node that runs this program for `node`, because it is recent enough for the preload. */
function commandOf([program = "", ...args]: readonly string[], preload: string | undefined): [string, ...string[]] {
  if (!isNode(program)) return [program, ...args];
  const node = program === "node" ? process.execPath : program;
  const held = preload === undefined ? [] : ["--disable-warning=ExperimentalWarning", "--import", preload];
  return [node, ...held, ...args];
}
