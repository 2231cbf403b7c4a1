/** Published clients and how each is run. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { PYTHON } from "../tools.ts";
import type { Task } from "./task.ts";

const CLIENTS = join(import.meta.dirname, "clients");
const MOST_MS = 120_000;

export interface Published {
  /** As in the table. */
  readonly name: string;
  /** The Debian packages that it needs. */
  readonly needs: readonly string[];
  /** Whether it has an option to close its connection after each response. */
  readonly closes: boolean;
  /** Rejects with its error output. */
  run(task: Task): Promise<void>;
}

const python = (name: string, module: string, ...needs: string[]): Published => ({
  name,
  needs: ["python3", ...needs],
  closes: true,
  run: (task) => run(PYTHON, ["-B", join(CLIENTS, "python.py"), module], task),
});

const javascript = (name: string, client: string, closes = false): Published => ({
  name,
  needs: [],
  closes,
  run: (task) => {
    const flags = ["--disable-warning=ExperimentalWarning", "--no-warnings"];
    return run(process.execPath, [...flags, join(CLIENTS, "javascript.ts"), client], task);
  },
});

/** `folder` is for the compiled Go program. */
export const publishedClients = (folder: string): readonly Published[] => [
  python("Python `http.client`", "http.client"),
  python("Python `urllib.request`", "urllib"),
  python("Python `requests`", "requests", "python3-requests"),
  python("Python `aiohttp`", "aiohttp", "python3-aiohttp"),
  { name: "Go `net/http`", needs: ["go"], closes: true, run: (task) => runGo(folder, task) },
  { name: "`curl`", needs: ["curl"], closes: true, run: (task) => run("curl", curlArguments(task), task) },
  javascript("Node's `fetch`", "fetch"),
  javascript("`undici`'s `request`", "undici", true),
  javascript("`axios`", "axios", true),
  javascript("`@binance/connector`", "connector"),
  javascript("`binance-api-node` 0.9", "binance-api-node"),
  javascript("`ccxt` 4", "ccxt"),
  javascript("`ccxt` 1.95", "ccxt-1x"),
];

let compiled: string | undefined;

async function runGo(folder: string, task: Task): Promise<void> {
  if (compiled === undefined) {
    compiled = join(folder, "client");
    const env = { ...process.env, GO111MODULE: "off", GOFLAGS: "", GOCACHE: join(folder, "cache") };
    const args = ["build", "-o", compiled, join(CLIENTS, "go/main.go")];
    const { status, stderr } = spawnSync("go", args, { env, encoding: "utf8" });
    assert.equal(status, 0, stderr);
  }
  await run(compiled, [], task);
}

/** All requests in one command, over one connection if keep-alive is allowed. */
function curlArguments({ rest, apiKey, method, keepsAlive, requests }: Task): string[] {
  const headers = ["-H", `X-MBX-APIKEY: ${apiKey}`, ...(keepsAlive ? [] : ["-H", "Connection: close"])];
  const each = requests.map(({ target, body }) => {
    const form = body === undefined ? [] : ["-d", body];
    return ["-sS", "--fail", "--noproxy", "*", "-X", method, ...headers, ...form, rest + target];
  });
  return each.flatMap((args, n) => (n === 0 ? args : ["--next", ...args]));
}

async function run(command: string, args: readonly string[], task: Task): Promise<void> {
  const child = spawn(command, args, { stdio: ["pipe", "ignore", "pipe"], timeout: MOST_MS });
  child.stdin.on("error", () => {}).end(JSON.stringify(task));
  const ended = new Promise<number | null>((done, failed) => child.once("close", done).once("error", failed));
  const [errors, code] = await Promise.all([text(child.stderr), ended]);
  assert.equal(code, 0, `${command} ${args.join(" ").slice(0, 200)}: ${errors}`);
}
