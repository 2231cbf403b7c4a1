import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, test } from "node:test";
import { type Command, decodeCommands, Engine, encodeCommands } from "@pricetime/engine";
import { OLD_COMMANDS, OLD_OPTIONS } from "../../../src/program/cli/old-names.ts";
import { createProgram } from "../../../src/program/cli/program.ts";
import { doneIn, folderOf, jsonIn, runIn, type Said } from "./command-line.ts";
import { dataPaths, lockFolder } from "../../../src/journal/storage/data-folder.ts";
import { JournalFile } from "../../../src/journal/journal-file.ts";
import { replayBatch } from "../../../src/journal/replica/recover.ts";
import { SnapshotFolder } from "../../../src/journal/replica/snapshots.ts";
import { type RunningAdmin, startAdmin, TOKEN } from "../../people/admin/running.ts";

let admin: RunningAdmin;
let folder = "";
beforeEach(async () => {
  admin = await startAdmin();
  folder = folderOf(admin.url);
});
afterEach(async () => {
  await admin.close();
  rmSync(folder, { recursive: true });
});

async function run(
  argv: readonly string[],
  environment: Record<string, string> = { PRICETIME_DATA: folder },
): Promise<Said & { readonly served: readonly string[] | undefined }> {
  let served: readonly string[] | undefined;
  const serve = async (flags: readonly string[]): Promise<number> => {
    served = flags;
    return 7;
  };
  const said = await runIn(folder, argv, { environment, serve });
  return { ...said, served };
}

const done = (line: string): Promise<string> => doneIn(folder, line);
const json = (line: string): Promise<Record<string, unknown>> => jsonIn(folder, line);

test("an exchange is set up and run from the command line", async () => {
  await done("asset add BTC --name Bitcoin");
  await done("asset add USDT --name Tether --precision 6");
  const symbol = join(folder, "btcusdt.yaml");
  writeFileSync(symbol, "symbol: BTCUSDT\nbaseAsset: BTC\nquoteAsset: USDT\nfilters:\n  icebergParts: { limit: 10 }\n");
  await done(`symbol add ${symbol} --accept-rounding`);
  assert.match(await done("symbol list"), /^symbol +status +base asset +quote asset\nBTCUSDT +TRADING +BTC +USDT$/);
  assert.equal((await json("symbol status BTCUSDT HALT"))["status"], "HALT");
  assert.deepEqual(await json("symbol filters BTCUSDT"), { icebergParts: { limit: 10 } });
  writeFileSync(symbol, '{"maxNumOrders":{"limit":5}}');
  assert.deepEqual(await json(`symbol filters BTCUSDT ${symbol}`), { maxNumOrders: { limit: 5 } });
  const range = { askLimitMultDown: "0.8", bucketCount: 24, bucketWidthMs: 3_600_000 };
  const options = "--sell-down 0.8 --buckets 24 --bucket-width 1h";
  assert.deepEqual(await json(`symbol price-range BTCUSDT ${options}`), range);
  assert.deepEqual(await json("symbol price-range BTCUSDT"), range);
  const narrower = { ...range, askLimitMultDown: "0.9" };
  assert.deepEqual(await json("symbol price-range BTCUSDT --sell-down 0.9"), narrower, "keeps the buckets");
  const wider = { ...narrower, bucketCount: 5 };
  assert.deepEqual(await json("symbol price-range BTCUSDT --buckets 5"), wider, "keeps the bound");
  const mixed = await run(["symbol", "price-range", "BTCUSDT", "--remove", "--buy-up", "1.1"]);
  assert.match(mixed.err, /use --remove without other options/);
  assert.deepEqual(await json("symbol price-range BTCUSDT"), wider);
  assert.deepEqual(await json("symbol price-range BTCUSDT --remove"), {});
  assert.equal(await done("symbol price-range BTCUSDT"), "(none)");
  assert.equal(await done("commission-discount"), "(none)");
  const discount = { asset: "USDT", factorBps: 5000, excludedSymbols: ["BTCUSDT"] };
  const given = "--asset USDT --factor-bps 5000 --excluded-symbols BTCUSDT";
  assert.deepEqual(await json(`commission-discount ${given}`), discount);
  assert.deepEqual(await json("commission-discount --asset BTC"), { ...discount, asset: "BTC" });
  assert.deepEqual(await json("commission-discount --factor-bps 6000"), { ...discount, asset: "BTC", factorBps: 6000 });
  const twice = await run(["commission-discount", "--excluded-symbols", "BTCUSDT,BTCUSDT"]);
  assert.match(twice.err, /excludedSymbols: names a symbol twice/);

  assert.equal((await json("account open --email a@example.com --name A --taker-bps 7"))["takerBps"], 7);
  assert.equal((await json("account change a@example.com --trade off --maker-bps 3"))["canTrade"], false);
  assert.equal((await json("account fee 100 BTCUSDT --maker-bps 1 --taker-bps 2"))["takerBps"], 2);
  assert.equal((await json("account fee 100 BTCUSDT"))["takerBps"], 2);
  assert.equal((await json("account fee 100 BTCUSDT --remove"))["takerBps"], 7);
  assert.equal((await json("deposit 100 BTC 1.5"))["free"], "1.50000000");
  assert.equal((await json("debit a@example.com BTC 0.5 --reference r1"))["free"], "1.00000000");
  assert.match(await done("account list"), /100 +a@example\.com +A +3 +7 +no/);
  assert.match(
    await done("account show 100"),
    /email +a@example\.com\n[^]*balances\nasset +free +locked\nBTC +1\.00000000/,
  );

  const key = await json("key create 100 --permissions TRADE,USER_DATA --ip 127.0.0.1 --label bot");
  assert.match(String(key["secretKey"]), /^[A-Za-z0-9]{64}$/);
  assert.match(await done("key list 100"), new RegExp(`${key["apiKey"]} +TRADE, USER_DATA +127.0.0.1 +bot`));
  await done(`key delete ${key["apiKey"]}`);
  assert.equal(admin.engine.apiKeys(100).length, 0);
  assert.equal((await json("journal info"))["lastSeq"], admin.engine.seq);
});

