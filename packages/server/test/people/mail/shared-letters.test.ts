/** Confirmation emails of several nodes: claimed in the journal before they are sent; unknown outcomes are shown to operators. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Command, Engine, type LetterStatus } from "@pricetime/engine";
import { deposit, listAsset, networkOf, openAccount, requestWithdrawal } from "@pricetime/testkit/commands";
import { Dice } from "@pricetime/testkit/dice";
import { Life, Schedule } from "@pricetime/testkit/schedule";
import { createConfirmations, createLinkSecrets } from "../../../src/platform/secrets/link-secrets.ts";
import type { EmailTenure } from "../../../src/people/mail/mail-run.ts";
import { MailRefused, MailUnknown, MAX_ATTEMPTS, type Sending } from "../../../src/people/mail/smtp.ts";
import { type Mail, MailNotSendable } from "../../../src/people/mail/port.ts";
import { ClusterEmails } from "../../../src/people/mail/cluster-mails.ts";
import { NotAccepted, type Outcome, OutcomeUnknown } from "../../../src/journal/sequencer/port.ts";
import { roleWorld } from "../../cluster/roles/role-world.ts";

const CONFIRMATIONS = createConfirmations("00112233445566778899aabbccddeeff".repeat(2));
const LINKS = createLinkSecrets("00112233445566778899aabbccddeeff".repeat(2));
const MINUTE_MS = 60_000;
const idOf = (number: number): string => String(number).padEnd(32, "0");

/** An exchange that all nodes share, and a mail server with scripted answers. */
class Post {
  readonly schedule = new Schedule();
  readonly engine = new Engine();
  readonly world = roleWorld(this.schedule, new Life(), new Dice(1));
  readonly taken: string[] = [];
  /** Its answers to the next emails; null: accepted. */
  readonly says: (Error | null)[] = [];
  /** While set, the mail server does not answer. */
  silence: Promise<void> | undefined;
  readonly statusWhenSent: LetterStatus[] = [];

  constructor() {
    const bounds = { withdrawFee: "0.1", withdrawMin: "0.2", withdrawMax: "0", confirmsByMail: true };
    this.act(listAsset("BTC", 8, [networkOf("BTC", bounds)]));
    this.act(openAccount("a@example.com", { name: "A" }));
    this.act(deposit(100, "BTC", "100"));
  }

  act(command: Command): Outcome {
    const entry = { seq: this.engine.seq + 1, timeMs: this.world.nowMs(), command };
    return { seq: entry.seq, timeMs: entry.timeMs, events: [...this.engine.apply(entry)] };
  }

  request(number: number): void {
    const withdrawalId = idOf(number);
    const confirmationHash = CONFIRMATIONS.hashOf(CONFIRMATIONS.secretOf(withdrawalId));
    const asked = { accountId: 100, asset: "BTC", address: "somewhere", amount: "1" };
    this.act(requestWithdrawal({ withdrawalId, ...asked, confirmationHash }));
  }

  letter(number: number): LetterStatus {
    return this.engine.funds.letter(idOf(number));
  }

  async run(ms: number): Promise<void> {
    let isOver = false;
    this.schedule.after(ms, () => (isOver = true));
    await this.schedule.run(
      () => isOver,
      (error) => assert.fail(error as Error),
    );
  }

  node(hasServer = true): ClusterEmails {
    return new ClusterEmails({
      view: this.engine,
      sequencer: { run: async (command) => this.act(command) },
      sending: hasServer ? this.#sending() : null,
      publicUrl: () => "https://x.example",
      consoleUrl: () => "https://console.example",
      links: LINKS,
      confirmations: CONFIRMATIONS,
      log: { warn: () => {} },
      world: this.world,
    });
  }

  #sending(): Sending {
    return {
      send: async ({ withdrawalId = "" }: Mail) => {
        this.statusWhenSent.push(this.engine.funds.letter(withdrawalId));
        const said = this.says.shift() ?? null;
        if (said === null || said instanceof MailUnknown) this.taken.push(withdrawalId);
        await this.silence;
        if (said !== null) throw said;
      },
      close: () => {},
    };
  }

  /** Runs until it is stopped, as when another node gets the role. */
  tenure(): EmailTenure & { isHeld: boolean; readonly says: (Error | null)[] } {
    const says: (Error | null)[] = [];
    const tenure = {
      isHeld: true,
      /** Failures of its next commands; null: none. A command with an unknown outcome is carried out. */
      says,
      run: async (command: Command): Promise<Outcome> => {
        if (!tenure.isHeld) throw new NotAccepted("another holds the role");
        const said = says.shift() ?? null;
        if (said instanceof NotAccepted) throw said;
        const outcome = this.act(command);
        if (said !== null) throw said;
        return outcome;
      },
    };
    return tenure;
  }
}

