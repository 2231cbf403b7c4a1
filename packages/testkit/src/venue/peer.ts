/** A child process of a fault campaign or a benchmark, and its reports. */
import { type ChildProcess, fork } from "node:child_process";

export class Peer<Order extends object, Report extends { readonly type: string }> {
  readonly #child: ChildProcess;
  readonly #reports: Report[] = [];
  readonly #program: URL;
  #ended = false;
  #wake: (() => void) | undefined;

  /** `program`: the module to run. `nodeArgs`: arguments for Node before the module. */
  constructor(program: URL, nodeArgs: readonly string[] = []) {
    this.#program = program;
    const execArgv = ["--disable-warning=ExperimentalWarning", ...nodeArgs];
    this.#child = fork(program, { execArgv, serialization: "advanced" });
    this.#child.on("message", (report) => {
      this.#reports.push(report as Report);
      this.#wake?.();
    });
    this.#child.once("exit", () => {
      this.#ended = true;
      this.#wake?.();
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  order(order: Order): void {
    this.#child.send(order);
  }

  /** Returns the next report of this type. Rejects if the process ends first. */
  async told<Type extends Report["type"]>(type: Type): Promise<Extract<Report, { type: Type }>> {
    for (;;) {
      const at = this.#reports.findIndex((report) => report.type === type);
      if (at !== -1) return this.#reports.splice(at, 1)[0] as Extract<Report, { type: Type }>;
      if (this.#ended) throw new Error(`${this.#program.pathname} has ended`);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  end(): void {
    if (!this.#ended && this.#child.connected) this.#child.disconnect();
  }
}