test("a symbol without LOT_SIZE or PRICE_FILTER is listed with a warning on standard error", async () => {
  await done("asset add BTC --name Bitcoin");
  await done("asset add USDT --name Tether");
  const file = join(folder, "symbol.yaml");
  const lot = "{ minQty: '0.01', maxQty: '9', stepSize: '0.01' }";
  const price = "{ minPrice: '0.01', maxPrice: '9', tickSize: '0.01' }";
  const add = async (symbol: string, filters: string): Promise<Said> => {
    writeFileSync(file, `symbol: ${symbol}\nbaseAsset: BTC\nquoteAsset: USDT\nfilters: ${filters}\n`);
    return run(["symbol", "add", file, "--accept-rounding"]);
  };
  const bare = await add("BARE", "{}");
  assert.equal(bare.code, 0);
  const warnings = bare.err.split("\n");
  assert.equal(warnings.length, 4);
  assert.match(warnings[0] ?? "", /^pricetime: warning: BARE has no LOT_SIZE filter: /);
  assert.match(warnings[1] ?? "", /^pricetime: warning: BARE has no PRICE_FILTER filter: /);
  assert.match(warnings[2] ?? "", /^pricetime: warning: BARE: fills are rounded down to 0\.00000001 USDT, /);
  assert.match(warnings[3] ?? "", /^pricetime: warning: BARE: a lot is the smallest unit of BTC, /);
  assert.doesNotMatch(bare.out, /warning/);
  assert.match(
    (await add("HALF", `{ lotSize: ${lot} }`)).err,
    /^pricetime: warning: HALF has no PRICE_FILTER filter: [^\n]+\npricetime: warning: HALF: fills are rounded down [^\n]+$/,
  );
  assert.equal((await add("WHOLE", `{ lotSize: ${lot}, priceFilter: ${price} }`)).err, "");
  writeFileSync(file, `{ priceFilter: ${price} }`);
  assert.match(
    (await run(["symbol", "filters", "WHOLE", file])).err,
    /^pricetime: warning: WHOLE has no LOT_SIZE filter: /,
  );
  const listed = { baseAsset: "BTC", quoteAsset: "USDT", acceptRounding: true };
  const answer = await admin.call("POST", "/v1/symbols", { symbol: "API", ...listed });
  assert.equal((answer.body["warnings"] as string[]).length, 4);
});

