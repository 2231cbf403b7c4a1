/** Starts and controls the load process and the server that it is compared with. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Peer } from "@pricetime/testkit/peer";
import type { LoadOrder, LoadReport, LoadResult } from "./messages.ts";

export class LoadProcess {
  readonly #peer = new Peer<LoadOrder, LoadReport>(new URL("./load-process.ts", import.meta.url));

  /** Rejects unless every response is as expected. */
  async run(order: LoadOrder): Promise<LoadResult> {
    const result = await this.try(order);
    const { count } = order.requests;
    const what = `${order.requests.kind}: ${JSON.stringify(result.failures)}, first odd answer: ${result.oddAnswer}`;
    assert.deepEqual([result.answered, result.asExpected], [count, count], what);
    return result;
  }

  /** Accepts any response. */
  async try(order: LoadOrder): Promise<LoadResult> {
    this.#peer.order(order);
    const { result } = await this.#peer.told("ended");
    if (typeof result === "string") throw new Error(result);
    return result;
  }

  stop(): void {
    this.#peer.end();
  }
}

export interface BareServer {
  readonly port: number;
  readonly pid: number;
  stop(): void;
}

/** Starts `bare-process.ts`. */
export async function startBareServer(): Promise<BareServer> {
  const program = fileURLToPath(new URL("./bare-process.ts", import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise<number>((done) => child.stdout.once("data", (text: Buffer) => done(Number(text))));
  return { port, pid: child.pid ?? 0, stop: () => void child.kill() };
}
