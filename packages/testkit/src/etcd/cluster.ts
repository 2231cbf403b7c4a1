/**
 * A real etcd cluster for tests: one or three members on loopback addresses of their own, with the timers that we
 * ship. On a machine without etcd the tests are skipped; ETCD names another binary.
 */
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { temporaryFolder } from "../scratch.ts";
import { comes, until } from "../waiting.ts";
import { EtcdMember } from "./member.ts";

export const BINARY = process.env["ETCD"] ?? "etcd";
const CLIENT_PORT = 2379;
const PEER_PORT = 2380;
/** How long a member that stands still or has no leader holds up a look at all of them. */
const LOOK_MS = 1_000;
const SHIPPED = parseEnv(readFileSync(new URL("../../../../deploy/cluster/etcd.env", import.meta.url), "utf8"));
/** The timers that we ship; tests choose the other settings themselves. */
const TIMERS = ["heartbeat-interval", "election-timeout", "pre-vote"].map((flag) => {
  const name = `ETCD_${flag.toUpperCase().replace("-", "_")}`;
  return `--${flag}=${SHIPPED[name] ?? assert.fail(`${name} is not set`)}`;
});

export interface EtcdOptions {
  /** Default: 1. */
  readonly members?: 1 | 3 | 5;
  /** Waits for the disk, as real members do. Default: no, since a killed process loses nothing by it. */
  readonly fsync?: boolean;
  /** More flags for every member, such as `--quota-backend-bytes=25165824` or `--snapshot-count=100`. */
  readonly flags?: readonly string[] | ((address: string) => readonly string[]);
  /** Where members keep their data. Default: a folder that is removed at the end. */
  readonly folder?: string;
}

export class EtcdCluster {
  readonly members: readonly EtcdMember[];
  /** Where clients reach the members. */
  readonly endpoints: readonly string[];
  readonly #killWithUs = (): void => {
    for (const member of this.members) member.killNow();
  };
  readonly #wipes: string | undefined;

  constructor(members: readonly EtcdMember[], wipes: string | undefined) {
    this.members = members;
    this.endpoints = members.map(({ url }) => url);
    this.#wipes = wipes;
    process.once("exit", this.#killWithUs);
  }

  start(): Promise<void> {
    for (const member of this.members) member.start();
    return this.ready();
  }

  /** Resolves when every member that runs answers a linearizable read. */
  async ready(): Promise<void> {
    const isReady = (member: EtcdMember): Promise<boolean> =>
      comes(async () => Boolean(await member.ask("kv/range", { key: "AA==" }, LOOK_MS)), { withinMs: 200 });
    for (const member of this.members) {
      const what = (): string => `${member.name} of etcd serves; it says: ${member.said}`;
      await until(what, () => member.pid === undefined || isReady(member), { withinMs: 30_000 });
    }
  }

  /** Returns the member that leads, as soon as those who answer agree on one that answers. */
  async leader(): Promise<EtcdMember> {
    let found: EtcdMember | undefined;
    await until("a leader of etcd", async () => {
      const seen = await Promise.all(this.members.map((member) => member.status(LOOK_MS).catch(() => undefined)));
      const leaders = new Set(seen.flatMap((status) => status?.leader ?? []));
      const [leader] = leaders;
      if (leaders.size === 1) found = this.members[seen.findIndex((status) => status?.id === leader)];
      return found !== undefined;
    });
    return found ?? assert.fail();
  }

  async followers(): Promise<readonly EtcdMember[]> {
    const leader = await this.leader();
    return this.members.filter((member) => member !== leader);
  }

  async stop(): Promise<void> {
    process.off("exit", this.#killWithUs);
    await Promise.all(this.members.map((member) => member.kill()));
    if (this.#wipes !== undefined) rmSync(this.#wipes, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Starts a cluster and waits until it serves. The caller stops it. */
export async function startEtcd(options: EtcdOptions = {}): Promise<EtcdCluster> {
  const { members: count = 1, fsync = false, flags = [] } = options;
  const folder = options.folder ?? temporaryFolder();
  // Loopback has 16 million addresses: with its own, a member needs no free port, and no other program takes it.
  const net = `127.${randomInt(1, 255)}.${randomInt(256)}`;
  const names = Array.from({ length: count }, (_, at) => `m${at + 1}`);
  const peers = names.map((name, at) => `${name}=http://${net}.${at + 1}:${PEER_PORT}`).join(",");
  const members = names.map((name, at) => {
    const address = `${net}.${at + 1}`;
    const [client, peer] = [`http://${address}:${CLIENT_PORT}`, `http://${address}:${PEER_PORT}`];
    const more = typeof flags === "function" ? flags(address) : flags;
    const data = join(folder, name);
    const where = [`--name=${name}`, `--data-dir=${data}`, `--initial-cluster=${peers}`];
    const listen = [`--listen-client-urls=${client}`, `--advertise-client-urls=${client}`];
    const peerListen = [`--listen-peer-urls=${peer}`, `--initial-advertise-peer-urls=${peer}`];
    const token = `--initial-cluster-token=${net}`;
    const log = ["--logger=zap", "--log-level=error"];
    const sync = fsync ? [] : ["--unsafe-no-fsync"];
    const args = [...where, ...listen, ...peerListen, token, ...log, ...TIMERS, ...sync, ...more];
    return new EtcdMember(name, client, data, BINARY, args);
  });
  const cluster = new EtcdCluster(members, options.folder === undefined ? folder : undefined);
  await cluster.start().catch(async (error: unknown) => {
    await cluster.stop();
    throw error;
  });
  return cluster;
}
