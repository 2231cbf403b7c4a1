import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import { doneIn, folderOf, jsonIn, runIn, type Said } from "../command-line.ts";
import { AdminVenue } from "../../../people/admin/admin-venue.ts";

let venue: AdminVenue;
let folder = "";
beforeEach(async () => {
  venue = await AdminVenue.open();
  folder = folderOf(venue.admin.url);
});
afterEach(async () => {
  await venue.close();
  rmSync(folder, { recursive: true });
});

const run = (line: string): Promise<Said> => runIn(folder, line);
const done = (line: string): Promise<string> => doneIn(folder, line);
const json = (line: string): Promise<Record<string, unknown>> => jsonIn(folder, line);
const rows = (line: string): Promise<Record<string, unknown>[]> => jsonIn(folder, line);

test("a sandbox is controlled from the command line", async () => {
  assert.match(await done("network list"), /^network +kind .*\nSAND +sandbox [^]*HAND +manual /);
  const { address } = await json("network address 100 SAND");
  const paid = await json("sandbox faucet SAND COIN 2 --account a@example.com");
  assert.equal(paid["address"], address);
  await done(`sandbox faucet SAND COIN 1 --address ${address}`);
  assert.equal((await json("sandbox show SAND"))["waiting"], 2);
  const { height } = await json("sandbox mine SAND");
  await until("both are seen", async () => (await rows("network deposits SAND")).length === 2);
  assert.equal((await json("sandbox mine SAND 3"))["height"], Number(height) + 3);
  await until("both are final", async () => (await rows("network deposits")).length === 0);
  assert.equal(await venue.balance(), "13.00000000 0.00000000");
  assert.equal((await json("sandbox reorg SAND 2 --fate mined"))["height"], Number(height) + 4);
  await done("sandbox mine SAND 200");
  assert.match((await run("sandbox reorg SAND 101")).err, /^pricetime: depth: a whole number from 1 to 100$/);
  await done("sandbox reorg SAND 100");
  assert.deepEqual(await json("sandbox inject-fault SAND revert --payments 2"), { kind: "revert", payments: 2 });
  assert.deepEqual(await json("sandbox inject-fault SAND takeNonce"), { kind: "takeNonce" });
  assert.deepEqual(await json("sandbox inject-fault SAND unreachable"), { kind: "unreachable", durationMs: 10_000 });
  assert.deepEqual(await json("sandbox inject-fault SAND unreachable --for-ms 0"), {
    kind: "unreachable",
    durationMs: 0,
  });
  assert.deepEqual(await json("network rescan SAND 1"), { network: "SAND", fromHeight: 1, found: null });
});

test("the faucet waits until the coin is credited, and reports a timeout", async () => {
  const pay = "sandbox faucet SAND COIN 2 --account a@example.com";
  const waiting = json(`${pay} --wait`);
  await until("it is paid", async () => (await json("sandbox show SAND"))["waiting"] === 1);
  await done("sandbox mine SAND 6");
  const deposit = await waiting;
  assert.deepEqual([deposit["asset"], Number(deposit["amount"])], ["COIN", 2]);
  assert.match(String(deposit["status"]), /^(credited|success)$/);
  assert.equal(await venue.balance(), "12.00000000 0.00000000");
  assert.match(
    (await run(`${pay} --wait 1`)).err,
    /^pricetime: The deposit was not credited within 1 s\. Mine a block with `pricetime sandbox mine SAND`/,
  );
  assert.match((await run(`${pay} --wait x`)).err, /--wait: it must be a whole number of seconds, not 'x'$/);
});

