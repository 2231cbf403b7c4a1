/** Who somebody is by address: what headers can claim, and which doors open where. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { test, type TestContext } from "node:test";
import { sign } from "@pricetime/testkit/client";
import { scratchFolder } from "@pricetime/testkit/scratch";
import type { Exchange } from "@pricetime/testkit/venue";
import { admin, clientOf, exchangeBytes, start, statuses } from "./rig.ts";

const FAR = "203.0.113.7";
const CLAIMS = {
  "X-Forwarded-For": FAR,
  "X-Real-IP": FAR,
  Forwarded: `for=${FAR}`,
  "X-Client-IP": FAR,
  "True-Client-IP": FAR,
};

async function keyOfFarAddress(exchange: Exchange): Promise<Record<"apiKey" | "secretKey", string>> {
  const made = await admin(exchange, "POST", "/v1/accounts/alice@demo.pricetime/keys", {
    ipAllowList: [FAR],
  });
  assert.equal(made.status, 201, made.text);
  return { apiKey: String(made.json["apiKey"]), secretKey: String(made.json["secretKey"]) };
}

/** The error code that a client gets who claims the address which the key allows; undefined: the claim is accepted. */
async function codeOfClaim(t: TestContext, exchange: Exchange): Promise<number | undefined> {
  const { apiKey, secretKey } = await keyOfFarAddress(exchange);
  const payload = `timestamp=${Date.now()}`;
  const answer = await clientOf(t, exchange).send<{ code?: number }>("GET", "/api/v3/account", {
    query: `${payload}&signature=${sign(secretKey, payload)}`,
    headers: { "X-MBX-APIKEY": apiKey, ...CLAIMS },
  });
  return answer.json.code;
}

test("another proxy is trusted, not the one that speaks", async (t) => {
  assert.equal(await codeOfClaim(t, await start(t, 'http: { trustedProxies: ["10.0.0.0/8"] }\n')), -2015);
});

test("a trusted proxy is believed", async (t) => {
  assert.equal(await codeOfClaim(t, await start(t, 'http: { trustedProxies: ["127.0.0.1"] }\n')), undefined);
});

test("a demo on all interfaces, without a proxy", async (t) => {
  const dataFolder = scratchFolder(t);
  const exchange = await start(t, "", { dataFolder, args: ["--host", "0.0.0.0"] });

  await t.test("claims of an address are ignored", async (t) => {
    assert.equal(await codeOfClaim(t, exchange), -2015);
  });

  await t.test("limits count the socket's address, whatever is claimed", async (t) => {
    const client = clientOf(t, exchange);
    const used: number[] = [];
    for (let i = 0; i < 5; i++) {
      const { headers } = await client.send("GET", "/api/v3/ping", {
        headers: { "X-Forwarded-For": `203.0.113.${i}` },
      });
      used.push(Number(headers["x-mbx-used-weight-1m"] ?? headers["x-mbx-used-weight"]));
    }
    assert.deepEqual(
      used,
      [1, 2, 3, 4, 5].map((more) => more + (used[0] ?? 0) - 1),
    );
  });

  await t.test("the admin API: loopback alone, by token in its header alone, for no browser's page", async () => {
    const { port } = new URL(exchange.admin);
    assert.equal(new URL(exchange.admin).hostname, "127.0.0.1");
    const others = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    for (const { address, internal, family } of others) {
      if (internal || family !== "IPv4") continue;
      assert.equal(await canConnect(address, Number(port)), false, `the admin API is open on ${address}`);
      assert.equal(await canConnect(address, Number(new URL(exchange.rest).port)), true, "and the others are not");
    }
    const token = exchange.adminToken;
    const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(exchange.admin + path, { headers });
    for (const path of [
      `/v1/accounts?token=${token}`,
      `/v1/accounts?authorization=${token}`,
      `/v1/accounts?access_token=${token}`,
    ]) {
      assert.equal((await get(path)).status, 401, "a token in an address stands in every log");
    }
    for (const authorization of [
      "",
      `Basic ${btoa(`admin:${token}`)}`,
      `Bearer ${token}x`,
      "Bearer ",
      `Bearer  ${token}`,
    ]) {
      assert.equal((await get("/v1/accounts", { authorization })).status, 401, authorization);
    }
    assert.equal((await get("/v1/accounts", { cookie: `token=${token}` })).status, 401);
    assert.equal((await get("/v1/accounts", { authorization: `Bearer ${token}` })).status, 200);

    const preflight = await fetch(`${exchange.admin}/v1/accounts`, {
      method: "OPTIONS",
      headers: { origin: "http://evil.example", "access-control-request-method": "POST" },
    });
    const page = await get("/readyz", { origin: "http://evil.example" });
    for (const { headers } of [preflight, page]) {
      for (const [name] of headers) assert.doesNotMatch(name, /^access-control-/, "a page could read the answer");
    }
    assert.notEqual(preflight.status, 204);
    for (const path of ["/v1/accounts", "/metrics", "/readyz", "/healthz"]) {
      assert.equal((await fetch(exchange.rest + path)).status, 404, "clients have no way to it");
    }
    const smuggled = await exchangeBytes(exchange.admin, [
      "POST /v1/accounts HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ]);
    assert.deepEqual(statuses(smuggled), [400]);
  });

  await t.test("the demo's keys, which everybody knows, are dead outside the demo", async (t) => {
    assert.equal((await clientOf(t, exchange).signed("GET", "/api/v3/account")).status, 200);
    await exchange.stop();
    const plain = await start(t, "bots: false\n", { dataFolder, args: ["--no-demo"] });
    for (const account of exchange.accounts) {
      const { status, json } = await clientOf(t, plain, account).signed<{ code: number }>("GET", "/api/v3/account");
      assert.deepEqual([status, json.code], [401, -2015], account.name);
    }
    assert.equal(exchange.accounts.length, 3);
  });
});

function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ host, port, timeout: 3_000 });
    const end = (can: boolean): void => {
      socket.destroy();
      done(can);
    };
    socket
      .on("connect", () => end(true))
      .on("error", () => end(false))
      .on("timeout", () => end(false));
  });
}
