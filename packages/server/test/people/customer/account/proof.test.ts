/** The published proof as customers get it over HTTP, verified by both checkers. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test, type TestContext } from "node:test";
import { sealed, TestVenue } from "@pricetime/testkit/gateway-venue";
import { historyOver } from "@pricetime/testkit/journal";
import { CHEAP_HASHES } from "@pricetime/testkit/sign-in-work";
import { createGateway } from "../../../../src/api/gateway.ts";
import { createLinkSecrets } from "../../../../src/platform/secrets/link-secrets.ts";
import { fileSchema } from "../../../../src/platform/config/schema.ts";
import { totpCheck } from "../../../../src/platform/secrets/totp.ts";
import { openAccountApi } from "../../../../src/people/customer/account-api.ts";
import { DEFAULT_LIMITS } from "../../../../src/api/edge/rate-limit-rules.ts";
import { openQueries } from "../../../../src/history/reading/queries.ts";
import { openHistoryFile } from "../../../../src/history/table/schema.ts";
import { checkCustomer, customerText, readCustomer } from "../../../../src/funds/proof/proof.ts";
import { proofsFolder } from "../../../../src/funds/proof/folder/stored-proofs.ts";
import { ProofRefused } from "../../../../src/funds/proof/lines.ts";
import { readStatement } from "../../../../src/funds/proof/statement.ts";
import { openSignIn } from "../../../../src/people/sign-in/sign-in.ts";
import { MACHINE } from "../../../../src/platform/world/machine.ts";
import { type LiveVenue, liveVenue } from "../../../funds/proof/live-venue.ts";
import { inPython, skip } from "../../../funds/proof/two-checkers.ts";
import { Browser, HOST, PASSWORD, refusal } from "../account-venue.ts";
import { NOTHING_SAVED } from "../../../../src/platform/world/port.ts";

const LINKS = createLinkSecrets("44".repeat(32));

interface Started {
  readonly live: LiveVenue;
  /** Signs an account in by an invitation. */
  signedIn(accountId: number): Promise<Browser>;
  stranger(): Browser;
  readonly port: number;
}

async function start(t: TestContext): Promise<Started> {
  const live = await liveVenue(t);
  const { engine, sequencer, auditor: audits } = live;
  const history = historyOver(openQueries(openHistoryFile(":memory:")), () => engine.seq);
  const sealer = { seal: sealed, unseal: sealed };
  const checkTotp = totpCheck(sealer, NOTHING_SAVED);
  const walletPorts = new TestVenue().walletPorts();
  const secrets = { view: engine, sequencer, sealer, links: LINKS, world: MACHINE, checkTotp };
  const room = openSignIn({ ...secrets, hashCost: CHEAP_HASHES });
  const parts = { ...secrets, room, history, wallet: walletPorts.wallet, audits };
  const accounts = openAccountApi({ ...fileSchema.parse({}), ...parts });
  const gateway = createGateway({
    ...{ engine, sequencer, history, accounts, unseal: sealed, walletPorts, limits: DEFAULT_LIMITS, world: MACHINE },
    log: { error: (fields) => assert.fail(JSON.stringify(fields)) },
    onFatal: (error) => assert.fail(error),
  });
  const port = await gateway.listen(HOST, 0);
  t.after(() => gateway.close());
  const stranger = (): Browser => new Browser(port, { headers: {} });
  const signedIn = async (accountId: number): Promise<Browser> => {
    const id = MACHINE.randomBytes(16).toString("hex");
    const secret = LINKS.secretOf("invitation", id);
    const holder = { holder: `account:${accountId}`, email: `${accountId}@test`, opens: null, by: "test" };
    const untilMs = Date.now() + 60_000;
    await live.must({ type: "invite", invitationId: id, secretHash: LINKS.hashOf(secret), ...holder, untilMs });
    const browser = stranger();
    const accepted = await browser.post("invitation/accept", { id, secret, password: PASSWORD });
    assert.equal(accepted.status, 200, accepted.text);
    return browser;
  };
  return { live, signedIn, stranger, port };
}

