/**
 * What a cluster keeps in its folder besides the folders of its parts:
 *
 *     cluster.json   for clients and scripts: where everything is, while it runs
 *     demo.json      of a demo, and
 *     admin.json     as a node's own, with the proxy's address: the commands of `pricetime` work with `--data` of this folder
 *     layout.json    its options and ports, for the next start
 *     runner.json    where the program that started it is asked to start a part again
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
  /** Keeps members of another cluster from joining this one by mistake. */
  readonly token: string;
  readonly proxy: number;
  readonly etcd: readonly MemberPorts[];
  readonly nodes: readonly NodePorts[];
}

export interface ClusterFile {
  /** The proxy: `http://127.0.0.1:8080`. */
  readonly proxy: string;
  readonly etcd: readonly { readonly name: string; readonly client: string; readonly pid: number }[];
  readonly nodes: readonly NodeEntry[];
  /** Those of a demo; none otherwise. */
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

/** As nodes write it, with more that is passed on as it is. */
export interface DemoFile {
  readonly rest: string;
  readonly ws: string;
  readonly accounts: readonly unknown[];
}

export interface RunnerFile {
  readonly pid: number;
  readonly control: string;
  readonly token: string;
  /** Every process that was started, with the folder or file by which its command line is known. */
  readonly started: readonly Started[];
}
export interface Started {
  readonly pid: number;
  readonly mark: string;
}

export class ClusterFolder {
  readonly #path: string;
  readonly layout: KeptFile<Layout>;
  readonly cluster: KeptFile<ClusterFile>;
  readonly runner: KeptFile<RunnerFile>;
  readonly demo: KeptFile<DemoFile>;
  readonly admin: KeptFile<AdminFile>;

  constructor(path: string) {
    this.#path = path;
    this.layout = new KeptFile(this.of("layout.json"));
    this.cluster = new KeptFile(this.of("cluster.json"));
    this.runner = new KeptFile(this.of("runner.json"));
    this.admin = new KeptFile(this.of("admin.json"));
    this.demo = new KeptFile(this.of("demo.json"));
  }

  of(...names: readonly string[]): string {
    return join(this.#path, ...names);
  }

  /** Makes a folder inside, unless it is there. */
  make(name: string): void {
    mkdirSync(this.of(name), { recursive: true, mode: 0o700 });
  }
}

/** A file of JSON, mode 0600, replaced whole. */
export class KeptFile<Content extends object> {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Undefined when it is not there. */
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
