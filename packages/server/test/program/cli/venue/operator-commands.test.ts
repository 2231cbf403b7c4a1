/** The operators' commands: signing in, acting under their names, and approving proposals. */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import type { OperatorRole } from "@pricetime/engine";
import { partsOf } from "../../../people/admin/access/operators.ts";
import { TOKEN } from "../../../people/admin/running.ts";
import { AdminVenue } from "../../../people/admin/admin-venue.ts";
import { doneIn, folderOf, jsonIn, runIn } from "../command-line.ts";

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

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Creates an operator by the command line; resolves to a session's token. */
async function hire(name: string, role: OperatorRole): Promise<string> {
  await doneIn(folder, `operator add ${name} --email ${name}@example.com --role ${role}`);
  const { link } = await jsonIn<{ link: string }>(folder, `operator invite ${name}`);
  const { id, secret } = partsOf(link);
  const password = file(`${name}.password`, `the password of ${name}\n`);
  await doneIn(folder, ["accept-invitation", id, secret, "--password-file", password]);
  return (await jsonIn<{ token: string }>(folder, ["sign-in", name, "--password-file", password])).token;
}

test("an operator is created, invited, signs in, acts under their name, and signs out", async () => {
  const sue = await hire("sue", "support");
  const me = await jsonIn(folder, ["me", "--token", sue]);
  assert.deepEqual([me["name"], me["role"], me["rights"]], ["sue", "support", ["view", "any", "customers"]]);
  await doneIn(folder, ["account", "change", "100", "--trade", "off", "--token", sue]);
  assert.match(await doneIn(folder, "audit-log --limit 1"), /operator:sue +changeAccount/);
  const refused = await runIn(folder, ["maintenance", "on", "--token", sue]);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /requires the right venue, which the role support does not have/);
  assert.match(await doneIn(folder, "operator list"), /sue +sue@example\.com +support +yes/);
  const next = file("next.password", "another password of sue");
  const now = join(folder, "sue.password");
  await doneIn(folder, ["me", "password", "--password-file", now, "--new-password-file", next, "--token", sue]);
  const shown = await jsonIn(folder, ["me", "two-factor", "--password-file", next, "--token", sue]);
  assert.equal(typeof shown["pending"], "string");
  const wrong = ["me", "confirm-two-factor", String(shown["pending"]), "000000", "--token", sue];
  assert.match((await runIn(folder, wrong)).err, /code is wrong/);
  await doneIn(folder, ["sign-out", "--token", sue]);
  assert.equal((await runIn(folder, ["me", "--token", sue])).code, 1);
  await doneIn(folder, "operator change sue --role viewer --enabled off");
  await doneIn(folder, "operator remove-two-factor sue");
});

test("one proposes, another approves; the rules end a day after the announcement", async () => {
  const [tom, ada] = [await hire("tom", "treasurer"), await hire("ada", "admin")];
  await hire("bo", "admin");
  await doneIn(folder, ["approval-rules", file("rules.yaml", "actions: [deposit]\n")]);
  assert.match(await doneIn(folder, "approval-rules"), /deposit/);
  const deposit = ["deposit", "100", "COIN", "3", "--reference", "r1", "--token", tom];
  const { code, err } = await runIn(folder, deposit);
  assert.equal(code, 1);
  const act = file("act.json", err.slice(err.indexOf("{")));
  const create = ["approval-request", "create", act, "--why", "so", "--token", tom];
  const { requestId } = await jsonIn<{ requestId: string }>(folder, create);
  assert.match(await doneIn(folder, "approval-request list"), new RegExp(`${requestId} +1 +deposit`));
  const change = [
    "approval-request",
    "change",
    requestId,
    act,
    "--at-version",
    "1",
    "--why",
    "as I meant",
    "--token",
    tom,
  ];
  await doneIn(folder, change);
  assert.match(await doneIn(folder, ["approval-request", "show", requestId]), /as I meant/);
  const approve = ["approval-request", "approve", requestId, "--at-version", "2", "--token"];
  assert.match((await runIn(folder, [...approve, tom])).err, /Another operator must approve it/);
  assert.match((await runIn(folder, [...approve, TOKEN])).err, /does not identify a person/);
  await doneIn(folder, [...approve, ada]);
  assert.equal(await venue.balance(), "13.00000000 0.00000000");
  const second = await jsonIn<{ requestId: string }>(folder, create);
  await doneIn(folder, ["approval-request", "reject", second.requestId, "--why", "no", "--token", ada]);
  assert.match(
    await doneIn(folder, ["emergency-override", "announce", "--why", "bo is gone", "--token", ada]),
    /bo is gone/,
  );
  assert.match(await doneIn(folder, "emergency-override"), /operator:ada/);
  await doneIn(folder, ["emergency-override", "cancel", "--token", tom]);
});

test("customers are invited and signed out, and an account is frozen", async () => {
  const { link, invitationId } = await jsonIn(folder, "invitation create --email n@example.com --name N --maker-bps 1");
  assert.match(String(link), /\/account\/#\/invitation\?/);
  assert.match(await doneIn(folder, "invitation list"), /n@example\.com/);
  await doneIn(folder, ["invitation", "revoke", String(invitationId)]);
  await doneIn(folder, "account invite 100");
  const { code, err } = await runIn(folder, "account invite new@example.com");
  const next = "To invite a new customer, run `pricetime invitation create --email new@example.com --name NAME`.";
  assert.deepEqual(
    [code, err],
    [1, `pricetime: There is no account new@example.com. Use an account number or an email address. ${next}`],
  );
  await venue.openSession();
  assert.match(await doneIn(folder, "account sessions 100"), /10\.0\.0\.1 +Firefox/);
  await doneIn(folder, "account sessions 100 --end");
  assert.match(await doneIn(folder, "account sessions 100"), /none/);
  await doneIn(folder, "account lock a@example.com");
});
