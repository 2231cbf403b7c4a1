/** Confirmation emails follow from the exchange's state: one per waiting withdrawal, always with the same link. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { type Command, Engine, type Entry, type Event } from "@pricetime/engine";
import { deposit, listAsset, networkOf, openAccount, requestWithdrawal } from "@pricetime/testkit/commands";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { createConfirmations } from "../../../src/platform/secrets/link-secrets.ts";
import { mailFilesIn, MailFolder } from "../../../src/people/mail/mail-folder.ts";
import { FileOutbox } from "../../../src/people/mail/mail-room.ts";
import type { MailRecord } from "../../../src/people/mail/port.ts";
import { WithdrawalEmails } from "../../../src/people/mail/node-mails.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";

const MASTER_KEY = "00112233445566778899aabbccddeeff".repeat(2);
const CONFIRMATIONS = createConfirmations(MASTER_KEY);
const START_MS = 1_600_000_000_000;
const MINUTE_MS = 60_000;
const idOf = (number: number): string => String(number).padStart(32, "0");
const ownHash = (withdrawalId: string): string => CONFIRMATIONS.hashOf(CONFIRMATIONS.secretOf(withdrawalId));

let folder = "";
let engine = new Engine();
let nowMs = START_MS;

beforeEach(() => {
  folder = temporaryFolder();
  engine = new Engine();
  nowMs = START_MS;
  const bounds = { withdrawFee: "0.1", withdrawMin: "0.2", withdrawMax: "0", confirmsByMail: true };
  act(listAsset("BTC", 8, [networkOf("BTC", bounds)]));
  act(openAccount("a@example.com", { name: "A" }));
  act(deposit(100, "BTC", "100"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function act(command: Command): [Entry, readonly Event[]] {
  const entry = { seq: engine.seq + 1, timeMs: nowMs, command };
  const events = engine.apply(entry);
  const [first] = events;
  assert.ok(first?.type !== "rejected", first?.type === "rejected" ? first.reason : "");
  return [entry, events];
}

function request(number: number, confirmationHash = ownHash(idOf(number))): [Entry, readonly Event[]] {
  const asked = { accountId: 100, asset: "BTC", address: "somewhere", amount: "1" };
  return act(requestWithdrawal({ withdrawalId: idOf(number), ...asked, confirmationHash }));
}

interface Run {
  readonly room: FileOutbox;
  readonly letters: WithdrawalEmails;
}
/** The part of a node's process that sends emails. */
function start(confirmations = CONFIRMATIONS): Run {
  const log = { warn: () => {} };
  const mails = new MailFolder(mailFilesIn(join(folder, "mail")), { world: MACHINE, onError: assert.fail });
  const room = new FileOutbox({
    folder: mails,
    sending: null,
    publicUrl: () => "https://x.example",
    log,
    world: { ...MACHINE, nowMs: () => nowMs },
  });
  return { room, letters: new WithdrawalEmails({ view: engine, mails: room, confirmations, log }) };
}

const linkOf = ({ text }: MailRecord): string => /^https:.*$/m.exec(text)?.[0] ?? assert.fail(text);

test("a secret depends on key and withdrawal and reveals neither", () => {
  const other = createConfirmations("f".repeat(64));
  const secrets = [CONFIRMATIONS.secretOf(idOf(1)), CONFIRMATIONS.secretOf(idOf(2)), other.secretOf(idOf(1))];
  assert.equal(new Set(secrets).size, 3);
  assert.equal(createConfirmations(MASTER_KEY).secretOf(idOf(1)), secrets[0]);
  for (const secret of secrets) assert.match(secret, /^[A-Za-z0-9_-]{43}$/);
  assert.match(CONFIRMATIONS.hashOf(secrets[0] ?? ""), /^[0-9a-f]{64}$/);
});

test("an email is written once, when its withdrawal is journaled", async () => {
  const { room, letters } = start();
  letters.applied(...request(1));
  assert.equal(letters.catchUp(nowMs), 0);
  const [mail, ...others] = room.list();
  assert.ok(mail !== undefined && others.length === 0);
  assert.deepEqual([mail.to, mail.withdrawalId], ["a@example.com", idOf(1)]);
  assert.match(mail.text, /1\.00000000 BTC, including a fee of 0\.10000000 BTC/);
  assert.match(mail.text, /within 30 minutes/);
  // The record does not say whether a page or a program requested it, so neither does the email.
  assert.doesNotMatch(mail.text, /with an API key/i);
  assert.match(mail.text, /^A withdrawal was requested from your account:$/m);
  assert.ok(mail.text.includes("https://x.example/account/#/security"));
  const secret = new URL(linkOf(mail)).searchParams.get("secret") ?? "";
  act({ type: "confirmWithdrawal", withdrawalId: idOf(1), confirmationHash: CONFIRMATIONS.hashOf(secret) });
  await room.close();
});

test("an email missing after a crash is written at the start, with the same link", async () => {
  const first = start();
  request(1);
  first.letters.applied(...request(2));
  const [known] = first.room.list();
  await first.room.close();
  nowMs += 12 * MINUTE_MS;
  const second = start();
  assert.equal(second.letters.catchUp(nowMs), 1);
  assert.deepEqual(
    second.room
      .list()
      .map((mail) => mail.withdrawalId)
      .sort(),
    [idOf(1), idOf(2)],
  );
  const late = second.room.list().find((mail) => mail.withdrawalId === idOf(1)) ?? assert.fail();
  assert.match(late.text, /within 18 minutes/);
  await second.room.close();
  // The outbox is lost as well; the emails are the same.
  rmSync(join(folder, "mail"), { recursive: true });
  const third = start();
  assert.equal(third.letters.catchUp(nowMs), 2);
  const links = third.room.list().map(linkOf);
  assert.deepEqual(links.sort(), [linkOf(known ?? assert.fail()), linkOf(late)].sort());
  await third.room.close();
  assert.equal(start().letters.catchUp(nowMs), 0);
});

test("a withdrawal that is confirmed, ended or expired gets no email", async () => {
  for (const number of [1, 2, 3]) request(number);
  act({ type: "confirmWithdrawal", withdrawalId: idOf(1), confirmationHash: ownHash(idOf(1)) });
  act({ type: "cancelWithdrawal", withdrawalId: idOf(2), accountId: 100 });
  const { room, letters } = start();
  assert.equal(letters.catchUp(nowMs + 30 * MINUTE_MS), 0, "its time is over, though no tick has said so yet");
  assert.equal(letters.catchUp(nowMs + 29 * MINUTE_MS + 59_000), 1);
  assert.match(room.list()[0]?.text ?? "", /within 1 minute:/);
  await room.close();
});

test("a withdrawal of release 0.1.0 is confirmed by its random secret, which cannot be derived again", async () => {
  const secret = "drawn at random";
  request(1, CONFIRMATIONS.hashOf(secret));
  const { room, letters } = start();
  assert.equal(letters.catchUp(nowMs), 0);
  assert.deepEqual(room.list(), []);
  act({ type: "confirmWithdrawal", withdrawalId: idOf(1), confirmationHash: CONFIRMATIONS.hashOf(secret) });
  await room.close();
});