test("a manual network is operated from the command line", async () => {
  await done("network report HAND tx-1 COIN 3 --account 100");
  await done("network report HAND tx-1 COIN 3 --account 100 --status success");
  await done("network report HAND tx-2 COIN 1 --address hand-1 --output 4");
  assert.match(await done("network deposits HAND"), / HAND +100 +COIN +1\.00000000 +pending +hand-1 +tx-2 +4 +\S+$/);
  await done("network drop HAND tx-2 --output 4");
  assert.equal(await venue.balance(), "13.00000000 0.00000000");
  const ids = [await venue.withdraw("6"), await venue.withdraw("6").catch(() => venue.withdraw("5.5"))];
  assert.match(await done("withdrawal list --limit 1"), /awaitingApproval[^\n]*\nNext page: --after \d+\.\w+$/);
  assert.match(
    await done("withdrawal list --status processing --asset COIN --network HAND --account 100"),
    /\(none\)$/,
  );
  assert.equal((await json(`withdrawal approve ${ids[0]}`))["status"], "processing");
  assert.equal((await json(`withdrawal complete ${ids[0]} paid-1 --user dora`))["txId"], "paid-1");
  const acts = (await done(`audit-log --withdrawal ${ids[0]}`)).split("\n");
  assert.equal(acts.length, 3);
  assert.match(
    acts[1] ?? "",
    / \d{4}-\d\d-\d\dT\S+Z +dora +completeWithdrawal +100 +done +withdrawalId \w+, txId paid-1$/,
  );
  assert.match(acts[2] ?? "", /approveWithdrawal/);
  assert.equal((await json(`withdrawal show ${ids[1]}`))["withdrawalId"], ids[1]);
  assert.equal((await json(`withdrawal reject ${ids[1]} odd`))["why"], "odd");
  assert.equal((await json(`withdrawal cancel ${await venue.withdraw("6")}`))["status"], "cancelled");
  assert.equal((await json(`withdrawal fail ${await venue.withdraw("1")} closed`))["status"], "failed");
  assert.equal(await venue.balance(), "7.00000000 0.00000000");
});

test("a stuck payment is signed again from the command line", async () => {
  const id = await venue.withdraw("1", "SAND");
  await venue.sent(id);
  const before = venue.admin.engine.funds.withdrawal(id)?.txId;
  const raised = await json(`withdrawal raise-fee ${id} --user dora`);
  assert.deepEqual([(raised["txIds"] as unknown[])[0], raised["nonce"], raised["by"]], [before, 0, "dora"]);
  assert.notEqual(raised["txId"], before);
  assert.match(await done("withdrawal list"), / dora$/);
  await done("sandbox mine SAND 5");
  await until("it is over", () => venue.admin.engine.funds.withdrawal(id) === undefined);
  assert.match((await run(`withdrawal raise-fee ${id}`)).err, /^pricetime: No pending withdrawal has this ID\./);
  const byHand = await venue.withdraw("1");
  assert.match((await run(`withdrawal raise-fee ${byHand}`)).err, /^pricetime: HAND is paid by hand/);
});

test("account protection is set from the command line", async () => {
  assert.match(await done("account two-factor 100"), /uri +otpauth:\/\/totp\/Pricetime:a%40example\.com\?/);
  assert.equal((await json("account two-factor 100 --remove"))["hasTotp"], false);
  await done("account add-address 100 HAND there1234 --name home --tag 7");
  assert.equal((await json("account addresses 100 --enforce on"))["isEnforced"], true);
  assert.match(await done("account addresses 100"), /HAND +there1234 +7 +home/);
  assert.equal((await json("account addresses 100 --enforce off"))["isEnforced"], false);
  await done("account remove-address 100 HAND there1234 --tag 7");
  assert.deepEqual((await json("account addresses 100"))["addresses"], []);
  assert.deepEqual((await json("account status 100 Checked --objs 1,2"))["objs"], ["1", "2"]);
  assert.equal((await json("account status 100"))["message"], "");
  assert.equal((await json("account api-trading 100"))["isLocked"], false);
  assert.match((await run("account api-trading 100 --unlock")).err, /^pricetime: The current status does not allow/);
  await done("asset add PAIR --name Pair");
  const symbol = join(folder, "symbol.yaml");
  writeFileSync(symbol, "symbol: COINPAIR\nbaseAsset: COIN\nquoteAsset: PAIR\nacceptRounding: true\n");
  await done(`symbol add ${symbol}`);
  await venue.run({ type: "lockApiTrading", accountId: 100, symbol: "COINPAIR", indicator: "UFR" });
  assert.match(await done("account api-trading 100"), /locked +yes[^]*indicator +UFR/);
  assert.equal((await json("account api-trading 100 --unlock"))["isLocked"], false);
  await done("account open --email s@example.com --name S --master 100");
  assert.equal((await json("account change s@example.com --enabled off --confirm-by-mail on"))["isEnabled"], false);
  assert.match(await done("account sub-accounts 100"), /101 +s@example\.com +S +no +yes/);
});

