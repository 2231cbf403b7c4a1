/** Clients in other languages: whether this machine can run them, and their run with a task. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { DemoAccount, Exchange } from "@pricetime/testkit/venue";

const FOLDER = import.meta.dirname;
/** Debian's own knows Debian's packages; the one on the path may be another. */
const PYTHONS = ["/usr/bin/python3", "python3"];
/** Where Debian's packages of Go libraries are. */
const DEBIAN_GO_PATH = "/usr/share/gocode";
/** Go may have to compile its own library first. */
const MOST_MS = 300_000;

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

export interface Task extends Pick<Exchange, "rest" | "ws">, Pick<DemoAccount, "apiKey" | "secretKey"> {
  readonly interface: "2019" | "today";
  /** For the WebSocket API of today's interface; absent: its requests are signed with the secret key. */
  readonly ed25519?: { readonly apiKey: string; readonly privateKey: string };
  readonly symbol: string;
  readonly quantity: string;
  readonly price: string;
  readonly low: string;
  readonly withdrawal: Readonly<Record<string, string>>;
  readonly transfer?: Readonly<Record<string, string>>;
}

export interface Seen {
  /** Statuses of an order that was placed, of the same order cancelled, and of one that takes. */
  readonly statuses: readonly string[];
  readonly trade: string;
  readonly reports: readonly string[];
  readonly withdrawal: string;
  /** With today's interface, by signed requests and over the WebSocket API: the reports of each new kind of order. */
  readonly kinds?: Readonly<Record<"rest" | "socket", Readonly<Record<string, readonly Report[]>>>>;
}

/** Fields of an `executionReport`. */
export interface Report {
  readonly x: string;
  readonly X: string;
  readonly o: string;
  readonly q: string;
  readonly d?: number;
  readonly V?: string;
  readonly gP?: string;
}

/** The first Python that has the modules; undefined: none. */
export function python(script: string, ...modules: readonly string[]): Program | undefined {
  const test = ["import sys", ...modules.map((name) => `import ${name}`)].join("; ");
  const command = PYTHONS.find((each) => spawnSync(each, ["-c", test]).status === 0);
  return command === undefined ? undefined : { command, args: ["-B", join(FOLDER, "python", script)] };
}

export function hasGo(): boolean {
  const library = join(DEBIAN_GO_PATH, "src/github.com/gorilla/websocket");
  return existsSync(library) && spawnSync("go", ["version"]).status === 0;
}

/** Compiles the client into a folder, with a cache of its own there. */
export async function buildGo(folder: string): Promise<Program> {
  const command = join(folder, "client");
  const environment = { GO111MODULE: "off", GOPATH: DEBIAN_GO_PATH, GOCACHE: join(folder, "cache"), GOFLAGS: "" };
  const child = spawn("go", ["build", "-o", command, "."], {
    cwd: join(FOLDER, "go"),
    env: { ...process.env, ...environment },
    timeout: MOST_MS,
  });
  await outcome(child, "go build");
  return { command, args: [] };
}

export async function runClient({ command, args }: Program, task: Task): Promise<Seen> {
  const child = spawn(command, args, { timeout: MOST_MS });
  child.stdin.end(JSON.stringify(task));
  return JSON.parse(await outcome(child, command)) as Seen;
}

/** What it printed; fails with what it complained of. */
async function outcome(child: ChildProcess, what: string): Promise<string> {
  assert.ok(child.stdout !== null && child.stderr !== null);
  const ended = new Promise<number | null>((done, failed) => child.once("close", done).once("error", failed));
  const [printed, complained, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  assert.equal(code, 0, `${what}: ${complained}`);
  return printed;
}
