/** One member of an etcd cluster: a process that can be killed, paused and started again in the same folder. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** A busy machine may need long: only who asks again until the answer is good should wait for less. */
const ANSWER_MS = 10_000;

export class EtcdMember {
  readonly name: string;
  /** Where clients reach it: `http://127.1.2.3:2379`. */
  readonly url: string;
  readonly folder: string;
  readonly #binary: string;
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;
  #said = "";

  constructor(name: string, url: string, folder: string, binary: string, args: readonly string[]) {
    this.name = name;
    this.url = url;
    this.folder = folder;
    this.#binary = binary;
    this.#args = args;
  }

  /** Undefined while it does not run. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts the process; it serves some time later. */
  start(): void {
    assert.equal(this.#child, undefined, `${this.name} runs already`);
    // A group of its own: Ctrl-C in the terminal is not for it.
    const child = spawn(this.#binary, this.#args, { stdio: ["ignore", "ignore", "pipe"], detached: true });
    child.stderr.setEncoding("utf8").on("data", (text: string) => (this.#said = `${this.#said}${text}`.slice(-4_000)));
    child.once("exit", () => {
      if (this.#child === child) this.#child = undefined;
    });
    this.#child = child;
  }

  /** Kills it as a power failure would: kill -9. Resolves when it is gone. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }

  /** Stops it in its tracks: connections stay open, and nothing answers. */
  pause(): void {
    this.#child?.kill("SIGSTOP");
  }

  resume(): void {
    this.#child?.kill("SIGCONT");
  }

  /** Kills it if it runs, and starts it in the same folder. */
  async restart(): Promise<void> {
    await this.kill();
    this.start();
  }

  /** Kills it at once, without waiting: for the end of the process. */
  killNow(): void {
    this.#child?.kill("SIGKILL");
  }

  /** The last that it wrote to its log. */
  get said(): string {
    return this.#said;
  }

  /** Calls the member's JSON gateway. Rejects when it does not answer within `withinMs`. */
  async ask(path: string, body: unknown, withinMs = ANSWER_MS): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.url}/v3/${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(withinMs),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    assert.ok(response.ok, `${this.name} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** Its own id and that of the leader that it knows; an empty leader while there is none. */
  async status(
    withinMs = ANSWER_MS,
  ): Promise<{ readonly id: string; readonly leader: string; readonly revision: number }> {
    const answer = await this.ask("maintenance/status", {}, withinMs);
    const header = answer["header"] as { readonly member_id: string; readonly revision?: string };
    return {
      id: header.member_id,
      leader: typeof answer["leader"] === "string" ? answer["leader"] : "",
      revision: Number(header.revision ?? 0),
    };
  }
}