test("an Ed25519 key is created from its public key and has no secret", async () => {
  await done("account open --email a@example.com --name A");
  const { publicKey } = generateKeyPairSync("ed25519");
  const file = join(folder, "public.pem");
  writeFileSync(file, publicKey.export({ format: "pem", type: "spki" }));
  const key = await json(`key create 100 --label bot --public-key ${file}`);
  assert.ok(!("secretKey" in key));
  const der = publicKey.export({ format: "der", type: "spki" }).toString("base64");
  assert.equal(key["publicKey"], der);
  assert.equal(admin.engine.apiKey(String(key["apiKey"]))?.publicKey, der);
  writeFileSync(file, der);
  assert.equal((await json(`key create 100 --public-key ${file}`))["publicKey"], der);

  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey;
  for (const [text, why] of [
    [ec.export({ format: "pem", type: "spki" }), /publicKey: not an Ed25519 key/],
    ["hello", /publicKey: not a public key in PEM/],
    ["", /publicKey: not a public key in PEM/],
  ] as const) {
    writeFileSync(file, text);
    const { code, err } = await run(["key", "create", "100", "--public-key", file]);
    assert.equal(code, 1);
    assert.match(err, why);
  }
  assert.equal((await run(["key", "create", "100", "--public-key", join(folder, "none")])).code, 1);
});

test("the journal has the operating system user of the terminal", async () => {
  await done("asset add BTC --name Bitcoin --user dora");
  await done("asset add ETH --name Ether");
  const by: string[] = [];
  for await (const { bytes, count } of admin.journal.read(1)) {
    for (const command of decodeCommands(bytes, count)) if ("by" in command) by.push(command.by);
  }
  assert.equal(by[0], "dora");
  assert.match(by[1] ?? "", /^cli:./);
});

test("the node is found by flags, by the environment, or by its data folder", async () => {
  const found = async (argv: string, environment: Record<string, string>): Promise<number> =>
    (await run(["asset", "list", ...argv.split(" ").filter((word) => word !== "")], environment)).code;
  assert.equal(await found(`--data ${folder}`, {}), 0);
  assert.equal(await found(`--admin ${admin.url}/ --token ${TOKEN}`, {}), 0);
  assert.equal(await found("", { PRICETIME_ADMIN: admin.url, PRICETIME_ADMIN_TOKEN: TOKEN }), 0);
  assert.equal(await found(`--token ${TOKEN}`, { PRICETIME_DATA: folder, PRICETIME_ADMIN_TOKEN: "wrong" }), 0);
  assert.equal(await found("", { PRICETIME_DATA: folder, PRICETIME_ADMIN_TOKEN: "wrong" }), 1);
});

const FAILURES: readonly (readonly [line: string, message: RegExp])[] = [
  ["account show none@example.com", /^pricetime: There is no account none@example\.com\. Use an account number/],
  ["symbol add nowhere.yaml", /^pricetime: nowhere\.yaml: ENOENT/],
  ["account open --name A", /^pricetime: account open: --email <address> is required$/],
  [
    "account open --email a@b.cd --name A --maker-bps x",
    /^pricetime: account open: --maker-bps: it must be a whole number, not 'x'$/,
  ],
  ["account change 100 --trade maybe", /^pricetime: account change: --trade: one of on, off, not 'maybe'$/],
  ["nothing", /^pricetime: unknown command 'nothing'$/],
  ["asset list --jsn", /^pricetime: asset list: unknown option '--jsn'; did you mean --json\?$/],
  ["acount list", /^pricetime: unknown command 'acount'; did you mean account\?$/],
  ["symbol status BTCUSDT OPEN", /^pricetime: symbol status: one of PRE_TRADING, TRADING, [A-Z_, ]+, not 'OPEN'$/],
  ["book", /^pricetime: book: missing argument <symbol>$/],
  ["book BTCUSDT --levels", /^pricetime: book: --levels <count>: missing value$/],
  ["asset list BTC", /^pricetime: asset list: too many arguments: 1, at most 0 expected$/],
  ["journal verify --data nowhere", /^pricetime: .*nowhere.* does not exist\. Specify the data folder with --data\.$/],
  ["history rebuild --data nowhere", /journal\.sqlite does not exist\./],
  [
    "account list --admin ://no --token 0123456789abcdef",
    /^pricetime: Cannot connect to :\/\/no \(ERR_INVALID_URL\)\.$/,
  ],
];

