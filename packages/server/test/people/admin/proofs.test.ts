import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { after, before, test } from "node:test";
import { encodeCommands, Engine } from "@pricetime/engine";
import { setup } from "@pricetime/testkit/journal";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { JournalFile } from "../../../src/journal/journal-file.ts";
import { checkCustomer, readCustomer } from "../../../src/funds/proof/proof.ts";
import { reserveRoutes } from "../../../src/people/admin/proof-routes.ts";
import type { AdminRequest } from "../../../src/people/admin/router.ts";
import type { ShownReserves } from "../../../src/funds/proof/folder/port.ts";
import type { NetworkHoldings, NetworkStatus } from "../../../src/funds/wallet/port.ts";
import { Auditor } from "../../../src/funds/proof/folder/auditor.ts";
import { readStatement } from "../../../src/funds/proof/statement.ts";
import { dataPaths } from "../../../src/journal/storage/data-folder.ts";
import { MASTER_KEY, type RunningAdmin, startAdmin, TOKEN } from "./running.ts";

/** A node with the accounts of a journal on disk. */
let admin: RunningAdmin;
let auditor: Auditor;
const folder = temporaryFolder();
const seq = setup().length;
const timeMs = 1_700_000_000_000;

before(async () => {
  const journal = JournalFile.open(dataPaths(folder).journal);
  const priorEventDigest = new Engine().eventDigest();
  journal.append({ firstSeq: 1, count: seq, timeMs, node: "n", bytes: encodeCommands(setup()), priorEventDigest });
  journal.close();
  auditor = new Auditor(folder, MASTER_KEY);
  admin = await startAdmin({ audits: auditor });
  for (const command of setup()) await admin.sequencer.run(command);
});
after(async () => {
  await admin.close();
  await auditor.close();
  rmSync(folder, { recursive: true });
});

async function file(path: string): Promise<string> {
  const response = await fetch(admin.url + path, { headers: { authorization: `Bearer ${TOKEN}` } });
  assert.equal(response.status, 200);
  return response.text();
}

test("treasury, a proof, and a customer's part of it", async () => {
  const treasury = await admin.call("GET", `/v1/treasury?at=${seq}&flows=true`);
  assert.equal(treasury.status, 200);
  const { isBalanced, assets, wallets } = treasury.body as Record<string, Record<string, unknown>[]>;
  const [btc] = assets ?? [];
  assert.equal(isBalanced, true);
  assert.deepEqual([btc?.["asset"], btc?.["customers"]], ["BTC", "270000000000000000000.00000000"]);
  assert.deepEqual([btc?.["difference"], btc?.["holders"]], ["0.00000000", 3]);
  assert.deepEqual(
    wallets?.map(({ network, wallets: held }) => [network, held]),
    [
      ["SAND", null],
      ["HAND", null],
    ],
  );

  const made = await admin.call("POST", "/v1/proofs", { at: seq });
  assert.equal(made.status, 201);
  const { status, body } = await admin.call("GET", "/v1/proofs");
  assert.deepEqual([status, body], [200, [made.body]]);
  const signed = readStatement(await file(`/v1/proofs/${seq}`));
  assert.equal(signed.digest, made.body["digest"]);
  checkCustomer(readCustomer(await file(`/v1/proofs/${seq}/accounts/100@test`)), signed);
});

test("a root is published once, and journaled with its operator", async () => {
  const { status, body } = await admin.call("POST", `/v1/proofs/${seq}/publish`);
  const [published] = body as unknown as [Record<string, unknown>];
  const [kept] = await auditor.proofs();
  assert.deepEqual([status, published], [201, { number: 1, seq, root: kept?.digest, previous: "0".repeat(64) }]);
  assert.equal(admin.engine.venue.lastProof?.root, kept?.digest);
  const again = await admin.call("POST", `/v1/proofs/${seq}/publish`);
  assert.deepEqual([again.status, again.body["error"]], [409, "NOT_POSSIBLE"]);
  const [act] = (await admin.call("GET", "/v1/audit-log?limit=1")).body as unknown as { type: string; by: string }[];
  assert.deepEqual([act?.type, act?.by], ["publishProof", "dora"]);
});

