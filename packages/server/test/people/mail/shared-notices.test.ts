/** Notice emails of several nodes over a real mail server: claimed, sent by the holder of the role, and reported. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { type Command, type LetterStatus } from "@pricetime/engine";
import { type MailServer, startMailServer } from "@pricetime/testkit/mail-server";
import { until } from "@pricetime/testkit/waiting";
import { createConfirmations } from "../../../src/platform/secrets/link-secrets.ts";
import type { EmailTenure } from "../../../src/people/mail/mail-run.ts";
import { MAX_PAST_NOTICES, ClusterEmails } from "../../../src/people/mail/cluster-mails.ts";
import { MailNotSendable } from "../../../src/people/mail/port.ts";
import { smtpSending } from "../../../src/people/mail/smtp.ts";
import { NotAccepted, type Outcome, OutcomeUnknown } from "../../../src/journal/sequencer/port.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { CONSOLE_URL, lettersOf, LINKS, linksOf, NoticeVenue, PUBLIC_URL } from "./notice-venue.ts";

const CONFIRMATIONS = createConfirmations("00112233445566778899aabbccddeeff".repeat(2));

let venue = new NoticeVenue();
let server: MailServer;
let nodes: ClusterEmails[] = [];
/** Journaled steps of emails. */
let steps: LetterStatus[] = [];

beforeEach(async () => {
  venue = new NoticeVenue();
  server = await startMailServer();
  nodes = [];
  steps = [];
  venue.follower = (entry, events) => {
    for (const event of events) if (event.type === "noticeChanged") steps.push(event.status);
    for (const each of nodes) each.applied(entry, events);
  };
});
afterEach(async () => {
  for (const each of nodes) await each.close();
  await server.close();
});

function node({ hasServer = true } = {}): ClusterEmails {
  const smtp = { host: "127.0.0.1", port: server.port, tls: false, requireTls: false, login: null };
  const letters = new ClusterEmails({
    view: venue.engine,
    sequencer: { run: async (command) => venue.run(command) },
    sending: hasServer ? smtpSending(smtp, "exchange@example.com") : null,
    publicUrl: () => PUBLIC_URL,
    consoleUrl: () => CONSOLE_URL,
    links: LINKS,
    confirmations: CONFIRMATIONS,
    log: { warn: () => {} },
    world: { ...MACHINE, nowMs: () => venue.nowMs },
  });
  nodes.push(letters);
  return letters;
}

interface TaskGrant extends EmailTenure {
  isHeld: boolean;
  /** Errors of the next commands, and whether each is carried out nevertheless. */
  readonly says: (Error | null)[];
}

function tenure(): TaskGrant {
  const says: (Error | null)[] = [];
  const own: TaskGrant = {
    isHeld: true,
    says,
    run: async (command: Command): Promise<Outcome> => {
      if (!own.isHeld) throw new NotAccepted("another holds the role");
      const said = says.shift() ?? null;
      if (said instanceof NotAccepted) throw said;
      const outcome = venue.run(command);
      if (said !== null) throw said;
      return outcome;
    },
  };
  return own;
}

const settled = (): Promise<void> => until("the exchange owes nothing", () => venue.owed.length === 0);
const statuses = (letters: ClusterEmails): string[] => letters.list().map(({ status }) => status);

test("the holder claims, sends and reports each email once; every node shows it before and after", async () => {
  const [holder, other] = [node(), node()];
  venue.invite(1);
  assert.deepEqual([statuses(holder), statuses(other)], [["waiting"], ["waiting"]]);
  assert.equal(other.waiting, 1);
  const [shown] = other.list();
  holder.start(tenure());
  venue.invite(2);
  await settled();
  assert.deepEqual(steps.toSorted(), ["claimed", "claimed", "sent", "sent", "waiting", "waiting"]);
  for (const each of nodes) assert.deepEqual(statuses(each), ["sent", "sent"]);
  assert.equal(other.waiting, 0);
  const [letter] = lettersOf(server);
  assert.deepEqual([server.taken.length, letter?.to], [2, "new@example.com"]);
  const secret =
    linksOf(letter ?? assert.fail())
      .get(`${PUBLIC_URL}/account/invitation`)
      ?.get("secret") ?? "";
  assert.equal(LINKS.hashOf(secret), venue.engine.access.invitation("1".padStart(32, "0"), 0)?.secretHash);
  assert.equal(shown?.text, letter?.text);
  assert.equal(other.find(shown?.mailId ?? "")?.status, "sent");
});

test("an email claimed by a node that died is reported unknown by the next and not resent", async () => {
  const [first, second] = [node(), node()];
  const ours = tenure();
  venue.invite(1);
  // It has claimed the email and dies before it can report the result.
  ours.says.push(null, new NotAccepted("the process is gone"));
  first.start(ours);
  await until("it is sent", () => server.taken.length === 1);
  await until("it stands still", () => ours.says.length === 0);
  ours.isHeld = false;
  assert.deepEqual(steps, ["waiting", "claimed"]);
  second.start(tenure());
  await settled();
  assert.deepEqual(steps, ["waiting", "claimed", "unknown"]);
  assert.equal(server.taken.length, 1);
  assert.deepEqual(statuses(second), ["unknown"]);
  await second.sendAgain(second.list()[0]?.mailId ?? "", "me");
  await until("an operator had it sent again", () => statuses(second)[0] === "sent");
  assert.equal(server.taken.length, 2);
});

