/** `npm run cluster`, started as users start it, and controlled through the file that it writes. */
import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type DemoAccount, ROOT } from "@pricetime/testkit/venue";
import { comes, until } from "@pricetime/testkit/waiting";

const MAIN = ["--disable-warning=ExperimentalWarning", join(ROOT, "cluster/run.ts")];
const STATUS_WITHIN_MS = 1_000;
/** The time until the proxy has detected that a node is back. */
const NOTICED_MS = 1_000;

interface ClusterFile {
  readonly proxy: string;
  readonly etcd: readonly { readonly name: string; readonly client: string; readonly pid: number }[];
  readonly nodes: readonly {
    readonly name: string;
    readonly rest: string;
    readonly admin: string;
    readonly pid: number;
  }[];
  readonly accounts: readonly DemoAccount[];
}

export class RunningCluster {
  readonly #folder: string;
  readonly #child: ChildProcess;

  private constructor(folder: string, child: ChildProcess) {
    this.#folder = folder;
    this.#child = child;
  }

  static async start(): Promise<RunningCluster> {
    const folder = temporaryFolder();
    const args = [...MAIN, "--data", folder, "--port", "0", "--bots", "off", "--limits", "off"];
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
    process.once("exit", () => child.kill());
    await new Promise<void>((ready, failed) => {
      child.once("exit", (code) => failed(new Error(`the cluster ended with code ${code}`)));
      createInterface({ input: child.stdout }).on("line", (line) => {
        if (line.startsWith("ready ")) ready();
      });
    });
    return new RunningCluster(folder, child);
  }

  get file(): ClusterFile {
    return JSON.parse(readFileSync(join(this.#folder, "cluster.json"), "utf8")) as ClusterFile;
  }

  /** The member that is the leader. */
  async leader(): Promise<ClusterFile["etcd"][number]> {
    let found: ClusterFile["etcd"][number] | undefined;
    await until("etcd has a leader", async () => {
      for (const member of this.file.etcd) {
        const status = await statusOf(member.client);
        if (status !== undefined && status.leader === status.id) found = member;
      }
      return found !== undefined;
    });
    return found as ClusterFile["etcd"][number];
  }

  /** Restarts what was killed; resolves when all nodes are ready and the proxy uses them. */
  async again(kind: "node" | "etcd", name: string): Promise<void> {
    const args = [...MAIN, kind, name, "--data", this.#folder];
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += String(chunk)));
    await new Promise<void>((done, failed) => {
      child.once("close", (code) => (code === 0 ? done() : failed(new Error(`${kind} ${name}: ${said.trim()}`))));
    });
    for (const { admin } of this.file.nodes) {
      await until("each node is ready", () =>
        comes(async () => (await fetch(`${admin}/readyz`)).ok, { withinMs: STATUS_WITHIN_MS }),
      );
    }
    await sleep(NOTICED_MS);
  }

  /** Adds a line to the configuration of all nodes, and restarts them one after another. */
  async configure(line: string): Promise<void> {
    appendFileSync(join(this.#folder, "pricetime.yaml"), `${line}\n`);
    for (const { name, pid } of this.file.nodes) {
      process.kill(pid, "SIGKILL");
      await this.again("node", name);
    }
  }

  async stop(): Promise<void> {
    this.#child.kill();
    await new Promise((done) => this.#child.once("exit", done));
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function statusOf(client: string): Promise<{ readonly id: string; readonly leader: string } | undefined> {
  try {
    const signal = AbortSignal.timeout(STATUS_WITHIN_MS);
    const answer = await fetch(`${client}/v3/maintenance/status`, { method: "POST", body: "{}", signal });
    const { header, leader } = (await answer.json()) as { header: { member_id: string }; leader?: string };
    return { id: header.member_id, leader: leader ?? "" };
  } catch {
    return undefined;
  }
}