test("a proof shows each asset's reserves once, less liabilities, for its networks only", async () => {
  const path = `/v1/proofs/${seq}/reserves`;
  const none = await admin.call("GET", path);
  assert.deepEqual([none.status, none.body["digest"]], [200, null]);
  assert.match(
    await file(`${path}?format=csv`),
    /^asset,owed,reserves,surplus\r\nBTC,270000000000000000000\.00000000,,\r/,
  );
  const network = { network: "BTC", isDefault: true, depositEnabled: true, withdrawEnabled: true };
  const networks = [{ ...network, withdrawFee: "0", withdrawMin: "1", withdrawMax: "9" }];
  await admin.sequencer.run({ type: "setAssetNetworks", by: "test", asset: "BTC", networks });
  const reserve = { asset: "BTC", network: "BTC", address: "bc1qcold", block: 800_000, amount: "12345.5" };
  const elsewhere = { ...reserve, network: "NOWHERE" };
  for (const sent of [
    {},
    { reserves: [elsewhere] },
    { reserves: [{ ...reserve, amount: "-1" }] },
    { fromWallets: true },
  ]) {
    assert.equal((await admin.call("POST", path, sent)).status, 400, JSON.stringify(sent));
  }
  const draft = await admin.call("POST", path, { reserves: [reserve], isDraft: true });
  assert.deepEqual([draft.status, draft.body["digest"]], [201, null]);
  const twice = await admin.call("POST", path, { reserves: [reserve, reserve] });
  assert.deepEqual([twice.status, twice.body["error"]], [409, "NOT_POSSIBLE"]);
  const shown = await admin.call("POST", path, { reserves: [reserve] });
  assert.equal(shown.status, 201, JSON.stringify(shown.body));
  const [btc] = shown.body["assets"] as Record<string, unknown>[];
  assert.deepEqual([btc?.["reserves"], btc?.["surplus"]], ["12345.50000000", "-269999999999999987654.50000000"]);
  assert.equal(readStatement(await file(`/v1/proofs/${seq}`)).reserves?.digest, shown.body["digest"]);
});

test("each wallet of the node counts once, up to its balance, and not if its chain does not answer", async () => {
  const holding = {
    wallet: "hot",
    address: "0xAbCd",
    asset: "BTC",
    amount: "1.123456789999999999",
    block: 77,
  } as const;
  const gas = { ...holding, wallet: "gas", address: "0xabcd" } as const;
  const unlisted = { ...holding, asset: "NOTLISTED" } as const;
  const of = (told: NetworkHoldings) => {
    const network: NetworkStatus = {
      ...{ network: "BTC", kind: "evm", isUp: true, height: 78, readHeight: 78, trouble: "" },
    };
    const [, add] = reserveRoutes({
      ...{ view: admin.engine, audits: auditor },
      ...{ controls: { holdings: async () => [told] }, wallet: { networks: () => [network] } },
    });
    const path = { seq: String(seq) };
    const body = { fromWallets: true, isDraft: true };
    const asked = { path, search: new URLSearchParams(), body, by: "test" } as unknown as AdminRequest;
    return Promise.resolve(add?.handle(asked));
  };
  const shown = await of({ network: "BTC", wallets: [holding, gas, unlisted], trouble: "" });
  assert.ok(shown !== undefined);
  const { reserves } = shown.body as ShownReserves;
  assert.deepEqual(
    reserves.map(({ address, amount, block, signature }) => [address, amount, block, signature]),
    [["0xAbCd", "1.12345678", 77, ""]],
  );
  await assert.rejects(of({ network: "BTC", wallets: null, trouble: "it does not answer" }), /does not answer/);
});

test("an invalid request is rejected with the reason", async () => {
  const cases: [method: string, path: string, body: unknown, status: number, code: string][] = [
    ["GET", "/v1/proofs/5", undefined, 404, "NO_SUCH_PROOF"],
    ["POST", "/v1/proofs/5/publish", undefined, 404, "NO_SUCH_PROOF"],
    ["GET", "/v1/proofs/x", undefined, 400, "BAD_REQUEST"],
    ["GET", `/v1/proofs/${seq}/accounts/nobody`, undefined, 404, "UNKNOWN_ACCOUNT"],
    ["POST", "/v1/proofs", { at: seq + 1 }, 404, "NO_SUCH_POSITION"],
    ["POST", "/v1/proofs", { at: -1 }, 400, "BAD_REQUEST"],
    ["GET", "/v1/treasury?flows=maybe", undefined, 400, "BAD_REQUEST"],
  ];
  for (const [method, path, sent, status, code] of cases) {
    const answer = await admin.call(method, path, sent);
    assert.deepEqual([answer.status, answer.body["error"]], [status, code], `${method} ${path}`);
  }
});

const TURNS = 50;

test("a second concurrent replay is asked to retry later", async () => {
  // On a busy machine the first may end before the second arrives.
  for (let turn = 1; ; turn++) {
    const answers = await Promise.all([1, 2, 3].map(() => admin.call("GET", `/v1/treasury?at=${seq}`)));
    const refused = answers.filter(({ status }) => status !== 200);
    if (refused.length === 0 && turn < TURNS) continue;
    assert.ok(refused.length === 1 || refused.length === 2, `${refused.length} of 3 were refused`);
    for (const { status, body } of refused) assert.deepEqual([status, body["error"]], [503, "BUSY"]);
    return;
  }
});

