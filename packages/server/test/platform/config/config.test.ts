import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { ORDER_TYPES } from "@pricetime/engine";
import { parse } from "yaml";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Config, type ConfigSources, loadConfig } from "../../../src/platform/config/config.ts";
import { ConfigError } from "../../../src/platform/config/faults.ts";
import { readFlags } from "../../../src/platform/config/flags.ts";
import { symbolSchema } from "../../../src/platform/config/listing-schema.ts";
import { OLD_SETTINGS } from "../../../src/platform/config/config-file.ts";
import { fileSchema } from "../../../src/platform/config/schema.ts";

const folder = temporaryFolder();
after(() => rmSync(folder, { recursive: true }));

/** Loads with a file of this text. */
function load(yaml: string, sources: ConfigSources = {}): Config {
  writeFileSync(join(folder, "c.yaml"), yaml);
  return loadConfig({ ...sources, flags: { config: "c.yaml", ...sources.flags }, folder });
}

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    assert.doesNotMatch(error.message, /\n/);
    return error.message;
  }
  assert.fail("it was taken");
}

test("without settings the documented defaults apply", () => {
  const config = loadConfig({ folder });
  assert.equal(config.port, 8080);
  assert.equal(config.adminPort, 8081);
  assert.equal(config.host, "127.0.0.1");
  assert.equal(config.dataFolder, join(folder, "data"));
  assert.deepEqual([config.demo, config.bots, config.limits.enabled], [true, true, true]);
  const orders = config.limits.rules.filter((rule) => rule.rateLimitType === "ORDERS");
  assert.deepEqual(
    orders.map((rule) => [rule.interval, rule.limit]),
    [
      ["SECOND", 10],
      ["DAY", 100_000],
    ],
  );
  assert.equal(config.adminToken, null);
});

test("flags override the environment, which overrides the file", () => {
  const yaml = "port: 1\nadminPort: 1\nseed: 1\nlimits: { maxTrackedIps: 2048 }";
  const environment = { PRICETIME_PORT: "2", PRICETIME_ADMIN_PORT: "2", PRICETIME_LIMITS: "off", OTHER: "x" };
  const config = load(yaml, { environment, flags: { port: 3 } });
  assert.deepEqual([config.port, config.adminPort, config.seed], [3, 2, 1]);
  assert.equal(config.limits.enabled, false);
  assert.equal(config.limits.maxTrackedIps, 2048);
});

test("the environment may name the file", () => {
  writeFileSync(join(folder, "env.yaml"), "seed: 77");
  assert.equal(loadConfig({ environment: { PRICETIME_CONFIG: "env.yaml" }, folder }).seed, 77);
});

test("every flag of the command line is read", () => {
  const argv =
    "--port 0 --admin-port 1 --host ::1 --data d --config f --no-demo --bots off --seed 9 --limits off --node n1 --cluster http://h:1,http://i:2".split(
      " ",
    );
  const cluster = ["http://h:1", "http://i:2"];
  const wanted = { node: "n1", cluster, port: 0, adminPort: 1, host: "::1", data: "d", config: "f", demo: false };
  assert.deepEqual(readFlags(argv), { ...wanted, bots: "off", seed: 9, limits: "off" });
  assert.deepEqual(readFlags([]), {});
  assert.deepEqual(readFlags(["--demo"]), { demo: true });
});

test("an unknown flag and an invalid value are rejected in one line", () => {
  assert.match(
    refusal(() => readFlags(["--prot", "1"])),
    /unknown option '--prot'/,
  );
  assert.match(
    refusal(() => readFlags(["--port", "x"])),
    /--port.*whole number/,
  );
  assert.match(
    refusal(() => readFlags(["--port", "-1"])),
    /--port/,
  );
  assert.match(
    refusal(() => readFlags(["--bots", "yes"])),
    /--bots.*on, off/,
  );
  assert.match(
    refusal(() => readFlags(["serve"])),
    /too many arguments/,
  );
  assert.match(
    refusal(() => readFlags(["--seed"])),
    /--seed.*missing/,
  );
});

