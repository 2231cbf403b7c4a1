/** Notice emails of a single node: each kind as the mail server got it, none lost and none sent twice. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { ADOPT_NEWEST_RULES, type Command, NOTICE_KINDS, type NoticeKind } from "@pricetime/engine";
import { type MailServer, startMailServer } from "@pricetime/testkit/mail-server";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { until } from "@pricetime/testkit/waiting";
import { createConfirmations } from "../../../src/platform/secrets/link-secrets.ts";
import { type NodeMail, openNodeMail } from "../../../src/people/mail/open-mail.ts";
import { NotAccepted } from "../../../src/journal/sequencer/port.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import {
  CONSOLE_URL,
  HOUR_MS,
  idOf,
  lettersOf,
  LINKS,
  linksOf,
  NASTIER,
  NASTY,
  NoticeVenue,
  PUBLIC_URL,
  type ReadLetter,
} from "./notice-venue.ts";

const CONFIRMATIONS = createConfirmations("00112233445566778899aabbccddeeff".repeat(2));

let folder = "";
let venue = new NoticeVenue();
let server: MailServer;
let mail: NodeMail | undefined;
beforeEach(async () => {
  folder = temporaryFolder();
  venue = new NoticeVenue();
  server = await startMailServer();
});
afterEach(async () => {
  await mail?.outbox.close();
  mail = undefined;
  await server.close();
  rmSync(folder, { recursive: true });
});

interface How {
  readonly hasServer?: boolean;
  readonly isOfLab?: boolean;
  readonly run?: (command: Command) => ReturnType<NoticeVenue["run"]>;
}

/** The part of a node's process that sends emails. */
function start({ hasServer = true, isOfLab = false, run = (command) => venue.run(command) }: How = {}): NodeMail {
  const smtp = { host: "127.0.0.1", port: server.port, tls: false, requireTls: false, login: null };
  const opened = openNodeMail({
    dataFolder: folder,
    mail: { from: "exchange@example.com", smtp: hasServer ? smtp : null },
    publicUrl: () => PUBLIC_URL,
    consoleUrl: () => CONSOLE_URL,
    links: LINKS,
    confirmations: CONFIRMATIONS,
    view: venue.engine,
    sequencer: { run: async (command) => run(command) },
    log: { warn: () => {} },
    world: { ...MACHINE, nowMs: () => venue.nowMs },
    isShared: false,
    isOfLab,
  });
  mail = opened;
  venue.follower = (entry, events) => opened.letters.applied(entry, events);
  opened.letters.catchUp(venue.nowMs);
  return opened;
}

/** Stops following the journal, as a killed process does. */
async function kill({ outbox }: NodeMail): Promise<void> {
  venue.follower = undefined;
  await outbox.close();
  mail = undefined;
}

const settled = (): Promise<void> => until("the exchange owes nothing", () => venue.owed.length === 0);

/** The event behind each kind, and its recipient. */
const CAUSES: Readonly<Record<NoticeKind, () => void>> = {
  invitation: () => venue.invite(1),
  alreadyKnown: () => venue.act({ type: "tellAlreadyKnown", holder: "account:100" }),
  recovery: () => venue.askRecovery(7),
  recovered: () => venue.recover(7),
  passwordChanged: () => {
    const change = { was: venue.engine.access.sealedPassword("account:100") ?? "", sealedPassword: "p2", except: null };
    venue.act({ type: "setPassword", by: "account:100", holder: "account:100", ...change });
  },
  newSignIn: () => venue.signIn("Firefox/150.0 (X11)"),
  apiKeyCreated: () => venue.createApiKey("bot"),
  totpChanged: () => venue.act({ type: "setTotp", by: "account:100", accountId: 100, sealedSecret: "s" }),
  addressAdded: () => venue.addAddress("cold store"),
  frozen: () => venue.act({ type: "freezeAccount", by: "account:100", accountId: 100 }),
  addressListEnded: () => venue.endAddressList(),
  emailChanged: () => {
    venue.act(ADOPT_NEWEST_RULES);
    venue.act({ type: "changeAccount", by: "admin", accountId: 100, email: "Moved@example.com" });
  },
  breakGlass: () => venue.act({ type: "breakGlass", by: "operator:carol", why: "dave is gone" }),
};

const SHOWS: Readonly<Record<NoticeKind, readonly string[]>> = {
  invitation: ["works once, until 2026-09-21 1"],
  alreadyKnown: ["which already has one", `\n${PUBLIC_URL}/account/\n`],
  recovery: ["A password reset was requested for you at"],
  recovered: ["a new password was set for you", "withdrawals are suspended for 24 hours"],
  passwordChanged: ["Your password was changed at"],
  newSignIn: ["203.0.113.9", "Firefox/150.0 (X11)"],
  apiKeyCreated: ['"bot"', "TRADE", "you (signed in)"],
  totpChanged: ["You now need a code"],
  addressAdded: ["bc1qxyz", '"7"', "cold store"],
  frozen: ["was locked at"],
  emailChanged: ["New address:  moved@example.com"],
  addressListEnded: ["Stays on until:  2026-09-2", "you (signed in)"],
  breakGlass: ["dave is gone", "carol", `\n${CONSOLE_URL}/\n`],
};

