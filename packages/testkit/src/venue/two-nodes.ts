/**
 * Where TEST_NODES is 2, a test's exchange is two nodes with a member of etcd, and its clients move between
 * them at random; an operator stays with the first. The test need not know.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Dice } from "../dice.ts";
import { startEtcd } from "../etcd/cluster.ts";
import { MovingProxy } from "./moving-proxy.ts";
import type { Exchange, StartOptions } from "./program.ts";

export const isOnTwoNodes = process.env["TEST_NODES"] === "2";

/** So that a machine on which much else runs is not taken for a network that has failed. */
const PATIENT = { cutOffAfterMs: 20_000, submitTimeoutMs: 30_000, readTimeoutMs: 30_000, maxStaleMs: 60_000 };

/** A runner that is interrupted sends SIGTERM to its tests: nodes and members end with the process that started them. */
function endWhenTerminated(): void {
  if (!process.listeners("SIGTERM").includes(endNow)) process.on("SIGTERM", endNow);
}

const endNow = (): void => process.exit(143);

/** The lines of the configuration file that the test has written, which must not be JSON; of several the last counts. */
function ownConfig({ args = [] }: StartOptions): string {
  const at = args.indexOf("--config");
  return at < 0 ? "" : readFileSync(args[at + 1] as string, "utf8");
}

/** `start` starts one node. */
export async function startTwoNodes(
  options: StartOptions,
  start: (options: StartOptions) => Promise<Exchange>,
): Promise<Exchange> {
  if (options.dataFolder !== undefined) throw new Error("a test that keeps its data folder runs on one node only");
  const seed = Number(process.env["TEST_SEED"] ?? Math.floor(Math.random() * 1_000_000));
  endWhenTerminated();
  const etcd = await startEtcd();
  const masterKey = randomBytes(32).toString("hex");
  const folder = mkdtempSync(join(tmpdir(), "pricetime-sandboxes-"));
  const config = join(folder, "config.yaml");
  writeFileSync(config, `${ownConfig(options)}cluster: ${JSON.stringify(PATIENT)}\n`);
  const release = async (): Promise<void> => {
    await etcd.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const nodeAt = (name: string): Promise<Exchange> =>
    start({
      ...options,
      args: [...(options.args ?? []), "--config", config, "--node", name, "--cluster", etcd.endpoints.join(",")],
      under: [
        ...(options.under ?? []),
        "env",
        `PRICETIME_MASTER_KEY=${masterKey}`,
        `PRICETIME_SANDBOX_FOLDER=${folder}`,
      ],
    });
  const started: Exchange[] = [];
  try {
    for (const name of ["n1", "n2"]) started.push(await nodeAt(name));
  } catch (error) {
    for (const node of started) await node.kill();
    await release();
    throw error;
  }
  const [first, second] = started as [Exchange, Exchange];
  const ports = [first, second].map(({ rest }) => Number(new URL(rest).port));
  const proxy = new MovingProxy(ports, new Dice(seed));
  const port = await proxy.listen();
  process.stderr.write(`on two nodes; clients move by TEST_SEED=${seed}\n`);
  const end = async (ending: (node: Exchange) => Promise<number | null | void>): Promise<number | null> => {
    await proxy.close();
    const codes = await Promise.all([first, second].map(ending));
    await release();
    return codes.find((code) => code !== 0) ?? 0;
  };
  return {
    ...first,
    rest: `http://127.0.0.1:${port}`,
    ws: `ws://127.0.0.1:${port}`,
    nodes: [...first.nodes, ...second.nodes],
    output: () => `${first.output()}\n${second.output()}`,
    stop: () => end((node) => node.stop()),
    kill: async () => void (await end((node) => node.kill())),
  };
}
