/** Members with authentication: certificates on both sides, and a login that expires. */
import assert from "node:assert/strict";
import { suite, test, type TestContext } from "node:test";
import { Authority, noOpenssl } from "@pricetime/testkit/authority";
import { noEtcd, startEtcd } from "@pricetime/testkit/etcd";
import { inTheEnd, scratchFolder } from "@pricetime/testkit/scratch";
import { until } from "@pricetime/testkit/waiting";
import type { EtcdAccess } from "../../../src/cluster/etcd/members.ts";
import { isSupported } from "../../../src/cluster/etcd/upkeep.ts";
import { batchOf, newPrefix, openStore, positionOf, take } from "./rig.ts";

/** A busy member takes long to check a password, and to start. */
const PATIENT = { callMs: 10_000, refuseAfterMs: 60_000 };

async function works(t: TestContext, access: EtcdAccess): Promise<void> {
  const store = await openStore(t, access.endpoints, newPrefix(), { access, limits: PATIENT });
  const following = store.follow(null);
  await store.submit(batchOf("n1", 1));
  const [row] = await take(following, 1);
  await store.announce(positionOf("n1", row!.place));
  assert.ok((await store.lease("mail"))?.isHeld);
  assert.equal(await store.lastNumber(), 1);
}

suite("access to etcd", { skip: noEtcd }, () => {
  test("by certificates", { skip: noOpenssl }, async (t) => {
    const authority = new Authority(scratchFolder(t));
    const { ca } = authority;
    let url = "";
    const etcd = await startEtcd({
      flags: (address) => {
        const server = authority.issue("server", [`IP:${address}`]);
        url = `https://${address}:2381`;
        const paths = [
          `--cert-file=${server.certFile}`,
          `--key-file=${server.keyFile}`,
          `--trusted-ca-file=${authority.caFile}`,
        ];
        return [`--listen-client-urls=http://${address}:2379,${url}`, "--client-cert-auth", ...paths];
      },
    });
    inTheEnd(t, () => etcd.stop());
    const client = authority.issue("node");
    const access = { endpoints: [url], login: null };
    await works(t, { ...access, tls: { ca, client } });
    const limits = { patienceMs: 300 };
    const open = (tls: EtcdAccess["tls"]) => openStore(t, [url], newPrefix(), { access: { ...access, tls }, limits });
    await assert.rejects(open({ ca, client: null }));
    await assert.rejects(open({ ca: null, client }));
  });

  test("by user and password, also after members have lost the session", async (t) => {
    const etcd = await startEtcd();
    inTheEnd(t, () => etcd.stop());
    const [member] = etcd.members;
    const base64 = (text: string): string => Buffer.from(text).toString("base64");
    const permission = { permType: "READWRITE", key: base64("test/"), range_end: base64("test0") };
    await member!.ask("auth/role/add", { name: "root" });
    await member!.ask("auth/role/add", { name: "nodes" });
    await member!.ask("auth/role/grant", { name: "nodes", perm: permission });
    for (const [name, role] of [
      ["root", "root"],
      ["n1", "nodes"],
    ]) {
      await member!.ask("auth/user/add", { name, password: `${name} secret` });
      await member!.ask("auth/user/grant", { user: name, role });
    }
    await member!.ask("auth/enable", {});
    const login = { user: "n1", password: "n1 secret" };
    const access = { endpoints: etcd.endpoints, tls: null, login };
    await works(t, access);
    const warnings: string[] = [];
    const onWarning = (line: string): void => void warnings.push(line);
    const store = await openStore(t, etcd.endpoints, newPrefix(), {
      access,
      mirrors: 1,
      onWarning,
      limits: PATIENT,
    });
    const following = store.follow(null);
    await store.submit(batchOf("n1", 1));
    await take(following, 1);
    await member!.restart();
    const submitted = store.submit(batchOf("n1", 2));
    assert.equal((await take(following, 1))[0]?.id, batchOf("n1", 2).id);
    await submitted;
    const isOld = !isSupported((await fetch(`${member!.url}/version`).then((answer) => answer.text())).split('"')[3]!);
    if (isOld) await until("it says so", () => warnings.some((line) => line.includes("known faults")));
    // All members would reject it, so it fails at once.
    const wrong = { access: { ...access, login: { ...login, password: "other" } }, limits: PATIENT };
    await assert.rejects(openStore(t, etcd.endpoints, newPrefix(), wrong), /authentication failed/);
    await assert.rejects(
      openStore(t, etcd.endpoints, `elsewhere/${newPrefix()}`, { access, limits: PATIENT }),
      /permission denied/,
    );
  });
});
