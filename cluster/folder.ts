/**
 * The files in a cluster's folder, besides the folders of its parts:
 *
 *     cluster.json   for clients and scripts: the addresses of all parts, while the cluster is running
 *     demo.json      of a demo, and
 *     admin.json     as a node's own, with the proxy's address: `pricetime` works with `--data` of this folder
 *     layout.json    its options and ports, for the next start
 *     runner.json    how to reach the program that runs the cluster, to restart a part
 *     master.key     the key that all nodes share
 */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type AdminFile, writePrivateFile } from "@pricetime/server/program";
import type { Settings } from "./arguments.ts";

export interface MemberPorts {
  readonly name: string;
  readonly client: number;
  readonly peer: number;
}
export interface NodePorts {
  readonly name: string;
  readonly rest: number;
  readonly admin: number;
}
export interface Layout {
  readonly settings: Settings;
  /** Prevents members of another cluster from joining this one by mistake. */
  readonly token: string;
  readonly proxy: number;
  readonly etcd: readonly MemberPorts[];
  readonly nodes: readonly NodePorts[];
}

export interface ClusterFile {
  /** The proxy's URL, such as `http://127.0.0.1:8080`. */
  readonly proxy: string;
  readonly etcd: readonly { readonly name: string; readonly client: string; readonly pid: number }[];
  readonly nodes: readonly NodeEntry[];
  /** The accounts of a demo; empty otherwise. */
  readonly accounts: readonly unknown[];
}
export interface NodeEntry {
  readonly name: string;
  readonly rest: string;
  readonly ws: string;
  readonly admin: string;
  readonly adminToken: string;
  readonly pid: number;
}

/** As nodes write it. Fields not listed here are passed on unchanged. */
export interface DemoFile {
  readonly rest: string;
  readonly ws: string;
  readonly accounts: readonly unknown[];
}

export interface RunnerFile {
  readonly pid: number;
  readonly control: string;
  readonly token: string;
  /** Every started process, with the folder or file that identifies its command line. */
  readonly started: readonly Started[];
}
export interface Started {
  readonly pid: number;
  readonly mark: string;
}

export class ClusterFolder {
  readonly #path: string;
  readonly layout: JsonFile<Layout>;
  readonly cluster: JsonFile<ClusterFile>;
  readonly runner: JsonFile<RunnerFile>;
  readonly demo: JsonFile<DemoFile>;
  readonly admin: JsonFile<AdminFile>;

  constructor(path: string) {
    this.#path = path;
    this.layout = new JsonFile(this.of("layout.json"));
    this.cluster = new JsonFile(this.of("cluster.json"));
    this.runner = new JsonFile(this.of("runner.json"));
    this.admin = new JsonFile(this.of("admin.json"));
    this.demo = new JsonFile(this.of("demo.json"));
  }

  of(...names: readonly string[]): string {
    return join(this.#path, ...names);
  }

  /** Creates a subfolder if it does not exist. */
  make(name: string): void {
    mkdirSync(this.of(name), { recursive: true, mode: 0o700 });
  }
}

/** A JSON file with mode 0600, replaced atomically. */
export class JsonFile<Content extends object> {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Undefined if the file does not exist. */
  read(): Content | undefined {
    try {
      return JSON.parse(readFileSync(this.#path, "utf8")) as Content;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  write(content: Content): void {
    writePrivateFile(this.#path, `${JSON.stringify(content, null, 2)}\n`);
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }
}
