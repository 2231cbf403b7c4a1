/** Starts and controls the load process, and checks that every response is as expected. */
import assert from "node:assert/strict";
import { type ChildProcess, fork, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { LoadOrder, LoadResult } from "./messages.ts";

export class LoadProcess {
  readonly #child: ChildProcess;

  constructor() {
    const execArgv = ["--disable-warning=ExperimentalWarning"];
    this.#child = fork(new URL("./load-process.ts", import.meta.url), { execArgv, serialization: "advanced" });
  }

  /** Rejects unless every response is as expected. */
  async run(order: LoadOrder): Promise<LoadResult> {
    const result = await this.try(order);
    const { count } = order.requests;
    const what = `${order.requests.kind}: ${JSON.stringify(result.failures)}, first odd answer: ${result.oddAnswer}`;
    assert.deepEqual([result.answered, result.asExpected], [count, count], what);
    return result;
  }

  /** Accepts any response. */
  try(order: LoadOrder): Promise<LoadResult> {
    const child = this.#child;
    return new Promise((done, failed) => {
      const onExit = (code: number | null): void => failed(new Error(`the load process ended with ${code}`));
      child.once("exit", onExit);
      child.once("message", (message: LoadResult | { readonly error: string }) => {
        child.off("exit", onExit);
        if ("error" in message) failed(new Error(message.error));
        else done(message);
      });
      child.send(order);
    });
  }

  stop(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}

export interface Echo {
  readonly port: number;
  stop(): void;
}

/** The baseline: a bare `node:http` server. */
export async function startEcho(): Promise<Echo> {
  const program = fileURLToPath(new URL("./echo-process.ts", import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise<number>((done) => child.stdout.once("data", (text: Buffer) => done(Number(text))));
  return { port, stop: () => void child.kill() };
}