const REFUSED: readonly (readonly [yaml: string, message: RegExp])[] = [
  ["prot: 1", /^c\.yaml:1: unknown key prot; did you mean port\?$/],
  ["port: 1\nlimits:\n  ordres: []", /^c\.yaml:3: unknown key limits\.ordres$/],
  ["port: 1\nclock:\n  maxLeap: 5", /^c\.yaml:3: unknown key clock\.maxLeap; did you mean maxLeapMs\?$/],
  [
    "wallet:\n  networks:\n    - kind: sandbox\n      network: A\n      blockM: 1",
    /^c\.yaml:5: .*; did you mean blockMs\?$/,
  ],
  ["limits: { ordres: [] }", /unknown key limits\.ordres$/],
  [
    "symbols: [{ symbol: A, baseAsset: A, quoteAsset: B, filters: { lotsize: 1 } }]",
    /symbols\[0\]\.filters\.lotsize; did you mean lotSize\?$/,
  ],
  ["port: 70000", /^c\.yaml:1: port: must be at most 65535, not 70000$/],
  ["port: '8080'", /port: must be a number, not "8080"$/],
  ["limits: 5", /limits: must be keys and values, not 5$/],
  ["assets: [{ asset: btc, name: B }]", /assets\[0\]\.asset: 1 to 20 of A-Z/],
  ["assets: [{ asset: B, name: B, precision: 9 }]", /assets\[0\]\.precision/],
  [
    "symbols: [{ symbol: A, baseAsset: A, quoteAsset: B, status: OPEN }]",
    /^c\.yaml:1: symbols\[0\]\.status: one of PRE_TRADING, TRADING, [A-Z_, ]+, not "OPEN"$/,
  ],
  ["- a", /the file must have keys and values/],
  ["port: 1\na: [", /^c\.yaml:2: /],
  ["port: 1\nport: 2", /unique/],
  ["port: *nowhere", /^c\.yaml: Unresolved alias/],
  [
    `a: &a [1]\n${[..."bcdefgh"].map((name, i) => `${name}: &${name} [${`*${"abcdefg"[i]},`.repeat(9)}]`).join("\n")}`,
    /alias/,
  ],
  ["demo: false\nbots: true", /^bots: /],
  ["masterKey: short", /^masterKey: must be 64 hex digits/],
  ["admin: { token: 'short' }", /^admin\.token: must be 16/],
  ["masterKeyFile: nowhere", /masterKeyFile: nowhere cannot be read \(ENOENT\)/],
];

test("errors in the file have a path", () => {
  for (const [yaml, message] of REFUSED)
    assert.match(
      refusal(() => load(yaml)),
      message,
      yaml,
    );
  assert.match(
    refusal(() => loadConfig({ flags: { config: "no.yaml" }, folder })),
    /^no\.yaml: cannot be read/,
  );
});

test("errors in the environment have the variable's name", () => {
  const refused = (name: string, value: string): string =>
    refusal(() => loadConfig({ environment: { [name]: value }, folder }));
  assert.match(refused("PRICETIME_PORT", "1e3"), /PRICETIME_PORT must be a whole number/);
  assert.match(refused("PRICETIME_PORT", "tcp://10.0.0.1"), /PRICETIME_PORT must be a whole number/);
  assert.match(refused("PRICETIME_DEMO", "maybe"), /PRICETIME_DEMO must be on or off/);
});

test("unknown variables and addresses of a Kubernetes Service are ignored with a warning", () => {
  const warningsOf = (environment: Readonly<Record<string, string>>): readonly string[] => {
    const config = loadConfig({ environment, folder });
    assert.deepEqual({ ...config, warnings: [] }, loadConfig({ folder }));
    return config.warnings;
  };
  assert.deepEqual(warningsOf({ PRICETIME_PROT: "1" }), [
    "environment: ignored the unknown variable PRICETIME_PROT; did you mean PRICETIME_PORT?",
  ]);
  // Beside Services named pricetime and pricetime-admin; https://kubernetes.io/docs/concepts/services-networking/service
  const service = {
    PRICETIME_SERVICE_HOST: "10.0.0.11",
    PRICETIME_SERVICE_PORT: "8080",
    PRICETIME_PORT: "tcp://10.0.0.11:8080",
    PRICETIME_PORT_8080_TCP: "tcp://10.0.0.11:8080",
    PRICETIME_PORT_8080_TCP_ADDR: "10.0.0.11",
    PRICETIME_ADMIN_PORT: "udp://[fd00::1]:8081",
    PRICETIME_CONFIG: "tcp://10.0.0.12:80",
    PRICETIME_ADMIN: "tcp://10.0.0.12:80",
  };
  const warnings = warningsOf(service);
  assert.deepEqual(warnings.length, Object.keys(service).length);
  for (const [at, name] of Object.keys(service).entries())
    assert.ok(
      warnings[at]?.startsWith(
        `environment: ignored ${name.startsWith("PRICETIME_SERVICE") || name.includes("_8080_") ? "the unknown variable " : ""}${name}`,
      ),
      name,
    );
});

