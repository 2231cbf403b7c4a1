/** Three members of etcd whose connections to each other can be cut. A member can be replaced. */
import { randomInt } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { EtcdCluster, EtcdMember } from "@pricetime/testkit/etcd";
import { untilAnswer } from "@pricetime/testkit/waiting";
import { PeerLines } from "./peer-lines.ts";

const BINARY = process.env["ETCD"] ?? "etcd";
const CLIENT_PORT = 2379;
const PEER_PORT = 2380;
/** The address under which the others reach a member: its own plus this. */
const PROXY_HOST_OFFSET = 100;
/** As in `deploy/cluster`, and with few entries between snapshots, so that a member that was down receives one. */
const FLAGS = [
  ...["--heartbeat-interval=50", "--election-timeout=500", "--pre-vote", "--snapshot-count=500"],
  ...["--logger=zap", "--log-level=error"],
];

export const MEMBER_NAMES: readonly string[] = ["m1", "m2", "m3"];

export class Members {
  readonly lines: PeerLines;
  readonly #folder: string;
  readonly #net: string;
  #cluster: EtcdCluster;

  private constructor(folder: string, net: string, lines: PeerLines) {
    this.#folder = folder;
    this.#net = net;
    this.lines = lines;
    this.#cluster = new EtcdCluster(
      MEMBER_NAMES.map((name) => this.#member(name, "new")),
      undefined,
    );
  }

  static async start(folder: string): Promise<Members> {
    const net = `127.${randomInt(1, 255)}.${randomInt(256)}`;
    const lines = new PeerLines();
    for (const [at, name] of MEMBER_NAMES.entries()) {
      const known = { host: `${net}.${at + 1 + PROXY_HOST_OFFSET}`, port: PEER_PORT };
      await lines.open(name, known, `${net}.${at + 1}`);
    }
    const members = new Members(folder, net, lines);
    await members.#cluster.start();
    return members;
  }

  get all(): readonly EtcdMember[] {
    return this.#cluster.members;
  }

  leader(): Promise<EtcdMember> {
    return this.#cluster.leader();
  }

  ready(): Promise<void> {
    return this.#cluster.ready();
  }

  /** Removes a member from the cluster, as if its machine were lost, and adds another with an empty folder. */
  async replace(name: string): Promise<void> {
    const old = this.all.find((member) => member.name === name) as EtcdMember;
    const { id } = await old.status();
    await old.kill();
    const others = this.all.filter((member) => member !== old);
    const ask = (path: string, body: object): Promise<boolean> =>
      untilAnswer(
        `etcd takes ${path}`,
        async () => {
          for (const member of others) {
            const isDone = await member.ask(path, body, 5_000).then(
              () => true,
              (error: Error) => /already exists|not found/.test(error.message),
            );
            if (isDone) return true;
          }
          return false;
        },
        (isDone) => isDone,
        { withinMs: 30_000, everyMs: 300 },
      );
    await ask("cluster/member/remove", { ID: id });
    rmSync(old.folder, { recursive: true, force: true });
    await ask("cluster/member/add", { peerURLs: [this.#known(name)] });
    const added = this.#member(name, "existing");
    this.#cluster = new EtcdCluster(
      this.all.map((member) => (member === old ? added : member)),
      undefined,
    );
    added.start();
    await this.ready();
  }

  async stop(): Promise<void> {
    await this.#cluster.stop();
    await this.lines.close();
  }

  #member(name: string, state: "new" | "existing"): EtcdMember {
    const host = `${this.#net}.${MEMBER_NAMES.indexOf(name) + 1}`;
    const client = `http://${host}:${CLIENT_PORT}`;
    // A subfolder, because the folder itself may be the mount point of a disk.
    const data = join(this.#folder, name, "data");
    const peers = MEMBER_NAMES.map((other) => `${other}=${this.#known(other)}`).join(",");
    return new EtcdMember(name, client, data, BINARY, [
      ...[`--name=${name}`, `--data-dir=${data}`, `--initial-cluster-token=${this.#net}`],
      ...[`--listen-client-urls=${client}`, `--advertise-client-urls=${client}`],
      ...[`--listen-peer-urls=http://${host}:${PEER_PORT}`, `--initial-advertise-peer-urls=${this.#known(name)}`],
      ...[`--initial-cluster=${peers}`, `--initial-cluster-state=${state}`],
      ...FLAGS,
    ]);
  }

  #known(name: string): string {
    return `http://${this.#net}.${MEMBER_NAMES.indexOf(name) + 1 + PROXY_HOST_OFFSET}:${PEER_PORT}`;
  }
}