/** Kinds that may mean an attack; their email has a link that locks the account. */
const LOCKS: readonly NoticeKind[] = [
  "recovery",
  "recovered",
  "passwordChanged",
  "newSignIn",
  "apiKeyCreated",
  "totpChanged",
  "addressAdded",
  "addressListEnded",
  "emailChanged",
];

const ACCOUNT = `${PUBLIC_URL}/account/`;

function checkLock(letter: ReadLetter, noticeId: number, createdMs: number): void {
  const link = linksOf(letter).get(`${ACCOUNT}lock-account`) ?? assert.fail(letter.text);
  assert.deepEqual([link.get("account"), link.get("notice")], ["100", String(noticeId)]);
  const until = createdMs + 30 * 24 * HOUR_MS;
  assert.equal(link.get("until"), String(until));
  assert.equal(link.get("secret"), LINKS.secretOf("freeze", `100:${noticeId}:${until}`));
  assert.match(letter.text, /valid for 30 days/);
}

test("each kind reaches its recipient, says what happened and has valid links", async () => {
  start();
  venue.invite(2, "a@example.com", "account:100");
  venue.accept(2);
  await settled();
  server.taken.length = 0;
  for (const kind of NOTICE_KINDS) {
    let noticeId = 0;
    const { follower } = venue;
    venue.follower = (entry, events) => {
      for (const event of events) if (event.type === "noticeChanged") noticeId = event.noticeId;
      follower?.(entry, events);
    };
    const before = lettersOf(server).length;
    CAUSES[kind]();
    assert.deepEqual(venue.owed, [kind]);
    venue.follower = follower;
    const { access } = venue.engine;
    const hashes = {
      recovery: access.recovery(idOf(7))?.secretHash,
      invitation: access.invitation(idOf(1), 0)?.secretHash,
    };
    const { createdMs } = access.notice(noticeId) ?? assert.fail();
    await settled();
    assert.equal(lettersOf(server).length, before + 1, kind);
    const letter = lettersOf(server)[before] ?? assert.fail();
    const receiver =
      { invitation: "new@example.com", breakGlass: "carol@example.com" }[kind as string] ?? "a@example.com";
    assert.equal(letter.to, receiver);
    assert.match(letter.subject, /^[\x20-\x7e]+ \(x\.example\)$/);
    assert.ok(letter.text.startsWith(`This email is from the exchange at ${PUBLIC_URL}.\n\n`));
    for (const shown of SHOWS[kind]) assert.ok(letter.text.includes(shown), `${shown} in ${letter.text}`);
    const links = linksOf(letter);
    if (LOCKS.includes(kind)) checkLock(letter, noticeId, createdMs);
    else assert.equal(links.has(`${ACCOUNT}lock-account`), false);
    for (const page of ["invitation", "recovery"] as const) {
      assert.equal(links.has(ACCOUNT + page), kind === page);
      if (kind !== page) continue;
      assert.equal(LINKS.hashOf(links.get(ACCOUNT + page)?.get("secret") ?? ""), hashes[page]);
    }
    assert.equal(links.has(`${ACCOUNT}cancel-recovery`), kind === "recovery");
  }
  const cancel = lettersOf(server)
    .map((letter) => linksOf(letter).get(`${ACCOUNT}cancel-recovery`))
    .find(Boolean);
  assert.deepEqual([cancel?.get("id"), cancel?.get("secret")], [idOf(7), LINKS.secretOf("cancelRecovery", idOf(7))]);
});

test("operators' emails link to the console only", async () => {
  start();
  venue.invite(3, "carol@example.com", "operator:carol");
  await settled();
  venue.accept(3);
  server.taken.length = 0;
  venue.invite(4, "carol@example.com", "operator:carol");
  venue.signIn("Firefox", "operator:carol");
  venue.act({ type: "setOperatorTotp", by: "operator:carol", name: "carol", sealedSecret: "s" });
  await settled();
  const letters = lettersOf(server);
  assert.deepEqual(new Set(letters.map(({ to }) => to)), new Set(["carol@example.com"]));
  for (const { text } of letters) assert.equal(text.includes("/account/"), false);
  const links = letters.map((letter) => linksOf(letter).get(`${CONSOLE_URL}/invitation`)).filter(Boolean);
  assert.deepEqual(
    links.map((link) => link?.get("secret")),
    [LINKS.secretOf("invitation", idOf(4))],
  );
});