test("no message shows a secret", () => {
  const text = refusal(() => load(`masterKey: 12345`)) + refusal(() => load("admin: { token: 424242 }"));
  assert.doesNotMatch(text, /12345|424242/);
});

test("by default bots run in the demo only", () => {
  assert.equal(load("demo: false").bots, false);
  assert.equal(load("bots: false").bots, false);
  assert.equal(load("bots: false", { flags: { bots: "on" } }).bots, true);
});

test("a secret may be in a file of its own, but not in two places", () => {
  const key = "0123456789abcdef".repeat(4);
  writeFileSync(join(folder, "key"), `${key}\n`);
  assert.equal(load("masterKeyFile: key").masterKey, key);
  assert.match(
    refusal(() => load(`masterKey: "${key}"\nmasterKeyFile: key`)),
    /set either the value or the file, not both/,
  );
});

test("the configuration is deeply frozen", () => {
  const config = loadConfig({ folder });
  assert.throws(() => Object.assign(config, { port: 1 }), TypeError);
  assert.throws(() => (config.limits.rules as unknown[]).push(1), TypeError);
});

const XPUB = `xpub${"A".repeat(107)}`;
const ADDRESS = `0x${"ab".repeat(20)}`;
const EVM = `{ kind: evm, network: ETH, rpcUrl: "http://h:1/key", chainId: 1, nativeAsset: ETH, xpub: ${XPUB}, hotWallet: "${ADDRESS}", signerSocket: s }`;

test("networks of every kind are read, with their defaults", () => {
  const yaml = `wallet: { networks: [{ kind: sandbox, network: BTC }, { kind: manual, network: BANK }, ${EVM}] }`;
  const [sandbox, manual, evm] = load(yaml).wallet.networks;
  assert.deepEqual(sandbox, { kind: "sandbox", network: "BTC", blockMs: 1000, maxPendingPayments: 8 });
  assert.deepEqual(manual, { kind: "manual", network: "BANK", addresses: [], sharedAddress: "" });
  assert.ok(evm?.kind === "evm");
  assert.deepEqual([evm.tokens, evm.pollMs, evm.timeoutMs, evm.maxFeeGwei], [[], 5000, 10_000, 500]);
  assert.deepEqual([evm.maxPendingPayments, evm.raiseFeeAfterMs, evm.raiseFeeUpToGwei], [8, 180_000, undefined]);
  assert.deepEqual(loadConfig({ folder }).wallet.networks, []);
});

test("email is not sent unless a server is configured; its password may be in a file", () => {
  assert.equal(loadConfig({ folder }).email.smtp, null);
  writeFileSync(join(folder, "password"), "secret\n");
  const { smtp, from } = load("email: { from: a@b.cd, smtp: { host: h, user: u, passwordFile: password } }").email;
  const login = { user: "u", password: "secret" };
  assert.deepEqual([from, smtp], ["a@b.cd", { host: "h", port: 587, tls: false, requireTls: true, login }]);
  assert.equal(load("email: { smtp: { host: h } }").email.smtp?.login, null);
});

test("links start with the public URL", () => {
  assert.equal(loadConfig({ folder }).publicUrl, null);
  assert.equal(load("publicUrl: https://exchange.example/x//").publicUrl, "https://exchange.example/x");
  const environment = { PRICETIME_PUBLIC_URL: "http://h:1" };
  assert.equal(load("publicUrl: https://exchange.example", { environment }).publicUrl, "http://h:1");
});

