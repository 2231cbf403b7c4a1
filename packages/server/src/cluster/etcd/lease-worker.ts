/** The thread that renews leases. It exits with the node's main thread. */
import { parentPort, workerData } from "node:worker_threads";
import assert from "node:assert/strict";
import { MACHINE } from "../../platform/world/machine.ts";
import { LeaseKeeper } from "./lease-keeper.ts";
import type { LeaseAnswer, LeaseRequest, LeaseWorkerData } from "./leases.ts";
import { Members } from "./members.ts";

assert.ok(parentPort !== null, "the thread of leases has a main thread");
const port = parentPort;
const { access, limits } = workerData as LeaseWorkerData;
const members = new Members({ access, limits, world: MACHINE });
const tell = (answer: LeaseAnswer): void => port.postMessage(answer);
const onLost = (id: string): void => tell({ type: "lost", id });
const newKeeper = (): LeaseKeeper => new LeaseKeeper({ members, limits, world: MACHINE, onLost });
const keeper = newKeeper();

async function answer(request: LeaseRequest): Promise<LeaseAnswer> {
  const { call } = request;
  try {
    if (request.type === "take")
      return { type: "done", call, id: await keeper.take(Buffer.from(request.key), request.holder) };
    if (request.type === "release") await keeper.release(request.id);
    else await keeper.close();
    return { type: "done", call, id: undefined };
  } catch (error) {
    return { type: "failed", call, message: (error as Error).message };
  }
}

port.on("message", (request: LeaseRequest) => void answer(request).then(tell));