test("the venue is operated from the command line", async () => {
  assert.equal((await json("maintenance on"))["isOn"], true);
  assert.equal((await json("maintenance"))["isOn"], true);
  assert.equal((await json("maintenance off"))["isOn"], false);
  const file = join(folder, "file.yaml");
  writeFileSync(file, 'dustAsset: COIN\nlimitAsset: COIN\nlimit: "1"\n');
  assert.equal((await json(`dust ${file}`))["chargeBps"], 200);
  assert.equal((await json("dust"))["dustAsset"], "COIN");
  await done("deposit treasury COIN 7 --reference t");
  assert.match(await done("house-accounts"), /^account +asset +free\ntreasury +COIN +7\.00000000$/);
  assert.equal((await json("dividend COIN COIN 5 --info gift --reference d"))["holders"], 1);
  assert.equal((await json("dividend COIN COIN 5.0 --info gift --reference d"))["amount"], "5");
  const other = (await run("dividend COIN COIN 6 --info gift --reference d")).err;
  assert.match(
    other,
    /^pricetime: This ID or reference was already used with different contents\. Nothing was changed\. Recorded: .*amount 5,/,
  );
  writeFileSync(file, "- network: HAND\n  isDefault: true\n");
  assert.match(await done("asset networks COIN"), /SAND/);
  assert.doesNotMatch(await done(`asset networks COIN ${file}`), /SAND/);
  const mailId = venue.admin.mail.post({ to: "a@example.com", subject: "Hello", text: "Line.\n" });
  assert.match(await done("email list"), new RegExp(`${mailId} +a@example\\.com +Hello +kept +0`));
  assert.match(await done(`email show ${mailId}`), /text +Line\./);
});

test("swapped names: the error lists the known networks and assets", async () => {
  for (const [line, message] of [
    [
      "sandbox faucet COIN SAND 1 --account 100",
      "There is no sandbox network COIN. Available: SAND (COIN). COIN is an asset. Its networks: SAND and HAND.",
    ],
    ["sandbox faucet SAND SAND 1 --account 100", "asset: SAND has no SAND, but COIN"],
    ["sandbox mine 3", "There is no sandbox network 3. Available: SAND (COIN)."],
    [
      "sandbox faucet SAND COIN 1 --account b@example.com",
      "There is no account b@example.com. Use an account number or an email address. Did you mean a@example.com?",
    ],
    ["network rescan NONE 1", "the node has no network NONE: there is SAND, HAND"],
    ["network address 100 COIN", "the node has no network COIN: there is SAND, HAND"],
    ["network address SAND 100", "There is no account SAND. Use an account number or an email address."],
    [
      "network deposits COIN",
      "There is no network COIN. Available: SAND and HAND. COIN is an asset. Its networks: SAND and HAND.",
    ],
    ["network report SAND tx COIN 1 --account 100", "SAND is not a manual network of this node. Available: HAND."],
    ["asset networks SAND", "There is no asset SAND. Available: COIN."],
    ["deposit 100 HAND 1", "There is no asset HAND. Available: COIN."],
    ["debit COIN 100 1", "There is no account COIN. Use an account number or an email address."],
    ["dividend COIN HAND 5 --info gift", "There is no asset HAND. Available: COIN."],
    ["symbol status COIN HALT", "There is no symbol COIN. None exist."],
  ] as const) {
    const { code, err } = await run(line);
    assert.deepEqual([code, err], [1, `pricetime: ${message}`], line);
  }
});

test("a failure is reported in one line", async () => {
  for (const [line, message] of [
    ["network rescan SAND x", /^pricetime: height must be a whole number$/],
    ["sandbox mine SAND 1.5", /^pricetime: blocks must be a whole number$/],
    ["sandbox reorg SAND deep", /^pricetime: depth must be a whole number$/],
    ["sandbox show HAND", /^pricetime: There is no sandbox network HAND/],
    ["sandbox inject-fault SAND fire", /revert, loseBroadcast/],
    ["network sweep SAND COIN 100", /^pricetime: .*EVM network/],
    ["network top-up HAND 100 1", /^pricetime: .*EVM network/],
    ["network top-up HAND 100 much", /^pricetime: amount/],
    ["withdrawal approve none", /^pricetime: No pending withdrawal has this ID/],
    ["withdrawal reject none", /^pricetime: withdrawal reject: missing argument <why>$/],
    ["maintenance maybe", /^pricetime: maintenance: on\|off: one of on, off, not 'maybe'$/],
    ["dust nowhere.yaml", /^pricetime: nowhere\.yaml: ENOENT/],
    ["asset networks NONE", /^pricetime: There is no asset NONE/],
    ["dividend COIN COIN 5", /^pricetime: dividend: --info <text> is required$/],
    ["email show none", /^pricetime: No email has the id none/],
  ] as const) {
    const { code, err } = await run(line);
    assert.equal(code, 1, line);
    assert.match(err.split("\n")[0] ?? "", message, line);
  }
});
