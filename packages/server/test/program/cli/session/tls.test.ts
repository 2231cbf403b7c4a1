/** The command line with a node that serves TLS on both ports, and start errors of the TLS settings. */
import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { Authority, type Issued, noOpenssl } from "@pricetime/testkit/authority";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, failToStart, startExchange } from "@pricetime/testkit/venue";
import { doneIn, jsonIn, runIn, type Said } from "../command-line.ts";

suite("the command line over TLS", { skip: noOpenssl }, () => {
  const dataFolder = temporaryFolder();
  const folder = temporaryFolder();
  let authority: Authority;
  let issued: Issued;
  let exchange: Exchange;

  before(async () => {
    authority = new Authority(folder);
    // A typical public name, which does not resolve to loopback.
    issued = authority.issue("node", ["DNS:exchange.example.com"]);
    const tls = `{ certFile: ${issued.certFile}, keyFile: ${issued.keyFile} }`;
    writeFileSync(join(folder, "pricetime.yaml"), `bots: false\ntls: ${tls}\nadmin:\n  tls: ${tls}\n`);
    exchange = await startExchange({ dataFolder, args: ["--config", join(folder, "pricetime.yaml")] });
  });
  after(async () => {
    assert.equal(await exchange.stop(), 0);
    for (const each of [dataFolder, folder]) rmSync(each, { recursive: true });
  });

  const run = (line: string, environment: Record<string, string> = {}): Promise<Said> =>
    runIn(dataFolder, line, { environment });

  test("in its data folder it trusts the node's certificate, whatever its names", async () => {
    assert.match(exchange.admin, /^https:/);
    assert.match(await doneIn(dataFolder, "account list"), /alice/);
    assert.match(await doneIn(dataFolder, "order BTCUSDT buy 0.01 at 20000"), /^status +NEW$/m);
    assert.equal((await jsonIn<object[]>(dataFolder, "orders")).length, 1);
    const file = JSON.parse(readFileSync(join(dataFolder, "admin.json"), "utf8")) as { certificates: object };
    assert.deepEqual(file.certificates, { rest: issued.cert, admin: issued.cert });
  });

  test("otherwise it trusts the machine's certificate authorities or those in a file", async () => {
    const { admin, adminToken, rest } = exchange;
    const there = `--admin ${admin} --token ${adminToken}`;
    const stranger = await run(`account list ${there}`);
    assert.equal(stranger.code, 1);
    assert.match(
      stranger.err,
      /The certificate of https:.* is not trusted \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)\. Specify the CA file with --ca/,
    );
    assert.match(
      (await run(`account list ${there} --data ${dataFolder}`)).err,
      /not trusted/,
      "it may be another node",
    );
    assert.match((await run(`book BTCUSDT --rest ${rest}`)).err, /not trusted/);
    // The certificate has another name.
    const named = await run(`account list ${there} --ca ${authority.caFile}`);
    assert.match(named.err, /not trusted \(ERR_TLS_CERT_ALTNAME_INVALID\)/);
    assert.match(
      (await run(`account list ${there} --ca ${folder}/none`)).err,
      /The CA file .*none cannot be read \(ENOENT\)/,
    );
  });

  test("another node in its place does not get the token", async () => {
    const strange = temporaryFolder();
    const other = new Authority(strange);
    const file = JSON.parse(readFileSync(join(dataFolder, "admin.json"), "utf8")) as { certificates: object };
    const { cert } = other.issue("node", ["DNS:exchange.example.com"]);
    writeFileSync(join(strange, "admin.json"), JSON.stringify({ ...file, certificates: { admin: cert } }));
    const said = await runIn(strange, "account list");
    assert.match(said.err, /not trusted/);
    rmSync(strange, { recursive: true });
  });

  test("the admin port answers plain HTTP with an explanation, and signs in operators under a host name", async () => {
    const port = Number(new URL(exchange.admin).port);
    const clear = await fetch(`http://127.0.0.1:${port}/v1/accounts`);
    assert.equal(clear.status, 400);
    assert.deepEqual(await clear.json(), { error: "NOT_TLS", message: "This port requires TLS. Use https." });
    const ready = await new Promise<string>((resolve, reject) => {
      const options = {
        host: "127.0.0.1",
        port,
        path: "/readyz",
        ca: authority.ca,
        servername: "exchange.example.com",
      };
      request(options, (answer) => {
        let text = "";
        answer.on("data", (piece: Buffer) => (text += piece.toString())).on("end", () => resolve(text));
      })
        .on("error", reject)
        .end();
    });
    assert.match(ready, /"ready":true/);
  });

  test("a start without the files or with incomplete settings is reported in one line", async () => {
    const at = ["--data", join(folder, "data"), "--port", "0", "--admin-port", "0"];
    const fail = async (args: readonly string[], env: Record<string, string>, why: RegExp): Promise<void> => {
      const { code, stderr } = await failToStart([...at, ...args], env);
      assert.equal(code, 1);
      assert.match(stderr, why);
    };
    const { certFile, keyFile } = issued;
    await fail(["--tls-cert", certFile], {}, /^pricetime: settings: tls\.keyFile: .*\n$/);
    await fail(
      ["--tls-cert", `${folder}/no.crt`, "--tls-key", keyFile],
      {},
      /^pricetime: tls\.certFile: \S+ cannot be read \(ENOENT\)\n$/,
    );
    const env = { PRICETIME_ADMIN_TLS_CERT_FILE: certFile, PRICETIME_ADMIN_TLS_KEY_FILE: certFile };
    await fail([], env, /^pricetime: admin\.tls\.keyFile: \S+ has no private key in PEM format\n$/);
    const cluster = ["--cluster", "http://127.0.0.1:1", "--node", "n1"];
    const whole = { ...env, PRICETIME_ADMIN_TLS_KEY_FILE: keyFile };
    await fail(cluster, whole, /^pricetime: admin\.tls: other nodes .* Set cluster\.adminUrl .*\n$/);
  });
});
