/** A writer of batches, one in flight at a time: through the journal's port, or by plain puts. */
import { randomBytes } from "node:crypto";
import { firstEpoch, openEtcdStore } from "@pricetime/server/cluster-store";
import { MACHINE } from "@pricetime/server/parts";
import { newDelays, quantilesOf, recordDelay } from "@pricetime/testkit/delays";
import { BarePuts } from "./bare-puts.ts";
import type { WriterOrder, WriterReport } from "./messages.ts";

const PREFIX = "bench";

/** Writes one batch; resolves when the writer has confirmation that it is durable. */
type Write = (number: number, bytes: Uint8Array) => Promise<void>;

let writes: Readonly<Record<"port" | "bare", Write>> | undefined;
let number = 0;

const report = (what: WriterReport): void => void process.send?.(what);

async function open({ endpoints, node }: Extract<WriterOrder, { type: "open" }>): Promise<void> {
  const incarnation = randomBytes(8).toString("hex");
  // Both use the same member, because a write to a follower takes one more step.
  const member = endpoints[0] ?? "";
  const access = { endpoints: [member], tls: null, login: null };
  const how = { prefix: PREFIX, node, first: firstEpoch(MACHINE), mirrors: null, world: MACHINE };
  const store = await openEtcdStore({ access, ...how });
  const waiting = new Map<string, () => void>();
  const following = store.follow(null);
  const follow = async (): Promise<void> => {
    for (let row = await following.next(); row !== undefined; row = await following.next()) waiting.get(row.id)?.();
  };
  void follow();
  const port: Write = async (at, bytes) => {
    const id = `${node}/${incarnation}/${at}`;
    const back = new Promise<void>((resolve) => waiting.set(id, resolve));
    await Promise.all([store.submit({ id, node, count: 1, timeMs: Date.now(), bytes }), back]);
    waiting.delete(id);
  };
  const puts = new BarePuts(member);
  writes = { port, bare: (at, bytes) => puts.put(`bare/${node}/${incarnation}/${at}`, bytes) };
  report({ type: "open" });
}

async function write({ how, batches, bytes }: Extract<WriterOrder, { type: "write" }>): Promise<void> {
  const value = randomBytes(bytes);
  const delays = newDelays();
  const startMs = performance.now();
  for (let left = batches; left > 0; left--) {
    const beganMs = performance.now();
    await writes?.[how](++number, value);
    recordDelay(delays, performance.now() - beganMs);
  }
  report({ type: "wrote", seconds: (performance.now() - startMs) / 1000, delayMs: quantilesOf(delays) });
}

process.on("message", (order: WriterOrder) => void (order.type === "open" ? open(order) : write(order)));
process.once("disconnect", () => process.exit());