test("a failure is reported in one line, with an exit code", async () => {
  for (const [line, message] of FAILURES) {
    const { code, err } = await run(line.split(" "));
    assert.equal(code, 1, line);
    assert.match(err.split("\n")[0] ?? "", message);
  }
  await admin.close();
  assert.match((await run(["asset", "list"])).err, /^pricetime: Cannot connect to http.* \(ECONNREFUSED\)\.$/);
  assert.match(
    (await run(["asset", "list"], { PRICETIME_DATA: "nowhere" })).err,
    /^pricetime: There is no exchange in .*nowhere\. Start a node/,
  );
});

test("help shows what is required and what can be chosen", async () => {
  const open = await done("account open --help");
  assert.match(open, /^Usage: pricetime account open --email <address> --name <name> \[options\]$/m);
  assert.match(open, /--email <address> .*\(required\)/);
  assert.match(
    await done("symbol status --help"),
    /^ +status +New status \(one of PRE_TRADING, TRADING, [^)]*CANCEL_ONLY\)/m,
  );
  assert.match(
    await done("network report --help"),
    /--status <status>[^(]*\(one of pending, credited, success; default: pending\)/,
  );
});

test("help exits successfully", async () => {
  const { code, out } = await run(["--help"]);
  assert.equal(code, 0);
  for (const command of ["serve", "account", "key", "symbol", "asset", "deposit", "debit", "journal", "history"]) {
    assert.match(out, new RegExp(`^  ${command} `, "m"));
  }
});

test("serve takes the flags of npm start and hands them on", async () => {
  const { code, served } = await run(["serve", "--port", "0", "--no-demo", "--limits", "off"]);
  assert.deepEqual(served, ["--port", "0", "--no-demo", "--limits", "off"]);
  assert.equal(code, 7);
  assert.match(
    (await run(["serve", "--prot", "1"])).err,
    /^pricetime: serve: unknown option '--prot'; did you mean --port\?$/,
  );
});

/** A journal of two batches as a node writes it. */
function writeJournal(): void {
  const engine = new Engine();
  const file = JournalFile.open(dataPaths(folder).journal);
  for (const asset of ["A", "B"]) {
    const command: Command = { type: "listAsset", asset: { asset, name: asset, precision: 8, networks: [] }, by: "t" };
    const firstSeq = engine.seq + 1;
    const priorEventDigest = engine.eventDigest();
    file.append({
      firstSeq,
      count: 1,
      timeMs: firstSeq,
      node: "n",
      bytes: encodeCommands([command]),
      priorEventDigest,
    });
    engine.apply({ seq: firstSeq, timeMs: firstSeq, command });
  }
  file.close();
}

test("a sound journal is verified without a node", async () => {
  writeJournal();
  const verified = await json("journal verify");
  assert.deepEqual([verified["rows"], verified["commands"], verified["verdict"]], [2, 2, "sound"]);
});

test("a damaged journal has its own exit code, and the message its position", async () => {
  writeJournal();
  const database = new DatabaseSync(dataPaths(folder).journal);
  database.exec("UPDATE batches SET node = 'someone else' WHERE first_seq = 2");
  database.close();
  const { code, out, err } = await run(["journal", "verify"]);
  assert.equal(code, 1);
  assert.match(out, /verdict +damaged/);
  assert.match(err, /damaged at entry 2/);
});