test("the journal can be read from any entry, with its chain verified and without secrets", async () => {
  const whole = (await admin.call("GET", `/v1/journal/entries?from=1&limit=500`)).body as unknown as Browsed;
  assert.deepEqual(
    whole.entries.map((entry) => entry.seq),
    Array.from({ length: seq }, (_, n) => n + 1),
  );
  assert.deepEqual(
    whole.entries.map(({ type }) => type),
    setup().map(({ type }) => type),
  );
  const head = JournalFile.openReadOnly(dataPaths(folder).journal);
  const { chainHash } = head.head();
  head.close();
  assert.deepEqual(whole.chain, { isValid: true, fromSeq: 1, toSeq: seq, priorHash: "0".repeat(64), hash: chainHash });
  assert.deepEqual([whole.lastSeq, whole.next], [seq, null]);
  const page = (await admin.call("GET", "/v1/journal/entries?from=2&limit=3")).body as unknown as Browsed;
  assert.deepEqual([page.entries.map((entry) => entry.seq), page.next], [[2, 3, 4], 5]);
  assert.deepEqual(page.entries, whole.entries.slice(1, 4));
  const newest = (await admin.call("GET", "/v1/journal/entries?limit=2")).body as unknown as Browsed;
  assert.deepEqual([newest.entries.map((entry) => entry.seq), newest.next], [[seq - 1, seq], null]);
  const [prior] = newest.entries;
  assert.deepEqual([newest.prior, newest.searched], [prior?.seq, { fromSeq: seq - 1, toSeq: seq }]);
  const older = await admin.call("GET", `/v1/journal/entries?limit=2&before=${newest.prior}`);
  const { entries: before, next } = older.body as unknown as Browsed;
  assert.deepEqual([before, next], [whole.entries.slice(-4, -2), newest.prior]);
  assert.equal(await file(`/v1/journal/entries?before=3&format=csv`).then((text) => text.split("\r\n").length), 4);
  const both = await admin.call("GET", "/v1/journal/entries?from=2&before=3");
  assert.deepEqual([both.status, both.body["error"]], [400, "BAD_REQUEST"]);
  const beyond = (await admin.call("GET", `/v1/journal/entries?from=${seq + 1}`)).body as unknown as Browsed;
  assert.deepEqual([beyond.entries, beyond.next, beyond.chain.isValid], [[], null, true]);
  // The first entry adopts the rules; nobody is its author.
  const [, act] = whole.entries;
  assert.deepEqual([act?.by, act?.node, act?.timeMs], ["test", "n", timeMs]);
  const { type } = whole.entries[3] ?? assert.fail("four entries are there");
  const alike = whole.entries.filter((entry) => entry.type === type);
  const only = (await admin.call("GET", `/v1/journal/entries?type=${type}&by=test`)).body as unknown as Browsed;
  assert.deepEqual([only.entries, only.next, only.chain], [alike, null, whole.chain]);
  assert.ok(alike.length > 1 && alike.length < whole.entries.length);
  const one = (await admin.call("GET", `/v1/journal/entries?type=${type}&from=1&limit=1`)).body as unknown as Browsed;
  assert.deepEqual([one.entries, one.next], [alike.slice(0, 1), (alike[0]?.seq ?? 0) + 1]);
  const last = (await admin.call("GET", `/v1/journal/entries?type=${type}&limit=1`)).body as unknown as Browsed;
  assert.deepEqual([last.entries, last.next], [alike.slice(-1), null]);
  for (const query of ["by=nobody", "type=noSuchType"])
    assert.deepEqual(
      ((await admin.call("GET", `/v1/journal/entries?${query}`)).body as unknown as Browsed).entries,
      [],
    );
  for (const query of ["account=9999999", "symbol=NONE"])
    assert.equal((await admin.call("GET", `/v1/journal/entries?${query}`)).status, 404, query);
  const chosen = await file(`/v1/journal/entries?type=${type}&from=1&format=csv`);
  assert.equal(chosen.split("\r\n").length, alike.length + 2);
  const csv = await file("/v1/journal/entries?from=1&format=csv");
  assert.equal(csv.split("\r\n").length, seq + 2);
  for (const query of ["?from=0", "?before=0", "?limit=501", "?from=x"]) {
    assert.equal((await admin.call("GET", `/v1/journal/entries${query}`)).status, 400, query);
  }
});

interface Browsed {
  readonly entries: readonly {
    seq: number;
    type: string;
    by: string | null;
    node: string;
    timeMs: number;
    command: object;
  }[];
  readonly lastSeq: number;
  readonly prior: number | null;
  readonly next: number | null;
  readonly searched: { readonly fromSeq: number; readonly toSeq: number };
  readonly chain: { readonly isValid: boolean; readonly fault?: string; readonly toSeq: number };
}