test("errors in network and email settings have a path", () => {
  for (const [yaml, message] of [
    [
      "wallet: { networks: [{ kind: lightning, network: A }] }",
      /wallet\.networks\[0\]\.kind: one of sandbox, manual, evm, not "lightning"$/,
    ],
    ["wallet: { networks: [{ kind: sandbox }] }", /wallet\.networks\[0\]\.network/],
    ["wallet: { networks: [{ kind: manual, network: A, blockMs: 1 }] }", /unknown key wallet\.networks\[0\]\.blockMs/],
    [`wallet: { networks: [${EVM}, ${EVM}] }`, /wallet\.networks\[1\]\.network: the network ETH is listed twice$/],
    [`wallet: { networks: [${EVM.replace("xpub", "xprv")}] }`, /unknown key|xpub/],
    [`wallet: { networks: [${EVM.replace(XPUB, "xpriv")}] }`, /networks\[0\]\.xpub: an extended public key/],
    [`wallet: { networks: [${EVM.replace("http:", "ftp:")}] }`, /networks\[0\]\.rpcUrl/],
    ["email: { from: nobody }", /email\.from/],
    ["email: { smtp: { host: h, user: u } }", /^email\.smtp: user and password must be set together/],
    ["email: { smtp: { host: h, password: p } }", /^email\.smtp: user and password must be set together/],
    [
      "email: { smtp: { host: h, user: u, password: p, passwordFile: password } }",
      /set either the value or the file, not both/,
    ],
    ["publicUrl: exchange.example", /publicUrl/],
    ["tradingRules: { ufr: { trigger: 2, orders: 1 } }", /tradingRules\.ufr\.trigger/],
    ["assets: [{ asset: A, name: A, networks: [{ network: N, finalConfirmations: 0 }] }]", /finalConfirmations/],
  ] as const) {
    assert.match(
      refusal(() => load(yaml)),
      message,
      yaml,
    );
  }
  const told = refusal(() => load(`wallet: { networks: [${EVM.replace("http:", "ftp:")}] }`));
  const password = refusal(() => load("email: { smtp: { host: h, user: u, password: 424242 } }"));
  assert.doesNotMatch(told + password, /key\b.*ftp|ftp:|424242/);
});

const CLUSTER = "node: n1\ncluster: { endpoints: ['http://h:2379']";

test("a node is one of several if etcd is configured by file, variable or flag", () => {
  assert.equal(loadConfig({ folder }).cluster, null);
  const { node, cluster } = load(`${CLUSTER} }`);
  assert.deepEqual([node, cluster?.endpoints, cluster?.prefix], ["n1", ["http://h:2379"], "pt"]);
  assert.deepEqual([cluster?.tls, cluster?.login, cluster?.token, cluster?.adminUrl], [null, null, null, null]);
  assert.deepEqual([cluster?.reads, cluster?.mirrors, cluster?.limitShare], ["linearizable", 2, 1]);
  const environment = {
    PRICETIME_NODE: "n2",
    PRICETIME_CLUSTER: "http://i:1, http://j:1",
    PRICETIME_CLUSTER_LIMIT_SHARE: "0.5",
  };
  const told = loadConfig({ environment, folder });
  assert.deepEqual([told.node, told.cluster?.endpoints], ["n2", ["http://i:1", "http://j:1"]]);
  assert.equal(told.cluster?.limitShare, 0.5);
  const flags = { node: "n3", cluster: ["http://k:1"] };
  assert.deepEqual(loadConfig({ environment, flags, folder }).cluster?.endpoints, ["http://k:1"]);
  assert.equal(
    load(`${CLUSTER}, maxTailBytes: 1048576 }`, { flags: { cluster: ["http://k:1"] } }).cluster?.maxTailBytes,
    1_048_576,
  );
});

