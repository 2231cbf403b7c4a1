/** Runs an example of `examples/` with the address and the keys in its environment, as a user would. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type DemoAccount, ROOT } from "@pricetime/testkit/venue";
import { PYTHON } from "../tools.ts";

/** Go may have to compile its own library first. */
const MOST_MS = 240_000;
const PATIENCE_MS = 60_000;
/** The test shares the weight limit of its address with the example. */
const POLL_MS = 700;

export interface Example {
  readonly name: string;
  /** The command, relative to the root of the repository. */
  readonly command: readonly string[];
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The Debian packages that it needs. */
  readonly needs: readonly string[];
  /** The symbol that it trades. */
  readonly symbol: string;
}

const javascript = (file: string, symbol: string): Example => ({
  name: file,
  command: [process.execPath, `examples/javascript/${file}`],
  needs: [],
  symbol,
});
const python = (file: string, symbol: string, ...needs: string[]): Example => ({
  name: file,
  command: [PYTHON, "-B", `examples/python/${file}`],
  needs: ["python3", ...needs],
  symbol,
});

/** Examples that trade once and exit. */
export const SHORT: readonly Example[] = [
  javascript("ccxt.mjs", "BTCUSDT"),
  javascript("connector.mjs", "ETHUSDT"),
  python("standard_library.py", "LTCUSDT"),
  python("with_requests.py", "BNBUSDT", "python3-requests", "python3-websockets"),
  {
    name: "Go",
    command: ["go", "run", "."],
    folder: "examples/go",
    env: { GO111MODULE: "off", GOPATH: "/usr/share/gocode", GOFLAGS: "" },
    needs: ["go", "golang-github-gorilla-websocket-dev"],
    symbol: "ETHUSDT",
  },
];

export const GRID_BOT = javascript("grid-bot.mjs", "LTCUSDT");
export const MARKET_MAKER = javascript("market-maker.mjs", "LTCUSDT");

export class RunningExample {
  readonly #child: ChildProcess;
  readonly #closed: Promise<number | null>;
  #output = "";

  constructor({ command, folder = ".", env = {} }: Example, rest: string, account: DemoAccount, ...more: string[]) {
    const [program = "", ...args] = [...command, ...more];
    const { apiKey, secretKey } = account;
    this.#child = spawn(program, args, {
      cwd: join(ROOT, folder),
      env: { ...process.env, ...env, EXCHANGE: rest, API_KEY: apiKey, SECRET_KEY: secretKey },
      timeout: MOST_MS,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on("data", (chunk: Buffer) => (this.#output += chunk.toString()));
    this.#closed = new Promise((done) => this.#child.once("close", done));
  }

  get output(): string {
    return this.#output;
  }

  /** Resolves to its exit code. */
  ended(): Promise<number | null> {
    return this.#closed;
  }

  /** Sends SIGINT, as Ctrl-C does; resolves to its exit code. */
  stop(): Promise<number | null> {
    this.#child.kill("SIGINT");
    return this.#closed;
  }

  /** Resolves when the condition holds; fails with the example's output if it does not in time. */
  async until(what: string, holds: () => Promise<boolean>): Promise<void> {
    for (const late = Date.now() + PATIENCE_MS; !(await holds()); await sleep(POLL_MS)) {
      const hasEnded = this.#child.exitCode !== null;
      if (hasEnded || Date.now() > late) throw new Error(`never: ${what}; the output:\n${this.#output}`);
    }
  }
}
