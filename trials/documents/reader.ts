/** Runs the blocks of a page one after another, like a reader at a terminal in a clone. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadConfig, loadSignerConfig } from "@pricetime/server/readers";
import type { Block } from "./page.ts";
import { type Outcome, type Place, Running, ShellSession } from "./session.ts";
import { lacking, PYTHON } from "../tools.ts";

export type Verdict =
  | { readonly kind: "passed" }
  | { readonly kind: "written" }
  | { readonly kind: "output" }
  | { readonly kind: "not run"; readonly why: string }
  | { readonly kind: "skipped"; readonly why: string }
  | { readonly kind: "failed"; readonly why: string };

export interface ReaderOptions extends Place {
  /** Maps the ports that documents use to the ports to use instead. */
  readonly ports: ReadonlyMap<number, number>;
  readonly timeoutMs: number;
}

/** Includes the time of `npm ci`. */
const SERVING_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 20_000;
const SHELL: readonly string[] = ["sh", "bash", "shell"];
/** Blocks to paste have a language. A block without one is output or an illustration. */
const COMMAND =
  /^ *(?:[$>] |sudo |(?:npm|npx|node|pricetime|curl|git|python3?|pip|go|docker|podman|systemctl|apt(?:-get)?) )/m;
const READY = /^ready https?:/m;
/** Older versions cannot run the users' programs; then the one from npm is used. */
const OLDEST_NODE = 20;

/** One page: its shell blocks share a shell, its files a folder, and its nodes run until its end. */
export class Reader {
  readonly #options: ReaderOptions;
  readonly #shell: ShellSession;
  readonly #nodes: Running[] = [];
  #scripts = 0;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#shell = new ShellSession(options);
  }

  async read(block: Block): Promise<Verdict> {
    if (block.notRun !== undefined) return { kind: "not run", why: block.notRun };
    if (block.language === "text" || (block.language === "" && !COMMAND.test(block.text))) return { kind: "output" };
    const why = lacking(block.needs);
    if (why !== false) return { kind: "skipped", why };
    const text = this.#withPorts(block.text);
    if (block.file !== undefined) {
      this.#write(block.file, text);
      return { kind: "written" };
    }
    return this.#do(block, text);
  }

  async close(): Promise<void> {
    for (const node of this.#nodes) await node.stop(STOP_TIMEOUT_MS);
    await this.#shell.close();
  }

  async #do(block: Block, text: string): Promise<Verdict> {
    const { language } = block;
    if (language === "json") return tried(() => JSON.parse(text));
    if (language === "yaml") return this.#configuration(text, block.forSigner);
    if (SHELL.includes(language)) {
      if (block.serves) return this.#serve(text);
      if (block.until !== undefined) return this.#goOn(["bash", "-c", text], block.until);
      return judged(await this.#shell.run(text, this.#options.timeoutMs), block);
    }
    if (language === "js" || language === "javascript") return this.#script(block, userNode(), "mjs", text);
    if (language === "python") return this.#script(block, PYTHON, "py", text);
    return {
      kind: "failed",
      why: language === "" ? "commands without a language" : `nobody runs ${language}: mark it`,
    };
  }

  /** A node starts if the configuration loader accepts the file. */
  #configuration(text: string, forSigner: boolean): Verdict {
    const config = this.#write("block.yaml", text);
    return tried(() =>
      forSigner ? loadSignerConfig(config, this.#options.folder) : loadConfig({ flags: { config } }),
    );
  }

  async #serve(text: string): Promise<Verdict> {
    const node = new Running("bash", ["-c", text], this.#options);
    this.#nodes.push(node);
    if (await node.hasPrinted(READY, SERVING_TIMEOUT_MS)) return { kind: "passed" };
    return { kind: "failed", why: `it does not serve:\n${node.output}` };
  }

  async #script(block: Block, command: string, suffix: string, text: string): Promise<Verdict> {
    this.#scripts += 1;
    const path = this.#write(`block-${this.#scripts}.${suffix}`, text);
    if (block.until !== undefined) return this.#goOn([command, path], block.until);
    return judged(await new Running(command, [path], this.#options).outcome(this.#options.timeoutMs), block);
  }

  async #goOn([command = "", ...args]: readonly string[], until: string): Promise<Verdict> {
    const program = new Running(command, args, this.#options);
    const hasPrinted = await program.hasPrinted(until, this.#options.timeoutMs);
    const { output } = await program.stop(STOP_TIMEOUT_MS);
    return hasPrinted ? { kind: "passed" } : { kind: "failed", why: `it did not print ${until}:\n${output}` };
  }

  #write(name: string, text: string): string {
    const path = join(this.#options.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  #withPorts(text: string): string {
    return text.replace(/\b\d{4}\b/g, (digits) => String(this.#options.ports.get(Number(digits)) ?? digits));
  }
}

function judged({ code, output }: Outcome, { expected }: Block): Verdict {
  const missing = expected.filter((text) => !output.includes(text));
  if (code === null) return { kind: "failed", why: `it ended the shell, or did not end in time:\n${output}` };
  if (code !== 0) return { kind: "failed", why: `code ${code}:\n${output}` };
  if (missing.length > 0) return { kind: "failed", why: `it did not print ${missing.join(" and ")}:\n${output}` };
  return { kind: "passed" };
}

function tried(what: () => unknown): Verdict {
  try {
    what();
    return { kind: "passed" };
  } catch (error) {
    return { kind: "failed", why: String(error) };
  }
}

/** The `node` of a user's terminal. */
function userNode(): string {
  const { stdout } = spawnSync("node", ["-p", "process.versions.node"], { env: userEnvironment(), encoding: "utf8" });
  return Number.parseInt(stdout ?? "0", 10) >= OLDEST_NODE ? "node" : process.execPath;
}

/** The environment of a new terminal, without variables of npm and the test runner. */
export function userEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(?:NODE_|INIT_CWD$|PRICETIME_)/.test(name) && !/^npm_(?!config_(?:cache|registry|userconfig)$)/.test(name),
  );
  const path = (process.env["PATH"] ?? "").split(":").filter((folder) => !/node_modules|node-gyp-bin/.test(folder));
  return { ...Object.fromEntries(kept), PATH: path.join(":") };
}
