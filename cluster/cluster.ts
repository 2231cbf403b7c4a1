/** All parts of a cluster: starts them in order, restarts a single one, and stops them in order. */
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { keptMasterKey, MACHINE, makeMasterKey } from "@pricetime/server/program";
import { UsageError } from "./arguments.ts";
import type { Asked } from "./control.ts";
import { etcdPart } from "./etcd.ts";
import type { ClusterFolder, Layout, Started } from "./folder.ts";
import { nodeConfig, nodePart } from "./node.ts";
import type { Part } from "./part.ts";
import { haproxyProgram } from "./programs.ts";
import { proxyPart } from "./proxy/proxy.ts";
import { StatusFiles } from "./status-files.ts";

const PROXY_AGAIN_MS = 200;

export interface ClusterOptions {
  readonly folder: ClusterFolder;
  readonly layout: Layout;
  /** Prints a line at the terminal. */
  readonly say: (line: string) => void;
  /** Called when the set of running processes has changed. */
  readonly onProcesses: (running: readonly Started[]) => void;
}

export class Cluster {
  readonly #options: ClusterOptions;
  readonly #members: readonly Part[];
  readonly #nodes: readonly Part[];
  readonly #proxy: Part;
  readonly #statusFiles: StatusFiles;
  #isStopping = false;

  /** Creates the folders and files that the parts need. */
  constructor(options: ClusterOptions) {
    const { folder, layout } = options;
    for (const name of ["logs", "etcd", "nodes", "worlds"]) folder.make(name);
    if (keptMasterKey(null, folder.of()) === undefined) makeMasterKey(folder.of(), MACHINE);
    const haproxy = haproxyProgram();
    writeFileSync(folder.of("pricetime.yaml"), nodeConfig(folder, layout.nodes.length, haproxy !== undefined), {
      mode: 0o600,
    });
    this.#options = options;
    this.#members = layout.etcd.map((ports) => etcdPart(ports, layout, folder));
    this.#nodes = layout.nodes.map((ports) => nodePart(ports, layout, folder));
    this.#proxy = proxyPart(haproxy, layout, folder);
    this.#statusFiles = new StatusFiles(folder, layout, this.#members, this.#nodes, this.#proxy);
  }

  /** The URL for clients. */
  get url(): string {
    return this.#proxy.url;
  }

  /** Resolves when clients can connect; rejects with `UsageError`. */
  async start(): Promise<void> {
    for (const member of this.#members) await this.#launch(member);
    for (const member of this.#members) await member.ready();
    // The first node lists the symbols and opens the accounts, which the others then receive.
    const [first, ...others] = this.#nodes;
    if (first !== undefined) await this.#launched(first);
    await Promise.all(others.map((node) => this.#launched(node)));
    await this.#launched(this.#proxy);
    this.#proxy.onEnded((how) => void this.#proxyAgain(how));
    for (const part of [...this.#members, ...this.#nodes]) part.onEnded((how) => this.#tellOfEnd(part, how));
    this.#statusFiles.write();
  }

  /** Restarts a part that has exited. Returns a message for the user; rejects with `UsageError`. */
  async startAgain({ kind, name }: Asked): Promise<string> {
    const all = [...this.#members, ...this.#nodes].filter((part) => part.kind === kind);
    const part = all.find((each) => each.name === name);
    const names = all.map((each) => each.name).join(", ");
    if (part === undefined) throw new UsageError(`unknown ${kind} ${name}. Choose from ${names}`);
    if (!(await part.hasEnded())) throw new UsageError(`${name} is already running as process ${part.pid}`);
    await this.#launch(part);
    this.#statusFiles.write();
    await part.ready();
    this.#statusFiles.write();
    this.#options.say(`${name} is running again`);
    return `ready ${part.url}`;
  }

  /** Stops the proxy, then the nodes, which complete running requests, then etcd, which they need for that. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#stopPart(this.#proxy);
    await Promise.all(this.#nodes.map((node) => this.#stopPart(node)));
    // One by one: a leader transfers its leadership before it exits, which takes seconds if all others are stopping
    // too.
    for (const member of this.#members) await this.#stopPart(member);
    this.#statusFiles.remove();
  }

  async #launched(part: Part): Promise<void> {
    await this.#launch(part);
    await part.ready();
  }

  async #launch(part: Part): Promise<void> {
    if (this.#isStopping) throw new UsageError("the cluster is stopping");
    await part.start();
    this.#options.onProcesses([...this.#members, ...this.#nodes, this.#proxy].flatMap(({ started }) => started));
  }

  async #stopPart(part: Part): Promise<void> {
    if (await part.stop()) this.#options.say(`${part.name} did not stop in time and was killed`);
  }

  #tellOfEnd({ kind, name }: Part, how: string): void {
    const again = `npm run cluster -- ${kind} ${name} --data ${this.#options.folder.of()}`;
    this.#options.say(`${name} has exited (${how}). Start it again with: ${again}`);
    this.#statusFiles.write();
  }

  /** Restarts the proxy, the one part that clients cannot do without. */
  async #proxyAgain(how: string): Promise<void> {
    this.#options.say(`the proxy has exited (${how}) and is being restarted`);
    await sleep(PROXY_AGAIN_MS);
    if (!this.#isStopping) await this.#launch(this.#proxy);
  }
}
