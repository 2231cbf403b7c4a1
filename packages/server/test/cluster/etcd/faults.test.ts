/**
 * Three members fail while nodes write and follow: every batch is there once, in one order, and service recovers soon.
 */
import assert from "node:assert/strict";
import { suite, test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Link, noEtcd } from "@pricetime/testkit/etcd";
import { inTheEnd } from "@pricetime/testkit/scratch";
import { until } from "@pricetime/testkit/waiting";
import type { EtcdStore } from "../../../src/cluster/etcd/etcd-store.ts";
import type { LogRow } from "../../../src/journal/port.ts";
import { batchOf, newPrefix, numbersOf, openStore, take, upTo, suiteEtcd } from "./rig.ts";

suite("faults of etcd", { skip: noEtcd }, () => {
  const etcd = suiteEtcd({ members: 3, flags: ["--snapshot-count=100"] });

  /** A node with its own link to each member, which writes one batch after the other and follows. */
  class Writer {
    readonly rows: LogRow[] = [];
    readonly links: readonly Link[];
    readonly store: EtcdStore;
    readonly node: string;
    /** The longest time without a returned batch. */
    longestMs = 0;
    written = 0;
    #isOver = false;
    readonly ended: Promise<unknown>;

    constructor(store: EtcdStore, links: readonly Link[], node: string) {
      this.store = store;
      this.links = links;
      this.node = node;
      this.ended = Promise.all([this.#write(), this.#follow()]);
    }

    async finish(): Promise<void> {
      this.#isOver = true;
      await this.ended;
    }

    async #write(): Promise<void> {
      while (!this.#isOver) await this.store.submit(batchOf(this.node, ++this.written));
    }

    async #follow(): Promise<void> {
      const following = this.store.follow(null);
      let lastMs = performance.now();
      while (!this.#isOver) {
        this.rows.push(...(await take(following, 1)));
        this.longestMs = Math.max(this.longestMs, performance.now() - lastMs);
        lastMs = performance.now();
      }
      following.close();
    }
  }

  async function during(
    t: TestContext,
    /** `moved` resolves when both nodes have written and received more batches. */
    fault: (writers: readonly Writer[], moved: () => Promise<void>) => Promise<void>,
  ): Promise<readonly Writer[]> {
    await etcd().ready();
    const prefix = newPrefix();
    const writers: Writer[] = [];
    for (const node of ["n1", "n2"]) {
      const links = await Promise.all(etcd().endpoints.map((endpoint) => Link.open(endpoint)));
      inTheEnd(t, () => Promise.all(links.map((link) => link.close())));
      const store = await openStore(
        t,
        links.map(({ url }) => url),
        prefix,
        { node },
      );
      writers.push(new Writer(store, links, node));
    }
    const moved = async (): Promise<void> => {
      const froms = writers.map(({ rows, written }) => ({ rows: rows.length, written }));
      // The batch in progress counts as written.
      const hasMoved = ({ rows, written }: Writer, at: number): boolean =>
        rows.length > froms[at]!.rows + 20 && written > froms[at]!.written + 2;
      await until("rows come", () => writers.every(hasMoved));
    };
    await moved();
    await fault(writers, moved);
    await moved();
    await Promise.all(writers.map((writer) => writer.finish()));
    const count = await writers[0]!.store.lastNumber();
    const truth = await take(writers[0]!.store.follow(null), count);
    assert.deepEqual(numbersOf(truth), upTo(count));
    const ids = truth.map(({ id }) => id);
    assert.equal(new Set(ids).size, count, "each once");
    for (const { rows, node, written } of writers) {
      assert.deepEqual(rows, truth.slice(0, rows.length), "one order for all");
      const own = ids.filter((id) => id.startsWith(`${node}/`));
      assert.deepEqual(
        own,
        upTo(written).map((n) => batchOf(node, n).id),
        "all that was answered, in its order",
      );
    }
    t.diagnostic(`nothing came for ${writers.map(({ longestMs }) => Math.round(longestMs)).join(" and ")} ms`);
    return writers;
  }

  test("the leader is killed, and restarts", async (t) => {
    const writers = await during(t, async (_, moved) => {
      const leader = await etcd().leader();
      await leader.kill();
      // Without the leader.
      await moved();
      leader.start();
    });
    // A second or two on an idle machine.
    assert.ok(writers.every(({ longestMs }) => longestMs < 15_000));
  });

  test("the leader is suspended, and resumes", async (t) => {
    await during(t, async () => {
      const leader = await etcd().leader();
      leader.pause();
      await sleep(2_500);
      leader.resume();
    });
  });

  test("a node is disconnected from one member after the other, in both directions and in one", async (t) => {
    await during(t, async ([writer]) => {
      for (const link of writer!.links) {
        link.cut();
        await sleep(150);
        link.heal();
      }
      for (const direction of ["toMember", "toClient"] as const) {
        for (const link of writer!.links) link.silence(direction);
        await sleep(700);
        for (const link of writer!.links) link.heal();
        await sleep(300);
      }
    });
  });

  test("all members are killed at once, and restart", async (t) => {
    await during(t, async () => {
      await Promise.all(etcd().members.map((member) => member.kill()));
      await sleep(300);
      for (const member of etcd().members) member.start();
    });
  });
});
