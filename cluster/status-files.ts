/** Writes the files that describe a running cluster to clients, scripts and the commands of `pricetime`. */
import { readAdminFile } from "@pricetime/server/program";
import { type ClusterFolder, type DemoFile, JsonFile, type Layout, type NodeEntry } from "./folder.ts";
import type { Part } from "./part.ts";

export class StatusFiles {
  readonly #folder: ClusterFolder;
  readonly #layout: Layout;
  readonly #members: readonly Part[];
  readonly #nodes: readonly Part[];
  readonly #proxy: Part;
  /** Nodes by name. The entry of a node that has stopped stays. */
  readonly #written = new Map<string, NodeEntry>();

  constructor(folder: ClusterFolder, layout: Layout, members: readonly Part[], nodes: readonly Part[], proxy: Part) {
    this.#folder = folder;
    this.#layout = layout;
    this.#members = members;
    this.#nodes = nodes;
    this.#proxy = proxy;
  }

  /** Writes the current state. */
  write(): void {
    const { cluster, admin, demo } = this.#folder;
    const rest = this.#proxy.url;
    const etcd = this.#members.map(({ name, url, pid }) => ({ name, client: url, pid }));
    const nodes = this.#nodes.flatMap((node) => this.#entryOf(node) ?? []);
    const ofDemo = this.#layout.settings.demo ? this.#demoFile() : undefined;
    cluster.write({ proxy: rest, etcd, nodes, accounts: ofDemo?.accounts ?? [] });
    const running = this.#nodes.find(({ isRunning }) => isRunning)?.name;
    const operated = nodes.find(({ name }) => name === running) ?? nodes[0];
    if (operated !== undefined) admin.write({ admin: operated.admin, adminToken: operated.adminToken, rest });
    if (ofDemo === undefined) demo.remove();
    else demo.write({ ...ofDemo, rest, ws: webSocketUrl(rest) });
  }

  /** Removes the files that are no longer valid when nothing is running. */
  remove(): void {
    this.#folder.cluster.remove();
    this.#folder.admin.remove();
  }

  #entryOf({ name, url, pid }: Part): NodeEntry | undefined {
    const file = readAdminFile(this.#folder.of("nodes", name));
    const written = this.#written.get(name);
    const { admin, adminToken } = file ?? written ?? {};
    if (admin === undefined || adminToken === undefined) return undefined;
    const entry = { name, rest: url, ws: webSocketUrl(url), admin, adminToken, pid };
    this.#written.set(name, entry);
    return entry;
  }

  /** From the first node that has one: the accounts of all nodes are the same. */
  #demoFile(): DemoFile | undefined {
    const files = this.#nodes.map(({ name }) => new JsonFile<DemoFile>(this.#folder.of("nodes", name, "demo.json")));
    return files.map((file) => file.read()).find((file) => file !== undefined);
  }
}

function webSocketUrl(rest: string): string {
  return rest.replace("http", "ws");
}
