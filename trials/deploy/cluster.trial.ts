/**
 * deploy/cluster, configured as its documentation describes and with its own certificates, on three machines, which are
 * network namespaces. Only addresses and paths are replaced.
 */
import assert from "node:assert/strict";
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { parseEnv } from "node:util";
import { parse } from "yaml";
import { type Credentials, encodeSigned, type Parameters } from "@pricetime/testkit/client";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { ROOT } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { type Machines, noMachines, threeMachines } from "./three-machines.ts";
import { lacks, run } from "./tools.ts";

const DEPLOY = join(ROOT, "deploy/cluster");
const PRICETIME = join(ROOT, "packages/server/bin/pricetime.js");
const LISTING = `
assets:
  - { asset: EUR, name: Euro }
  - { asset: BTC, name: Bitcoin }
symbols:
  - symbol: BTCEUR
    baseAsset: BTC
    quoteAsset: EUR
    filters:
      priceFilter: { minPrice: "0.01", maxPrice: "10000000", tickSize: "0.01" }
      lotSize: { minQty: "0.00001", maxQty: "1000", stepSize: "0.00001" }
`;
const ORDER = { symbol: "BTCEUR", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01", price: "20000" };
const PATIENCE = { withinMs: 120_000, everyMs: 100 };
/** The timeout of a request that is repeated: the next one may reach a machine that is running. */
const REPEATED_MS = 2000;
const ONCE_MS = 10_000;

interface Answer {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
}

interface AskOptions {
  readonly parameters?: Parameters;
  readonly port?: number;
  readonly withinMs?: number;
}

suite("three machines", { skip: lacks("etcd", "haproxy", "ip", "openssl") || noMachines() }, () => {
  const home = temporaryFolder();
  let machines: Machines;
  let alice: Credentials;

  const machine = (number: number): Machines["all"][number] => machines.all[number - 1] ?? assert.fail();
  const folder = (number: number): string => join(home, `machines/${number}`);
  const environment = (number: number, ...files: readonly string[]): NodeJS.ProcessEnv => {
    const texts = files.map((name) => readFileSync(join(folder(number), name), "utf8"));
    return parseEnv(texts.join("\n").replaceAll("/etc/pricetime", folder(number)));
  };
  const data = (number: number): string => join(home, `data-${number}`);

  const start = {
    etcd: (number: number): void => {
      const words = ["etcd", "--data-dir", join(home, `etcd-${number}`)];
      machine(number).start("etcd", words, environment(number, "etcd.env", "member.env"));
    },
    node: (number: number): void => {
      const config = join(folder(number), "pricetime.yaml");
      const words = [process.execPath, PRICETIME, "serve", "--no-demo", "--config", config, "--data", data(number)];
      machine(number).start("node", words, environment(number, "environment"));
    },
    proxy: (number: number): void => {
      const words = ["haproxy", "-db", "-f", join(folder(number), "haproxy.cfg")];
      machine(number).start("proxy", words, environment(number, "haproxy.env"));
    },
  };

  before(() => {
    machines = threeMachines(home);
    const addresses = machines.all.map(({ address }) => address);
    run("sh", [join(DEPLOY, "configure.sh"), ...addresses], { cwd: home });
    const exchange = join(home, "exchange.pem");
    copyFileSync(join(folder(1), "tls/haproxy.pem"), exchange);
    for (const number of [1, 2, 3]) {
      const config = readFileSync(join(DEPLOY, "haproxy.cfg"), "utf8");
      const here = config
        .replaceAll("/etc/haproxy/exchange.pem", exchange)
        .replaceAll("/etc/pricetime", folder(number));
      writeFileSync(join(folder(number), "haproxy.cfg"), here);
      appendFileSync(join(folder(number), "pricetime.yaml"), LISTING);
      mkdirSync(data(number), { mode: 0o700 });
    }
  });
  after(async () => {
    await machines?.remove();
    rmSync(home, { recursive: true, force: true, maxRetries: 10 });
  });

  /** Sends a request through the proxy of that machine. Rejects if there is no response in time. */
  function ask(
    number: number,
    method: string,
    path: string,
    { parameters, port = 443, withinMs = ONCE_MS }: AskOptions = {},
  ): Promise<Answer> {
    const signed = parameters && encodeSigned({ ...parameters, timestamp: Date.now() }, alice.secretKey);
    const headers = parameters && { "X-MBX-APIKEY": alice.apiKey };
    const url = `https://${machine(number).address}:${port}${path}${signed === undefined ? "" : `?${signed}`}`;
    return new Promise((resolve, reject) => {
      // A new connection for each request, as from different clients.
      const options = {
        method,
        rejectUnauthorized: false,
        agent: false,
        timeout: withinMs,
        ...(headers && { headers }),
      };
      const asked = request(url, options, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, json: parsed(text) }));
        response.on("error", reject);
      });
      asked.on("timeout", () => asked.destroy(new Error("no answer in time")));
      asked.on("error", reject);
      asked.end();
    });
  }

  const pings = async (number: number): Promise<boolean> => {
    const asked = ask(number, "GET", "/api/v3/ping", { withinMs: REPEATED_MS });
    return asked.then(
      ({ status }) => status === 200,
      () => false,
    );
  };

  const operate = (number: number, ...words: readonly string[]): string =>
    machine(number).run(process.execPath, [PRICETIME, ...words, "--data", data(number), "--json"]);

  /** Places orders through that machine's proxy until one is accepted. Returns the time until then. */
  async function gapMs(number: number): Promise<number> {
    const began = performance.now();
    const options = { parameters: ORDER, withinMs: REPEATED_MS };
    const takes = async (): Promise<boolean> => (await ask(number, "POST", "/api/v3/order", options)).status === 200;
    await until("an order is accepted", () => takes().catch(() => false), PATIENCE);
    return performance.now() - began;
  }

  test("members, nodes and proxies start with the files that configure.sh writes", async () => {
    for (const number of [1, 2, 3]) start.etcd(number);
    for (const number of [1, 2, 3]) start.proxy(number);
    start.node(1);
    await until(
      () => `node 1: ${readFileSync(machine(1).log("node"), "utf8")}`,
      () => pings(1),
      PATIENCE,
    );
    for (const number of [2, 3]) start.node(number);
    for (const number of [2, 3]) await until(`machine ${number}`, () => pings(number), PATIENCE);
    for (const number of [2, 3])
      await until(
        `node ${number}`,
        () => /"msg":"serving"/.test(readFileSync(machine(number).log("node"), "utf8")),
        PATIENCE,
      );
  });

  test("an account that is opened on one node can trade on every node", async () => {
    operate(2, "account", "open", "--email", "alice@example.com", "--name", "Alice");
    const { apiKey, secretKey } = JSON.parse(operate(2, "key", "create", "alice@example.com")) as Credentials;
    alice = { apiKey, secretKey };
    operate(3, "deposit", "alice@example.com", "EUR", "1000000", "--reference", "gift");
    const { json, status } = await ask(1, "POST", "/api/v3/order", { parameters: ORDER });
    assert.equal(status, 200, JSON.stringify(json));
    const { orderId } = json as { readonly orderId: number };
    for (let times = 0; times < 3; times++) {
      const found = await ask(3, "GET", "/api/v3/order", { parameters: { symbol: "BTCEUR", orderId } });
      assert.equal(found.json["status"], "NEW");
    }
  });

  test("the admin port serves only probes and the journal to the other machines", async () => {
    const from = (number: number, path: string): number => {
      const url = `https://${machine(1).address}:8481${path}`;
      const script = `fetch(${JSON.stringify(url)}).then((answer) => console.log(answer.status), (error) => console.log(error.cause?.code))`;
      const ca = join(folder(number), "tls/ca.pem");
      return Number(machine(number).run("env", [`NODE_EXTRA_CA_CERTS=${ca}`, process.execPath, "-e", script]));
    };
    assert.deepEqual(
      ["/readyz", "/healthz", "/v1/journal/rows?after=0", "/v1/accounts", "/metrics"].map((path) => from(2, path)),
      [200, 200, 401, 403, 403],
    );
    assert.equal(
      (await ask(1, "GET", "/readyz", { port: 8481 })).status,
      403,
      "a client that is no machine of the cluster",
    );
  });

  test("orders are accepted again after a machine, a network or a node has failed", async (t) => {
    await machine(1).end("node", "SIGKILL");
    t.diagnostic(`a node killed: ${Math.round(await gapMs(1))} ms`);
    start.node(1);
    await until("it is ready", () => readyz(1), PATIENCE);
    await machine(1).kill();
    t.diagnostic(`all programs of a machine killed: ${Math.round(await gapMs(2))} ms`);
    start.etcd(1);
    start.proxy(1);
    start.node(1);
    await until("it is ready", () => readyz(1), PATIENCE);
    machine(2).setNetwork(false);
    t.diagnostic(`the network of a machine down: ${Math.round(await gapMs(3))} ms`);
    machine(2).setNetwork(true);
    await until("it is ready", () => readyz(2), PATIENCE);
  });

  test("a node with an empty folder fetches the journal from another machine", async () => {
    await machine(3).end("node", "SIGKILL");
    rmSync(data(3), { recursive: true });
    mkdirSync(data(3), { mode: 0o700 });
    await sleep(PATIENCE.everyMs);
    start.node(3);
    await until(
      () => `it is ready: ${readFileSync(machine(3).log("node"), "utf8").slice(-2000)}`,
      () => readyz(3),
      PATIENCE,
    );
    const { json } = await ask(3, "GET", "/api/v3/openOrders", { parameters: { symbol: "BTCEUR" } });
    const { length } = json as unknown as readonly unknown[];
    assert.ok(length >= 4, `${length} orders`);
  });

  async function readyz(number: number): Promise<boolean> {
    const script =
      'fetch("http://127.0.0.1:8081/readyz").then(({ status }) => console.log(status), () => console.log(0))';
    return machine(number).run(process.execPath, ["-e", script]).trim() === "200";
  }
});

