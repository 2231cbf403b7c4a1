/** Members that ask who is there: certificates on both sides, and a login that expires. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test, type TestContext } from "node:test";
import { noEtcd, startEtcd } from "@pricetime/testkit/etcd";
import { inTheEnd, scratchFolder } from "@pricetime/testkit/scratch";
import { skipUnless } from "@pricetime/testkit/skip";
import { until } from "@pricetime/testkit/waiting";
import type { EtcdAccess } from "../../src/etcd/members.ts";
import { isSupported } from "../../src/etcd/member-states.ts";
import { batchOf, newPrefix, openStore, positionOf, take } from "./rig.ts";

const noOpenssl = skipUnless(spawnSync("openssl", ["version"]).status === 0, "there is no openssl here");

/** Makes an authority, and a certificate of it for each name. */
function certificates(folder: string, address: string): (name: string) => string {
  const openssl = (...args: string[]): void => void execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj"];
  openssl("req", "-x509", ...newKey, "/CN=ca", "-keyout", "ca.key", "-out", "ca.crt", "-days", "2");
  writeFileSync(join(folder, "san"), `subjectAltName=IP:${address}\nextendedKeyUsage=serverAuth,clientAuth\n`);
  for (const name of ["server", "node"]) {
    openssl("req", ...newKey, `/CN=${name}`, "-keyout", `${name}.key`, "-out", `${name}.csr`);
    const signed = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "san", "-days", "2"];
    openssl("x509", "-req", "-in", `${name}.csr`, ...signed, "-out", `${name}.crt`);
  }
  return (name) => readFileSync(join(folder, name), "utf8");
}

async function works(t: TestContext, access: EtcdAccess): Promise<void> {
  const store = await openStore(t, access.endpoints, newPrefix(), { access });
  const following = store.follow(null);
  await store.submit(batchOf("n1", 1));
  const [row] = await take(following, 1);
  await store.announce(positionOf("n1", row!.place));
  assert.ok((await store.lease("mail"))?.isHeld);
  assert.equal(await store.lastNumber(), 1);
}

suite("access to etcd", { skip: noEtcd }, () => {
  test("by certificates", { skip: noOpenssl }, async (t) => {
    const folder = scratchFolder(t);
    let url = "";
    let read: (name: string) => string = () => "";
    const etcd = await startEtcd({
      flags: (address) => {
        read = certificates(folder, address);
        url = `https://${address}:2381`;
        const files = ["--cert-file=server.crt", "--key-file=server.key", "--trusted-ca-file=ca.crt"];
        const paths = files.map((file) => file.replace("=", `=${folder}/`));
        return [`--listen-client-urls=http://${address}:2379,${url}`, "--client-cert-auth", ...paths];
      },
    });
    inTheEnd(t, () => etcd.stop());
    const client = { cert: read("node.crt"), key: read("node.key") };
    const access = { endpoints: [url], login: null };
    await works(t, { ...access, tls: { ca: read("ca.crt"), client } });
    const limits = { patienceMs: 300 };
    const open = (tls: EtcdAccess["tls"]) => openStore(t, [url], newPrefix(), { access: { ...access, tls }, limits });
    await assert.rejects(open({ ca: read("ca.crt"), client: null }));
    await assert.rejects(open({ ca: null, client }));
  });

  test("by user and password, also after members have forgotten who is logged in", async (t) => {
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
    const store = await openStore(t, etcd.endpoints, newPrefix(), { access, mirrors: 1, onWarning });
    const following = store.follow(null);
    await store.submit(batchOf("n1", 1));
    await take(following, 1);
    await member!.restart();
    const submitted = store.submit(batchOf("n1", 2));
    assert.equal((await take(following, 1))[0]?.id, batchOf("n1", 2).id);
    await submitted;
    const isOld = !isSupported((await fetch(`${member!.url}/version`).then((answer) => answer.text())).split('"')[3]!);
    if (isOld) await until("it says so", () => warnings.some((line) => line.includes("known faults")));
    const limits = { patienceMs: 300 };
    const wrong = { access: { ...access, login: { ...login, password: "other" } }, limits };
    await assert.rejects(openStore(t, etcd.endpoints, newPrefix(), wrong));
    await assert.rejects(
      openStore(t, etcd.endpoints, `elsewhere/${newPrefix()}`, { access, limits }),
      /permission denied/,
    );
  });
});
