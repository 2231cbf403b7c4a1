/** A cluster as a user has it: started by the command in README, and accessed through the file that it writes. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type DemoAccount, ROOT } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { userEnvironment } from "../documents/reader.ts";
import { Running } from "../documents/session.ts";

const READY_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 60_000;

/** The documented content of `cluster.json`. */
export interface ClusterFile {
  readonly proxy: string;
  readonly etcd: readonly { readonly name: string; readonly client: string; readonly pid: number }[];
  readonly nodes: readonly ClusterNode[];
  readonly accounts: readonly DemoAccount[];
}
export interface ClusterNode {
  readonly name: string;
  readonly rest: string;
  readonly ws: string;
  readonly admin: string;
  readonly adminToken: string;
  readonly pid: number;
}

interface Processes {
  readonly pid: number;
  readonly started: readonly { readonly pid: number; readonly mark: string }[];
}

export class UserCluster {
  readonly folder: string;
  #running: Running | undefined;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Runs `npm run cluster` and waits until the cluster is ready. */
  async start(...options: readonly string[]): Promise<void> {
    const words = ["run", "cluster", "--", "--data", this.folder, ...options];
    const running = new Running("npm", words, { folder: ROOT, env: userEnvironment() });
    this.#running = running;
    const isReady = await running.hasPrinted(/^ready http:\/\/127\.0\.0\.1:\d+$/m, READY_TIMEOUT_MS);
    assert.ok(isReady, running.output);
    assert.match(running.output, new RegExp(`^ready ${this.file.proxy}$`, "m"));
  }

  /** Stops the cluster as Ctrl-C in its terminal does. */
  async stop(): Promise<void> {
    await this.#running?.stop(STOP_TIMEOUT_MS);
    this.#running = undefined;
  }

  get file(): ClusterFile {
    return JSON.parse(readFileSync(join(this.folder, "cluster.json"), "utf8")) as ClusterFile;
  }

  node(name: string): ClusterNode {
    return this.file.nodes.find((node) => node.name === name) ?? assert.fail(`no node ${name}`);
  }

  pidOf(name: string): number {
    const { etcd, nodes } = this.file;
    return [...etcd, ...nodes].find((part) => part.name === name)?.pid ?? assert.fail(`no part ${name}`);
  }

  /** The processes of the cluster, including the runner. */
  pids(): number[] {
    const { pid, started } = this.#processes();
    return [pid, ...started.map((each) => each.pid)].filter((each) => each !== 0);
  }

  get proxyPid(): number {
    return this.#processes().started.find(({ mark }) => /proxy\.\w+$/.test(mark))?.pid ?? assert.fail("no proxy");
  }

  #processes(): Processes {
    const path = join(this.folder, "runner.json");
    return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Processes) : { pid: 0, started: [] };
  }

  /** Sends a command to the running cluster. Returns its exit code and output. */
  command(...words: readonly string[]): { readonly code: number | null; readonly output: string } {
    const args = ["run", "--silent", "cluster", "--", ...words, "--data", this.folder];
    const { status, stdout, stderr } = spawnSync("npm", args, { cwd: ROOT, env: userEnvironment(), encoding: "utf8" });
    return { code: status, output: stdout + stderr };
  }

  /** The name of the etcd member that is the leader. */
  async leader(): Promise<string> {
    let name = "";
    await until("etcd has a leader", async () => {
      const { etcd } = this.file;
      const all = await Promise.all(etcd.map(async (member) => ({ member, ...(await statusOf(member.client)) })));
      name = all.find(({ id, leader }) => id !== "" && id === leader)?.member.name ?? "";
      return name !== "";
    });
    return name;
  }
}

async function statusOf(client: string): Promise<{ readonly id: string; readonly leader: string }> {
  try {
    const options = { method: "POST", body: "{}", signal: AbortSignal.timeout(1000) };
    const answer = (await (await fetch(`${client}/v3/maintenance/status`, options)).json()) as {
      header: { member_id: string };
      leader?: string;
    };
    return { id: answer.header.member_id, leader: answer.leader ?? "" };
  } catch {
    return { id: "", leader: "" };
  }
}

/** Whether the process is running; a zombie is not. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

export function kill(...pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, "ESRCH");
    }
  }
}