test("a snapshot that differs from the journal's state is reported with the differing part", async () => {
  writeJournal();
  const { journal, snapshots } = dataPaths(folder);
  const file = JournalFile.openReadOnly(journal);
  const { chainHash } = file.head();
  const engine = new Engine();
  for (const batch of file.read(1)) replayBatch(engine, batch);
  file.close();
  const kept = new SnapshotFolder(snapshots);
  kept.take(engine, chainHash);
  const sound = await json("journal verify");
  assert.deepEqual([sound["verdict"], sound["snapshots"]], ["sound", undefined]);
  engine.state.lastOrderId += 1;
  kept.take(engine, chainHash);
  const { code, out, err } = await run(["journal", "verify"]);
  assert.equal(code, 1);
  const differing = `${join(snapshots, "2.snap")} differs in: exchange`;
  assert.match(out, /verdict +sound/, "the journal itself is");
  assert.equal(/^snapshots +(?<told>.*)$/m.exec(out)?.groups?.["told"], differing);
  assert.equal(err, `pricetime: These snapshots do not match the journal: ${differing}`);
});

test("history is verified while a node runs, and differences are found", async () => {
  writeJournal();
  assert.equal(await done("history rebuild"), "Rebuilt the history from 2 commands.");
  const lock = lockFolder(folder);
  try {
    assert.match(await done("history verify"), /^Verified \d+ rows, up to command 2\.$/);
    const database = new DatabaseSync(dataPaths(folder).history);
    database.exec("DELETE FROM operator_acts WHERE rowid = 1");
    database.close();
    const { code, err } = await run(["history", "verify"]);
    assert.equal(code, 1);
    assert.match(err, /^pricetime: history differs from the journal in operator_acts/);
  } finally {
    lock.release();
  }
});

test("history is rebuilt only when no node runs", async () => {
  writeJournal();
  const { history } = dataPaths(folder);
  writeFileSync(history, "damaged");
  const lock = lockFolder(folder);
  assert.match((await run(["history", "rebuild"])).err, /in use by another node\. Stop that node first\.$/);
  lock.release();
  assert.equal(await done("history rebuild"), "Rebuilt the history from 2 commands.");
  const database = new DatabaseSync(history, { readOnly: true });
  assert.equal(database.prepare("SELECT count(*) AS count FROM operator_acts").get()?.["count"], 2);
  database.close();
});

test("every command of 0.2.0 has its current name, and its old one works with one warning", async () => {
  const program = createProgram(
    { print: () => {}, complain: () => {}, environment: {}, serve: async () => 0 },
    async () => {},
  );
  const has = (name: string): boolean => {
    let at: typeof program | undefined = program;
    for (const word of name.split(" ")) at = at?.commands.find((command) => command.name() === word);
    return at !== undefined;
  };
  const warning = (old: string, current: string): string =>
    `pricetime: warning: '${old}' is now '${current}'. The old name will be removed in the next release.`;
  for (const [old, current] of OLD_COMMANDS) {
    assert.ok(has(current), current);
    assert.ok(!has(old), `${old} is still listed in --help`);
    const [said, expected] = [await run([...old.split(" "), "--help"]), await run([...current.split(" "), "--help"])];
    assert.deepEqual([said.code, said.out], [0, expected.out], old);
    assert.equal(said.err, warning(old, current));
    assert.equal(expected.err, "");
  }
  for (const [command, old, current] of OLD_OPTIONS) {
    assert.match(await done(`${command} --help`), new RegExp(`${current} `));
    assert.doesNotMatch(await done(`${command} --help`), new RegExp(`${old} `));
    for (const words of [[old, "on"], [`${old}=on`]]) {
      const said = await run([...command.split(" "), "100", ...words]);
      assert.equal(said.err.split("\n")[0], warning(old, current));
      assert.doesNotMatch(said.err, /unknown option/);
    }
  }
});

test("an old command does what the current one does", async () => {
  await done("account open --email a@example.com --name A");
  await done("account open --email s@example.com --name S --master 100");
  assert.match(await done("account subs 100"), /101 +s@example\.com/);
  assert.match(
    (await run(["mail", "show", "7"])).err,
    /^pricetime: warning: 'mail show' is now 'email show'[^\n]+\npricetime: /,
  );
});