test("a node of a cluster has its share of address limits and the whole account limits", () => {
  const { limits, http, streams } = load(`${CLUSTER}, limitShare: 0.3 }`);
  assert.deepEqual(
    limits.rules.map(({ limit }) => limit),
    [360, 10, 100_000, 1500],
  );
  assert.deepEqual([http.maxConnectionsPerIp, streams.maxConnectionsPerIp], [600, 300]);
  assert.equal(load(`${CLUSTER}, limitShare: 0.0001 }`).http.maxConnectionsPerIp, 1);
});

test("certificates and the login of a cluster are read from their files", () => {
  for (const name of ["ca", "cert", "key"]) writeFileSync(join(folder, `${name}.pem`), `${name} as PEM`);
  writeFileSync(join(folder, "password"), "secret\n");
  const secure = CLUSTER.replace("http:", "https:");
  const files = "caFile: ca.pem, certFile: cert.pem, keyFile: key.pem";
  const { cluster } = load(`${secure}, ${files}, user: u, passwordFile: password, adminUrl: 'https://n1.lan/' }`);
  const client = { cert: "cert as PEM", key: "key as PEM" };
  assert.deepEqual(cluster?.tls, { ca: "ca as PEM", client });
  assert.deepEqual(cluster?.login, { user: "u", password: "secret" });
  assert.equal(cluster?.adminUrl, "https://n1.lan");
  assert.deepEqual(load(`${secure} }`).cluster?.tls, { ca: null, client: null });
});

test("contradictory cluster settings are rejected", () => {
  const secure = CLUSTER.replace("http:", "https:");
  for (const [yaml, message] of [
    ["cluster: { endpoints: ['http://h:1'] }", /^node: a cluster node needs a unique name/],
    ["node: n1\ncluster: {}", /cluster\.endpoints/],
    ["node: n1\ncluster: { endpoints: ['h:2379'] }", /cluster\.endpoints\[0\]/],
    [`${CLUSTER.replace("]", ", 'https://i:1']")} }`, /^cluster\.endpoints: use http or https for all endpoints/],
    [`${CLUSTER}, caFile: ca.pem }`, /^cluster: certificates are set, but the endpoints use http/],
    [`${secure}, certFile: cert.pem }`, /^cluster: certFile and keyFile must be set together/],
    [`${secure}, caFile: none.pem }`, /^cluster\.caFile: none\.pem cannot be read \(ENOENT\)/],
    [`${CLUSTER}, user: u }`, /^cluster: user and password must be set together/],
    [`${CLUSTER}, password: p }`, /^cluster: user and password must be set together/],
    [`${CLUSTER}, token: short }`, /^cluster\.token: must be 16/],
    [`${CLUSTER}, limitShare: 0 }`, /cluster\.limitShare/],
    [`${CLUSTER}, reads: stale }`, /cluster\.reads: one of linearizable, local/],
    [`${CLUSTER}, prefix: a/b }`, /cluster\.prefix: 1 to 64 letters/],
  ] as const) {
    assert.match(
      refusal(() => load(yaml)),
      message,
      yaml,
    );
  }
  const told =
    refusal(() => load(`${CLUSTER}, token: 424242 }`)) + refusal(() => load(`${CLUSTER}, password: 717171 }`));
  assert.doesNotMatch(told, /424242|717171/);
  assert.match(
    refusal(() => loadConfig({ environment: { PRICETIME_CLUSTER_LIMIT_SHARE: "half" }, folder })),
    /PRICETIME_CLUSTER_LIMIT_SHARE must be a number/,
  );
});

const EXAMPLE = resolve(import.meta.dirname, "../../../../../docs/operate/config.example.yaml");

test("the example can be loaded, shows every key, and shows the defaults", () => {
  const config = loadConfig({ flags: { config: EXAMPLE }, folder });
  assert.equal(config.symbols[0]?.filters.lotSize?.stepSize, "0.000001");
  assert.equal(loadConfig({ flags: { config: EXAMPLE, demo: false }, folder }).bots, false);
  const { orderTypes, icebergAllowed, ocoAllowed } = config.symbols[0] ?? {};
  const plain = symbolSchema.parse({ symbol: "A", baseAsset: "A", quoteAsset: "B" });
  assert.deepEqual(orderTypes, ORDER_TYPES);
  assert.deepEqual(
    [plain.orderTypes, plain.icebergAllowed, plain.ocoAllowed],
    [orderTypes, icebergAllowed, ocoAllowed],
  );
  assert.deepEqual([icebergAllowed, ocoAllowed], [true, true]);
  const text = readFileSync(EXAMPLE, "utf8");
  const shown = parse(text) as Record<string, unknown>;
  const defaults = fileSchema.parse({});
  for (const key of Object.keys(fileSchema.shape)) assert.match(text, new RegExp(`^#? ?${key}:`, "m"), key);
  for (const [key, value] of Object.entries(defaults)) {
    if (key !== "assets" && key !== "symbols") assert.deepEqual(shown[key], value, key);
  }
});

