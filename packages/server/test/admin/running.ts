/** A real admin server over a real engine, sequencer and journal (in memory), for tests. */
import { Engine } from "@pricetime/engine";
import { AdminServer } from "../../src/admin/server.ts";
import { createSealer, type Sealer } from "../../src/config/seal.ts";
import { MemoryJournal } from "../../src/journal/memory.ts";
import { Health } from "../../src/observe/health.ts";
import { createLog } from "../../src/observe/log.ts";
import { Metrics } from "../../src/observe/metrics.ts";
import { GroupCommitSequencer } from "../../src/sequencer/group-commit.ts";

export const TOKEN = "a-token-for-tests-only";
export const MASTER_KEY = "00112233445566778899aabbccddeeff".repeat(2);

export interface RunningEngine {
  readonly engine: Engine;
  readonly journal: MemoryJournal;
  readonly sequencer: GroupCommitSequencer;
  readonly sealer: Sealer;
}

export function startEngine(): RunningEngine {
  const engine = new Engine();
  const journal = new MemoryJournal();
  const onFatal = (error: Error): void => {
    throw error;
  };
  const sequencer = new GroupCommitSequencer({ journal, engine, node: "test", onFatal });
  return { engine, journal, sequencer, sealer: createSealer(MASTER_KEY) };
}

export interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export interface RunningAdmin extends RunningEngine {
  readonly url: string;
  readonly metrics: Metrics;
  /** What /readyz depends on. */
  readonly parts: { serving: boolean };
  /** With the token; `body` as JSON. */
  readonly call: (method: string, path: string, body?: unknown) => Promise<Reply>;
  readonly close: () => Promise<void>;
}

export async function startAdmin(port = 0): Promise<RunningAdmin> {
  const running = startEngine();
  const { engine, journal, sequencer, sealer } = running;
  const parts = { serving: true };
  const seq = (): number => engine.seq;
  const health = new Health({
    isServing: () => parts.serving,
    canWriteJournal: () => true,
    journalSeq: seq,
    historySeq: seq,
  });
  const metrics = new Metrics();
  const fees = { makerBps: 10, takerBps: 20 };
  const node = { view: engine, sequencer, sealer, journalHead: () => journal.head(), fees };
  const log = createLog({ level: "silent", node: "test" });
  const server = new AdminServer({ node, token: TOKEN, health, metrics, log });
  const url = `http://127.0.0.1:${await server.listen(port)}`;
  const headers = { authorization: `Bearer ${TOKEN}`, "x-pricetime-user": "dora" };
  const call = async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(url + path, { method, headers, ...sent });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return { ...running, url, metrics, parts, call, close: () => server.close() };
}