test("an email is claimed, sent and reported once, and every node shows it", async () => {
  const post = new Post();
  const [holder, other] = [post.node(), post.node()];
  post.request(1);
  assert.deepEqual(statuses(other), ["waiting"]);
  assert.equal(other.waiting, 1);
  holder.start(post.tenure());
  await post.run(10);
  post.request(2);
  holder.applied({ seq: 1, timeMs: 1, command: { type: "tick" } }, [
    { type: "letterChanged", withdrawalId: "", status: "sent" },
  ]);
  await post.run(10);
  assert.deepEqual(post.taken, [idOf(1), idOf(2)]);
  assert.deepEqual(post.statusWhenSent, ["claimed", "claimed"]);
  for (const node of [holder, other]) assert.deepEqual(statuses(node), ["sent", "sent"]);
  const [newest] = other.list();
  assert.deepEqual(other.find(newest?.mailId ?? ""), newest);
  assert.match(newest?.text ?? "", /https:\/\/x\.example\S+secret=/);
  await holder.stop();
});

test("an email claimed when the role moved has an unknown outcome, and an operator can resend it", async () => {
  const post = new Post();
  const [first, second] = [post.node(), post.node()];
  const ours = post.tenure();
  const answer = Promise.withResolvers<void>();
  post.silence = answer.promise;
  post.request(1);
  first.start(ours);
  await post.run(10);
  assert.equal(post.letter(1), "claimed");
  ours.isHeld = false;
  post.silence = undefined;
  post.request(2);
  second.start(post.tenure());
  await post.run(10);
  assert.deepEqual([post.letter(1), post.letter(2)], ["unknown", "sent"]);
  // The first continues, and its mail server has accepted the email.
  answer.resolve();
  await post.run(5000);
  assert.equal(post.letter(1), "unknown");
  assert.deepEqual(post.taken, [idOf(1), idOf(2)]);
  const unknown = first.list().find(({ status }) => status === "unknown") ?? assert.fail();
  await assert.rejects(first.sendAgain(first.list()[0]?.mailId ?? "", "me"), MailNotSendable);
  await first.sendAgain(unknown.mailId, "me");
  await post.run(2000);
  assert.deepEqual(post.taken, [idOf(1), idOf(2), idOf(1)]);
  assert.equal(post.letter(1), "sent");
  await assert.rejects(first.sendAgain(unknown.mailId, "me"), MailNotSendable);
  await second.stop();
});

test("a temporary error is retried, a rejection is a failure, and a lost answer is unknown", async () => {
  const post = new Post();
  const holder = post.node();
  for (const number of [1, 2, 3]) post.request(number);
  post.says.push(new Error("450 not now"), new MailRefused("550 never"), new MailUnknown("it broke"));
  holder.start(post.tenure());
  await post.run(100);
  assert.deepEqual([post.letter(1), post.letter(2), post.letter(3)], ["waiting", "failed", "unknown"]);
  const byId = new Map(holder.list().map((mail) => [mail.withdrawalId, mail]));
  assert.deepEqual([byId.get(idOf(1))?.attempts, byId.get(idOf(2))?.trouble], [1, "550 never"]);
  await post.run(20_000);
  assert.equal(post.letter(1), "sent");
  assert.deepEqual(post.taken, [idOf(3), idOf(1)]);
  await holder.sendAgain(byId.get(idOf(2))?.mailId ?? "", "me");
  await post.run(2000);
  assert.equal(post.letter(2), "sent");
  await holder.stop();
});

test("retries end at some time, and nothing is sent after the link has expired", async () => {
  const post = new Post();
  const holder = post.node();
  post.request(1);
  for (let n = 0; n < 2 * MAX_ATTEMPTS; n++) post.says.push(new Error("450 not now"));
  holder.start(post.tenure());
  await post.run(40 * MINUTE_MS);
  assert.ok(post.statusWhenSent.length < MAX_ATTEMPTS);
  assert.equal(post.letter(1), "waiting");
  assert.deepEqual(holder.list(), []);
  await holder.stop();
});

test("whatever the result of the claim, the email is sent at most once", async () => {
  for (const said of [new OutcomeUnknown("nobody knows"), new NotAccepted("busy")]) {
    const post = new Post();
    const holder = post.node();
    const tenure = post.tenure();
    tenure.says.push(said, null, said);
    post.request(1);
    holder.start(tenure);
    await post.run(5000);
    assert.deepEqual(post.taken, [idOf(1)], said.name);
    assert.equal(post.letter(1), "sent");
    await holder.stop();
  }
});

test("cancelling or confirming meanwhile causes no error", async () => {
  const post = new Post();
  const holder = post.node();
  const answer = Promise.withResolvers<void>();
  post.silence = answer.promise;
  post.request(1);
  holder.start(post.tenure());
  await post.run(10);
  post.act({ type: "cancelWithdrawal", accountId: 100, withdrawalId: idOf(1) });
  answer.resolve();
  await post.run(10);
  assert.deepEqual(holder.list(), []);
  await holder.stop();
});

test("without a mail server every node keeps the emails readable and does not take the role", async () => {
  const post = new Post();
  const [mute, other] = [post.node(false), post.node(false)];
  post.request(1);
  assert.match(await mute.whyNot(), /mail\.smtp/);
  assert.equal(await post.node().whyNot(), "");
  for (const node of [mute, other]) assert.deepEqual(statuses(node), ["kept"]);
});

function statuses(letters: ClusterEmails): string[] {
  return letters.list().map(({ status }) => status);
}