function parsed(text: string): Answer["json"] {
  try {
    return JSON.parse(text) as Answer["json"];
  } catch {
    return {};
  }
}

test("systemd accepts the units without a warning", { skip: lacks("systemd-analyze") }, (t) => {
  const home = temporaryFolder();
  t.after(() => rmSync(home, { recursive: true }));
  const here = (path: string, name: string): void => {
    const text = readFileSync(join(ROOT, "deploy", path), "utf8");
    const program = text.replaceAll("/usr/bin/node", process.execPath).replaceAll("/usr/bin/etcd", process.execPath);
    mkdirSync(join(home, name, ".."), { recursive: true });
    writeFileSync(join(home, name), program);
  };
  here("systemd/pricetime.service", "pricetime.service");
  here("cluster/pricetime.service.d/cluster.conf", "pricetime.service.d/cluster.conf");
  here("cluster/pricetime-etcd.service", "pricetime-etcd.service");
  for (const unit of ["pricetime.service", "pricetime-etcd.service"])
    assert.equal(run("systemd-analyze", ["verify", "--man=no", join(home, unit)]), "", unit);
});

test("the compose file has three services, which use the files that configure.sh writes", () => {
  const { services } = parse(readFileSync(join(DEPLOY, "compose.yaml"), "utf8")) as {
    services: Record<string, { env_file: string[]; volumes: string[]; network_mode: string }>;
  };
  assert.deepEqual(Object.keys(services), ["etcd", "node", "proxy"]);
  const script = readFileSync(join(DEPLOY, "configure.sh"), "utf8");
  for (const { env_file, volumes, network_mode } of Object.values(services)) {
    assert.equal(network_mode, "host");
    assert.ok(volumes.includes("./machine:/etc/pricetime:ro"));
    for (const file of env_file) assert.ok(script.includes(`$number/${file.replace("./machine/", "")}"`), file);
  }
});
