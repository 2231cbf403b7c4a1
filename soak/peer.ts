/** A process of the soak, and what it says. */
import { type ChildProcess, fork } from "node:child_process";
import { basename } from "node:path";

export class Peer<Order extends object, Report extends { readonly type: string }> {
  readonly #child: ChildProcess;
  readonly #reports: Report[] = [];
  readonly #file: string;
  #ended = false;
  #wake: (() => void) | undefined;

  /** `file`: the program that it runs. */
  constructor(file: URL) {
    this.#file = basename(file.pathname);
    this.#child = fork(file, { execArgv: ["--disable-warning=ExperimentalWarning"], serialization: "advanced" });
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

  /** The next report of this kind; rejects when the process ends before. */
  async told<Type extends Report["type"]>(type: Type): Promise<Extract<Report, { type: Type }>> {
    for (;;) {
      const at = this.#reports.findIndex((report) => report.type === type);
      if (at !== -1) return this.#reports.splice(at, 1)[0] as Extract<Report, { type: Type }>;
      if (this.#ended) throw new Error(`${this.#file} has ended`);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  end(): void {
    if (!this.#ended && this.#child.connected) this.#child.disconnect();
  }
}