test("each customer gets their own part of the last published proof, and both checkers accept it", {
  skip,
}, async (t) => {
  const { live, signedIn, stranger } = await start(t);
  const [alice, bob] = [await signedIn(100), await signedIn(101)];
  for (const browser of [alice, stranger()]) {
    assert.deepEqual(refusal(await browser.get("proof/public")), [404, "NO_PROOF"]);
    assert.equal((await browser.get("proof/published")).text, "null");
  }
  assert.deepEqual(refusal(await alice.get("proof")), [404, "NO_PROOF"]);
  const first = await live.make();
  await live.publish(first.seq);
  // A proof that is not published is not visible.
  await live.make();

  const shown = await stranger().get("proof/public");
  assert.equal(shown.status, 200, shown.text);
  const signed = readStatement(shown.text);
  const { json: published } = await stranger().get("proof/published");
  assert.deepEqual([published.number, published.seq, published.root], [1, first.seq, first.digest]);
  assert.equal(signed.digest, published.root);

  const [own, other] = [await alice.get("proof"), await bob.get("proof")];
  assert.equal(own.headers["content-disposition"], `attachment; filename="customer-100.json"`);
  const [part, others] = [readCustomer(own.text), readCustomer(other.text)];
  assert.deepEqual([part.accountId, part.email, others.accountId], [100, "100@test", 101]);
  for (const each of [part, others]) checkCustomer(each, signed);
  assert.deepEqual(inPython([own, other].map(({ text }) => [shown.text, text])), ["holds", "holds"]);

  // Another customer's part.
  const passedOff = { ...others, accountId: part.accountId, email: part.email };
  assert.throws(() => checkCustomer(passedOff, signed), ProofRefused);
  assert.match(inPython([[shown.text, customerText(passedOff)]])[0] ?? "", /^refused/);
  assert.deepEqual(refusal(await alice.get("proof?account=101")), [404, "UNKNOWN_ACCOUNT"]);
  assert.deepEqual(refusal(await stranger().get("proof")), [401, "NO_SESSION"]);

  // A newer proof replaces it.
  const next = await live.make();
  await live.publish(next.seq);
  const after = readStatement((await stranger().get("proof/public")).text);
  assert.equal(after.digest, next.digest);
  checkCustomer(readCustomer((await alice.get("proof")).text), after);
  assert.throws(() => checkCustomer(part, after), ProofRefused);
});

test("root and public part are public, ignore the session and may be cached briefly", async (t) => {
  const { live, port } = await start(t);
  const { seq, digest } = await live.make();
  await live.publish(seq);
  const plain = (path: string, headers = {}): Promise<Response> =>
    fetch(`http://${HOST}:${port}/account/v1/${path}`, { headers });
  // As a browser requests it by navigation, and from another site.
  for (const headers of [{}, { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" }]) {
    const root = await plain("proof/published", headers);
    assert.deepEqual([root.status, ((await root.json()) as { root: string }).root], [200, digest]);
    const file = await plain("proof/public", headers);
    assert.equal(readStatement(await file.text()).digest, digest);
    for (const { headers: sent } of [root, file]) {
      assert.match(sent.get("cache-control") ?? "", /^public, max-age=\d+$/);
      assert.equal(sent.get("set-cookie"), null);
    }
    assert.ok(Number(file.headers.get("x-mbx-used-weight-1m")) > Number(root.headers.get("x-mbx-used-weight-1m")));
  }
  // No other route allows that.
  for (const path of ["proof", "session", "profile", "statement?month=2026-10"]) {
    assert.equal((await plain(path)).status, 403, path);
  }
});

test("a node without the published proof recomputes it from its journal", async (t) => {
  const { live, signedIn, stranger } = await start(t);
  const alice = await signedIn(100);
  const { seq, digest } = await live.make();
  await live.publish(seq);
  rmSync(proofsFolder(live.folder), { recursive: true });
  const own = await alice.get("proof");
  assert.equal(own.status, 200, own.text);
  const signed = readStatement((await stranger().get("proof/public")).text);
  assert.equal(signed.digest, digest);
  checkCustomer(readCustomer(own.text), signed);
});

test("a root that cannot be recomputed here is not served as the published one", async (t) => {
  const { live, stranger } = await start(t);
  const { seq, number } = await live.make();
  const root = "ab".repeat(32);
  await live.must({ type: "publishProof", by: "test", number, seq, root, previous: "0".repeat(64) });
  assert.deepEqual(refusal(await stranger().get("proof/public")), [503, "PROOF_NOT_READY"]);
});
