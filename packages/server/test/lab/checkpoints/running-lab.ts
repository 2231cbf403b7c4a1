/** A lab inside the test: the whole node, with ports of its own, and its admin API. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { startExchange } from "@pricetime/server";
import { Client } from "@pricetime/testkit/client";
import { inTheEnd, scratchFolder } from "@pricetime/testkit/scratch";
import type { DemoFile } from "@pricetime/testkit/venue";

export interface RunningLab extends DemoFile {
  readonly folder: string;
  /** Signs as the demo's first accounts. */
  readonly clients: readonly Client[];
  /** Asks the admin API; fails unless the status is the expected one. */
  ask<T = Record<string, unknown>>(method: string, path: string, body?: object, status?: number): Promise<T>;
  /** Returns the response unchanged. */
  send(method: string, path: string, body?: Uint8Array<ArrayBuffer>): Promise<Response>;
  /** Why it must end; undefined if it need not. */
  failure(): Error | undefined;
  stop(): Promise<void>;
}

/** In a folder that the user names, or in its own, as without `--data`: each has another storage. */
export const LAB_KINDS = ["kept", "temporary"] as const;
export type LabKind = (typeof LAB_KINDS)[number];

export async function startLab(
  t: TestContext,
  options: Record<string, unknown> = {},
  kind: LabKind = "kept",
): Promise<RunningLab> {
  const place = kind === "kept" && options["data"] === undefined ? { data: scratchFolder(t) } : {};
  const flags = { port: 0, adminPort: 0, lab: true, clock: "manual", bots: "off", ...place, ...options };
  const exchange = await startExchange({ ...flags, environment: { PRICETIME_LOG_LEVEL: "warn" } } as never);
  const folder = exchange.data;
  const demo = JSON.parse(readFileSync(join(folder, "demo.json"), "utf8")) as DemoFile;
  const headers = { authorization: `Bearer ${demo.adminToken}` };
  const send: RunningLab["send"] = (method, path, body) =>
    fetch(`${demo.admin}${path}`, { method, headers, ...(body !== undefined && { body }) });
  const ask = async <T>(method: string, path: string, body?: object, status?: number): Promise<T> => {
    const sent = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const answer = await send(method, path, sent);
    const told = (await answer.json()) as T;
    const expected = status === undefined ? [200, 201] : [status];
    assert.ok(expected.includes(answer.status), `${method} ${path}: ${answer.status} ${JSON.stringify(told)}`);
    return told;
  };
  const clients = demo.accounts.map((account) => new Client(demo.rest, account));
  let failed: Error | undefined;
  void exchange.failed.then((error) => (failed = error));
  let isStopped = false;
  const stop = async (): Promise<void> => {
    if (isStopped) return;
    isStopped = true;
    for (const client of clients) client.close();
    await exchange.stop();
  };
  inTheEnd(t, stop);
  return { ...demo, folder, clients, ask, send, failure: () => failed, stop };
}