/** A file with each deprecated setting, and the same file with its current name. */
const OLD_FILES: Readonly<Record<string, string>> = {
  mail: "mail: { from: a@b.cd }",
  "http.maxUnreadBytesPerIp": "http:\n  maxBodyBytes: 2048\n  maxUnreadBytesPerIp: 2097152",
  "streams.maxUnreadBytesPerIp": "streams: { maxUnreadBytesPerIp: 2097152 }",
  "assets[].networks[].confirmsByMail":
    "assets:\n  - { asset: A, name: A, networks: [{ network: N }, { network: M, confirmsByMail: true }] }\n" +
    "  - { asset: B, name: B, networks: [{ network: N, confirmsByMail: false }] }",
  "wallet.networks[].paymentsUnderWay":
    "wallet: { networks: [{ kind: sandbox, network: M }, { kind: sandbox, network: N, paymentsUnderWay: 3 }] }",
};

test("every setting of 0.2.0 works under its old name, with one warning", () => {
  assert.deepEqual(Object.keys(OLD_FILES).toSorted(), OLD_SETTINGS.map(([old]) => old).toSorted());
  for (const [old, current] of OLD_SETTINGS) {
    const yaml = `node: n1\n${OLD_FILES[old]}\n`;
    const [oldKey = "", key = ""] = [old, current].map((path) => path.split(".").at(-1));
    const { warnings, ...config } = load(yaml);
    const { warnings: none, ...expected } = load(yaml.replaceAll(oldKey, key));
    assert.deepEqual(config, expected, old);
    assert.deepEqual(none, []);
    const line = yaml.split("\n").findIndex((text) => text.includes(oldKey)) + 1;
    const warning = `c.yaml:${line}: '${old}' is now '${current}'. The old name will be removed in the next release.`;
    assert.deepEqual(warnings, [warning]);
  }
  assert.equal(
    load(OLD_FILES["assets[].networks[].confirmsByMail"] ?? "").assets[0]?.networks[1]?.confirmsByMail,
    true,
  );
});

test("a setting under both names is an error, and errors under an old name have their line", () => {
  for (const [old, current] of OLD_SETTINGS) {
    const [oldKey = "", key = ""] = [old, current].map((path) => path.split(".").at(-1));
    const yaml = (OLD_FILES[old] ?? "").replace(
      /(mail|maxUnreadBytesPerIp|confirmsByMail|paymentsUnderWay): (\{[^}]*\}|\w+)/,
      `${oldKey}: $2, ${key}: $2`,
    );
    const both =
      old === "mail"
        ? "mail: {}\nemail: {}"
        : old.startsWith("http")
          ? "http: { maxUnreadBytesPerIp: 2097152, maxSendBufferBytesPerIp: 2097152 }"
          : yaml;
    assert.match(
      refusal(() => load(both)),
      new RegExp(`^c\\.yaml:\\d: '.*${oldKey}' and '.*${key}' are the same setting\\. Remove '`),
    );
  }
  assert.match(
    refusal(() => load("\nmail:\n  smtp: { port: 99999, host: h }")),
    /^c\.yaml:3: email\.smtp\.port: must be at most 65535/,
  );
  assert.match(
    refusal(() => load("streams:\n  maxUnreadBytesPerIp: 1")),
    /^c\.yaml:2: streams\.maxSendBufferBytesPerIp: /,
  );
  assert.match(
    refusal(() => load("streams: []\nassets: [1, { networks: { mail: 1 } }]")),
    /^c\.yaml:1: streams: must be/,
  );
});
