/**
 * etcd members as processes that tests can kill, pause and restart; clusters of them; and connections to them that fail
 * on command. The environment variable ETCD selects another binary.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { randomInt } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { temporaryFolder } from "../scratch.ts";
import { comes, until } from "../waiting.ts";
import { connect, createServer, type Server, type Socket } from "node:net";

// One member: a process that can be killed, paused and restarted in the same folder.

/**
 * The timeout of a request, long because a busy machine may be slow. Only callers that retry should use a shorter one.
 */
const ANSWER_MS = 10_000;

export class EtcdMember {
  readonly name: string;
  /** The URL for clients, for example `http://127.1.2.3:2379`. */
  readonly url: string;
  readonly folder: string;
  readonly #binary: string;
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;
  #log = "";

  constructor(name: string, url: string, folder: string, binary: string, args: readonly string[]) {
    this.name = name;
    this.url = url;
    this.folder = folder;
    this.#binary = binary;
    this.#args = args;
  }

  /** The process id; undefined while the process does not run. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts the process without waiting until it serves. */
  start(): void {
    assert.equal(this.#child, undefined, `${this.name} runs already`);
    // The process has its own process group, so that Ctrl-C in the terminal does not end it.
    const child = spawn(this.#binary, this.#args, { stdio: ["ignore", "ignore", "pipe"], detached: true });
    child.stderr.setEncoding("utf8").on("data", (text: string) => (this.#log = `${this.#log}${text}`.slice(-4_000)));
    child.once("exit", () => {
      if (this.#child === child) this.#child = undefined;
    });
    this.#child = child;
  }

  /** Kills the process with SIGKILL, like a power failure. Resolves when it has ended. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }

  /** Suspends the process: connections stay open, but no request is answered. */
  pause(): void {
    this.#child?.kill("SIGSTOP");
  }

  resume(): void {
    this.#child?.kill("SIGCONT");
  }

  /** Kills the process if it runs, and starts it again in the same folder. */
  async restart(): Promise<void> {
    await this.kill();
    this.start();
  }

  /** Kills the process without waiting. Called when the test process exits. */
  killNow(): void {
    this.#child?.kill("SIGKILL");
  }

  /** The last part of the member's log. */
  get log(): string {
    return this.#log;
  }

  /** Sends a request to the member's JSON gateway. Rejects if there is no answer within `withinMs`. */
  async ask(path: string, body: unknown, withinMs = ANSWER_MS): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.url}/v3/${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(withinMs),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    assert.ok(response.ok, `${this.name} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** Resolves to the member's own id and the id of its leader, which is empty if there is none. */
  async status(
    withinMs = ANSWER_MS,
  ): Promise<{ readonly id: string; readonly leader: string; readonly revision: number }> {
    const answer = await this.ask("maintenance/status", {}, withinMs);
    const header = answer["header"] as { readonly member_id: string; readonly revision?: string };
    return {
      id: header.member_id,
      leader: typeof answer["leader"] === "string" ? answer["leader"] : "",
      revision: Number(header.revision ?? 0),
    };
  }
}

export const BINARY = process.env["ETCD"] ?? "etcd";
const CLIENT_PORT = 2379;
const PEER_PORT = 2380;
/** How long one member, paused or without a leader, may delay a query of all members. */
const LOOK_MS = 1_000;
const SHIPPED = parseEnv(readFileSync(new URL("../../../../deploy/cluster/etcd.env", import.meta.url), "utf8"));
/** Command-line flags for the timers that etcd recommends. Tests choose the other settings. */
const TIMERS = ["heartbeat-interval", "election-timeout", "pre-vote"].map((flag) => {
  const name = `ETCD_${flag.toUpperCase().replace("-", "_")}`;
  return `--${flag}=${SHIPPED[name] ?? assert.fail(`${name} is not set`)}`;
});

export interface EtcdOptions {
  /** The number of members. Default: 1. */
  readonly members?: 1 | 3 | 5;
  /**
   * Whether members wait for the disk, as in production. Default: no, because written data survives when only the
   * process is killed.
   */
  readonly fsync?: boolean;
  /** Additional flags for every member, such as `--quota-backend-bytes=25165824` or `--snapshot-count=100`. */
  readonly flags?: readonly string[] | ((address: string) => readonly string[]);
  /** The folder for the members' data. Default: a temporary folder. */
  readonly folder?: string;
}

export class EtcdCluster {
  readonly members: readonly EtcdMember[];
  /** The client addresses of all members. */
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

  /** Resolves when every running member answers a linearizable read. */
  async ready(): Promise<void> {
    const isReady = (member: EtcdMember): Promise<boolean> =>
      comes(async () => Boolean(await member.ask("kv/range", { key: "AA==" }, LOOK_MS)), { withinMs: 200 });
    for (const member of this.members) {
      const what = (): string => `${member.name} of etcd serves; its log: ${member.log}`;
      await until(what, () => member.pid === undefined || isReady(member), { withinMs: 30_000 });
    }
  }

  /** Returns the leader once all members that answer agree on it and it answers itself. */
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

/** Starts a cluster and waits until it serves. The caller must stop it. */
export async function startEtcd(options: EtcdOptions = {}): Promise<EtcdCluster> {
  const { members: count = 1, fsync = false, flags = [] } = options;
  const folder = options.folder ?? temporaryFolder();
  // Loopback has 16 million addresses. A member with its own address needs no free port, and no other program can take
  // the port.
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

// A connection between one client and one member: a TCP proxy that can cut the connection, drop data in one direction,
// or delay it. With one proxy for each member, a node can be partitioned from any of them without root privileges.

const PORT = 2379;

export type Direction = "toMember" | "toClient";

export class Link {
  /** The URL to which the client connects. */
  readonly url: string;
  readonly #server: Server;
  readonly #address: string;
  readonly #pairs = new Set<readonly [client: Socket, member: Socket]>();
  #isCut = false;
  readonly #silent = new Set<Direction>();
  /** The delay of each chunk of data in each direction, in milliseconds. */
  delayMs = 0;

  private constructor(server: Server, address: string, target: URL) {
    this.#server = server;
    this.#address = address;
    this.url = `http://${address}:${PORT}`;
    server.on("connection", (client) => this.#join(client, target));
  }

  /** Opens a proxy to `target`, for example `http://127.1.2.3:2379`. */
  static async open(target: string): Promise<Link> {
    const server = createServer({ pauseOnConnect: true });
    // The address is unique, so that no other program can take the port while the connection is cut.
    const address = `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
    await once(server.listen(PORT, address), "listening");
    return new Link(server, address, new URL(target));
  }

  /** Resets open connections and refuses new ones until `heal`. */
  cut(): void {
    if (!this.#isCut) this.#server.close();
    this.#isCut = true;
    this.reset();
  }

  /** Resets open connections but accepts new ones. */
  reset(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.resetAndDestroy();
  }

  /**
   * Drops all data in one direction or both, while connections stay open. The dropped data is lost, so `heal` resets
   * the connections from that time.
   */
  silence(...directions: readonly Direction[]): void {
    for (const direction of directions) this.#silent.add(direction);
  }

  heal(): void {
    if (this.#silent.size > 0) this.reset();
    if (this.#isCut) this.#server.listen(PORT, this.#address);
    this.#isCut = false;
    this.#silent.clear();
  }

  async close(): Promise<void> {
    const closed = this.#isCut ? undefined : new Promise((done) => this.#server.close(done));
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
    await closed;
  }

  #join(client: Socket, { hostname, port }: URL): void {
    const member = connect({ host: hostname, port: Number(port), noDelay: true });
    client.setNoDelay(true);
    const pair = [client, member] as const;
    this.#pairs.add(pair);
    this.#carry(client, member, "toMember");
    this.#carry(member, client, "toClient");
    const end = (): void => {
      this.#pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.on("error", end).on("close", end);
    client.resume();
  }

  #carry(from: Socket, to: Socket, direction: Direction): void {
    from.on("data", (piece) => {
      if (this.#silent.has(direction)) return;
      const send = (): void => {
        if (to.destroyed) return;
        if (!to.write(piece)) {
          from.pause();
          to.once("drain", () => from.resume());
        }
      };
      if (this.delayMs > 0) setTimeout(send, this.delayMs);
      else send();
    });
  }
}