test("user-supplied text cannot add a header, a line or a link", async () => {
  start();
  venue.invite(2, "a@example.com", "account:100");
  venue.accept(2);
  await settled();
  server.taken.length = 0;
  venue.signIn(NASTY);
  venue.createApiKey(NASTIER);
  venue.addAddress(NASTY);
  venue.act({ type: "breakGlass", by: "operator:carol", why: NASTY });
  await settled();
  const letters = lettersOf(server);
  assert.equal(letters.length, 4);
  for (const { to, headers, text } of letters) {
    assert.doesNotMatch(to, /,/);
    // A header of that name, not part of a Message-ID.
    assert.doesNotMatch(headers, /^bcc:|evil/im);
    const lines = text.split("\n").filter((line) => line.includes("evil"));
    assert.equal(lines.length, 1, text);
    assert.match(lines[0] ?? "", /^ {2}[A-Z][a-z ]+: +"[^"]*"$/);
    assert.doesNotMatch(text, /evil\.[a-z]|\/\/evil|www\.[a-z]|[\u202e\u2028]/);
  }
});

test("an address that a mail server could read as several gets no email", async () => {
  start();
  const emails = ["a@x.example, b@y.example", "A <a@x.example>", "a@x.example;b@y.example", "nobody"];
  for (const [index, email] of emails.entries()) venue.invite(10 + index, email);
  await settled();
  assert.deepEqual(server.taken, []);
});

test("without a mail server emails are kept for the operator and count as handed over", async () => {
  const { outbox } = start({ hasServer: false });
  venue.invite(1);
  await settled();
  const [letter, ...others] = outbox.list();
  assert.deepEqual([letter?.status, others.length], ["kept", 0]);
  assert.equal(outbox.find(letter?.mailId ?? "")?.text, letter?.text);
  await outbox.close();
  const later = start({ hasServer: false });
  assert.deepEqual(later.outbox.list(), [letter]);
});

test("an email missing after a crash is written once at the start, with the same link", async () => {
  venue.invite(1);
  const first = start({ hasServer: false });
  const [letter] = first.outbox.list();
  await kill(first);
  // The outbox is lost before the email is sent.
  rmSync(join(folder, "mail"), { recursive: true });
  venue = fresh(() => venue.invite(1));
  const second = start();
  await settled();
  const [sent] = lettersOf(server);
  assert.deepEqual(linksOf(sent ?? assert.fail()), linksOf(letter ?? assert.fail()));
  await kill(second);
  start();
  await until("it is told", () => venue.owed.length === 0);
  assert.equal(server.taken.length, 1);
});

function fresh(acts: () => void): NoticeVenue {
  venue = new NoticeVenue();
  acts();
  return venue;
}

test("a process that dies between sending and journaling does not send the email twice", async () => {
  const isDead = (): never => {
    throw new NotAccepted("the process is gone");
  };
  const first = start({ run: isDead });
  venue.invite(1);
  await until("it is sent", () => first.outbox.list()[0]?.status === "sent");
  assert.deepEqual(venue.owed, ["invitation"]);
  await kill(first);
  start();
  await settled();
  assert.equal(server.taken.length, 1);
});

test("a temporary error is retried; a rejected email is failed, and an operator can resend it", async () => {
  server.refusals.push(550);
  const { outbox } = start();
  const statuses: string[] = [];
  const { follower } = venue;
  venue.follower = (entry, events) => {
    for (const event of events) if (event.type === "noticeChanged") statuses.push(event.status);
    follower?.(entry, events);
  };
  venue.invite(1);
  await settled();
  assert.deepEqual(statuses, ["waiting", "failed"]);
  const [letter] = outbox.list();
  assert.equal(letter?.status, "failed");
  await outbox.sendAgain(letter?.mailId ?? "", "me");
  await until("it is sent after all", () => outbox.list()[0]?.status === "sent");
  assert.equal(server.taken.length, 1);
});

test("an email waits while the server is down and is sent after a restart", async () => {
  const { port } = server;
  await server.close();
  const first = start();
  venue.invite(1);
  await until("it was tried", () => (first.outbox.list()[0]?.attempts ?? 0) > 0);
  assert.deepEqual(venue.owed, ["invitation"]);
  await kill(first);
  server = await startMailServer(port);
  start();
  await settled();
  assert.equal(server.taken.length, 1);
});

test("an email with an expired link is not sent", async () => {
  venue.invite(1);
  venue.act({ type: "revokeInvitation", by: "admin", invitationId: idOf(1) });
  venue.invite(2);
  venue.nowMs += HOUR_MS;
  // It was invited under another master key.
  venue.invite(3, "new@example.com", null, "cd".repeat(32));
  start();
  await settled();
  assert.deepEqual(server.taken, []);
});

test("an email claimed by another node is reported unknown by a node that continues alone", async () => {
  venue.invite(1);
  venue.act({ type: "changeNotice", noticeId: 1, from: "waiting", to: "claimed" });
  start();
  await settled();
  assert.deepEqual(server.taken, []);
});

test("in a lab the result is journaled at once, independent of the disk", async () => {
  start({ hasServer: false, isOfLab: true });
  venue.invite(1);
  for (let turn = 0; turn < 3; turn++) await Promise.resolve();
  assert.deepEqual(venue.owed, []);
});