test("an unknown claim result is looked up, and the email is sent once", async () => {
  for (const said of [new OutcomeUnknown("nobody knows"), new NotAccepted("busy")]) {
    server.taken.length = 0;
    const holder = node();
    const ours = tenure();
    ours.says.push(said);
    venue.invite(nodes.length);
    holder.start(ours);
    await settled();
    assert.equal(server.taken.length, 1, said.name);
    await holder.stop();
  }
});

test("an email that the server rejects is failed with the reason, and the next is sent", async () => {
  server.refusals.push(550);
  const holder = node();
  venue.invite(1);
  venue.invite(2);
  holder.start(tenure());
  await settled();
  assert.deepEqual(statuses(holder).toSorted(), ["failed", "sent"]);
  const failed = holder.list().find(({ status }) => status === "failed");
  assert.match(failed?.trouble ?? "", /550/);
  assert.equal(failed?.attempts, 1);
});

test("an operator can resend a failed email on the node that holds the role", async () => {
  server.refusals.push(550, 550);
  const [holder, other] = [node(), node()];
  const ours = tenure();
  venue.act({ type: "grantRole", role: "mail", node: "n7", incarnation: "b".repeat(16), after: 0 });
  venue.invite(1);
  holder.start(ours);
  await settled();
  const { mailId } = holder.list()[0] ?? assert.fail();
  const journaled = steps.length;
  await assert.rejects(other.sendAgain(mailId, "me"), /^MailNotSendable: Emails are sent by n7\. Resend it there\.$/);
  await holder.sendAgain(mailId, "me");
  assert.deepEqual([statuses(holder), holder.list()[0]?.attempts], [["waiting"], 0]);
  await assert.rejects(holder.sendAgain(mailId, "me"), MailNotSendable, "it is on its way");
  await until("it is refused again", () => statuses(holder)[0] === "failed");
  assert.match(holder.list()[0]?.trouble ?? "", /550/);
  await holder.sendAgain(mailId, "me");
  await until("it is sent after all", () => statuses(holder)[0] === "sent");
  assert.deepEqual([server.taken.length, steps.length], [1, journaled]);
  await assert.rejects(holder.sendAgain(mailId, "me"), MailNotSendable, "it was sent");
  await assert.rejects(holder.sendAgain("0-none", "me"), MailNotSendable);
});

test("a resent email waits while the server is down, and is failed when the role moves", async () => {
  server.refusals.push(550, 451);
  const holder = node();
  venue.invite(1);
  holder.start(tenure());
  await settled();
  const { mailId } = holder.list()[0] ?? assert.fail();
  await holder.sendAgain(mailId, "me");
  await until("it was tried", () => holder.list()[0]?.attempts === 1);
  assert.deepEqual(statuses(holder), ["waiting"]);
  await holder.stop();
  assert.deepEqual([statuses(holder), server.taken.length], [["failed"], 0]);
});

test("an email whose subject has ended is not resent", async () => {
  server.refusals.push(550);
  const holder = node();
  venue.invite(1);
  holder.start(tenure());
  await settled();
  const { mailId } = holder.list()[0] ?? assert.fail();
  venue.act({ type: "revokeInvitation", by: "admin", invitationId: "1".padStart(32, "0") });
  await assert.rejects(holder.sendAgain(mailId, "me"), /The link in this email is no longer valid/);
});

test("an email with an expired link is failed without sending", async () => {
  const holder = node();
  venue.invite(1);
  venue.act({ type: "revokeInvitation", by: "admin", invitationId: "1".padStart(32, "0") });
  holder.start(tenure());
  await settled();
  assert.deepEqual([steps, server.taken.length], [["waiting", "claimed", "failed"], 0]);
});

test("without a mail server every node shows the unsent emails", () => {
  const mute = node({ hasServer: false });
  venue.invite(1);
  assert.deepEqual(statuses(mute), ["kept"]);
  assert.match(mute.list()[0]?.text ?? "", /secret=/);
});

test("a node remembers a bounded number of finished emails", async () => {
  const idle = node();
  const count = MAX_PAST_NOTICES + 2;
  for (let n = 0; n < count; n++) {
    venue.act({ type: "tellAlreadyKnown", holder: "account:100" });
    const noticeId = n + 1;
    venue.act({ type: "changeNotice", noticeId, from: "waiting", to: "claimed" });
    venue.act({ type: "changeNotice", noticeId, from: "claimed", to: "sent" });
  }
  const listed = idle.list();
  assert.equal(listed.length, MAX_PAST_NOTICES);
  assert.deepEqual([listed[0]?.noticeId, listed.at(-1)?.noticeId], [count, 3]);
});
