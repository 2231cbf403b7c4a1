import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { CONFIRMATION_LIFE_MS } from "@pricetime/engine";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { until } from "@pricetime/testkit/waiting";
import { mailFilesIn, MailFolder } from "../../../src/people/mail/mail-folder.ts";
import { MailUnknown, MAX_ATTEMPTS, smtpSending } from "../../../src/people/mail/smtp.ts";
import {
  MAX_PAST_LETTERS,
  MAX_PAST_MAILS,
  MAX_WAITING_MAILS,
  FileOutbox,
  type MailRoomOptions,
} from "../../../src/people/mail/mail-room.ts";
import { MailNotSendable } from "../../../src/people/mail/port.ts";
import { type MailServer, startMailServer } from "@pricetime/testkit/mail-server";
import { MACHINE } from "../../../src/platform/world/machine.ts";

let folder = "";
let open: (() => Promise<void>)[] = [];
beforeEach(() => {
  folder = temporaryFolder();
  open = [];
});
afterEach(async () => {
  for (const close of open.toReversed()) await close();
  rmSync(folder, { recursive: true });
});

const MAIL = { to: "a@example.com", subject: "Hello", text: "A line.\n" };
const WITHDRAWAL = {
  withdrawalId: "0123456789abcdef0123456789abcdef",
  secret: "a secret&more",
  email: "a@example.com",
  asset: "BTC",
  network: "BTC",
  address: "bc1qxyz",
  tag: "",
  name: "",
  amount: "1.5",
  fee: "0.0005",
  receives: "1.4995",
  minutesLeft: 30,
};

interface Room {
  readonly room: FileOutbox;
  readonly told: string[];
}

function roomOf(options: Partial<MailRoomOptions> = {}): Room {
  const told: string[] = [];
  const onError = (error: Error): void => void told.push(error.message);
  const room = new FileOutbox({
    world: MACHINE,
    folder: new MailFolder(mailFilesIn(join(folder, "mail")), { world: MACHINE, onError }),
    sending: null,
    publicUrl: () => "https://exchange.example",
    log: { warn: (_fields, message) => void told.push(message) },
    firstPauseMs: 5,
    ...options,
  });
  open.push(() => room.close());
  return { room, told };
}

const smtpTo = (port: number): MailRoomOptions["sending"] =>
  smtpSending({ host: "127.0.0.1", port, tls: false, requireTls: false, login: null }, "exchange@example.com");

async function server(port = 0): Promise<MailServer> {
  const started = await startMailServer(port);
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await started.close();
    isOpen = false;
  };
  open.push(close);
  return { ...started, close };
}

test("without a mail server emails are kept in owner-only files and survive a restart", async () => {
  const { room } = roomOf();
  room.confirmWithdrawal(WITHDRAWAL);
  const [mail] = room.list();
  assert.equal(mail?.status, "kept");
  assert.equal(mail?.to, WITHDRAWAL.email);
  await room.close();
  const [file = ""] = readdirSync(join(folder, "mail"));
  assert.equal(statSync(join(folder, "mail", file)).mode & 0o777, 0o600);
  assert.deepEqual(roomOf().room.list(), [mail]);
});

test("the email describes the withdrawal, and its link has id and secret", () => {
  const { room } = roomOf();
  room.confirmWithdrawal({ ...WITHDRAWAL, tag: "memo 7" });
  const text = room.list()[0]?.text ?? "";
  for (const shown of ["1.5 BTC", "0.0005 BTC", "bc1qxyz", "memo 7", "30 minutes"])
    assert.ok(text.includes(shown), shown);
  const link = new URL(/https:\S+/.exec(text)?.[0] ?? "");
  assert.equal(link.origin + link.pathname, "https://exchange.example/withdraw/confirm");
  assert.deepEqual([...link.searchParams.values()], [WITHDRAWAL.withdrawalId, WITHDRAWAL.secret]);
  room.confirmWithdrawal(WITHDRAWAL);
  assert.doesNotMatch(room.list()[0]?.text ?? "", /Tag/);
});

test("a mail server gets each email, and an accepted one is not resent after a restart", async () => {
  const { taken, port } = await server();
  const { room } = roomOf({ sending: smtpTo(port) });
  room.confirmWithdrawal(WITHDRAWAL);
  room.post(MAIL);
  await until("both are sent", () => room.list().every(({ status }) => status === "sent"));
  assert.deepEqual(
    taken.map(({ to }) => to),
    [[WITHDRAWAL.email], [MAIL.to]],
  );
  assert.match(taken[0]?.raw ?? "", /^From: exchange@example.com/m);
  // Quoted-printable breaks a long line with `=`.
  assert.ok((taken[0]?.raw ?? "").replaceAll("=\r\n", "").includes(WITHDRAWAL.withdrawalId));
  await room.close();
  const later = roomOf({ sending: smtpTo(port) });
  later.room.post({ ...MAIL, to: "b@example.com" });
  await until("the new one is sent", () => later.room.waiting === 0);
  assert.equal(taken.length, 3);
});

test("an email that is temporarily rejected is retried until it is accepted", async () => {
  const { taken, refusals, port } = await server();
  refusals.push(451, 421, 0);
  const { room, told } = roomOf({ sending: smtpTo(port) });
  const mailId = room.post(MAIL);
  await until("it is sent", () => room.find(mailId)?.status === "sent");
  assert.deepEqual([room.find(mailId)?.attempts, taken.length, told.length], [3, 1, 2]);
  assert.equal(room.find(mailId)?.trouble, "");
});

test("a permanently rejected email is failed at once, kept and shown", async () => {
  const { taken, refusals, port } = await server();
  refusals.push(550);
  const { room, told } = roomOf({ sending: smtpTo(port) });
  const mailId = room.post(MAIL);
  room.post({ ...MAIL, to: "b@example.com" });
  await until("nothing waits", () => room.waiting === 0);
  const failed = room.find(mailId);
  assert.deepEqual([failed?.status, failed?.attempts, failed?.text], ["failed", 1, MAIL.text]);
  assert.match(failed?.trouble ?? "", /550/);
  assert.deepEqual([taken.length, told], [1, ["an email failed"]]);
  await room.sendAgain(mailId);
  await until("it is sent after all", () => room.find(mailId)?.status === "sent");
  await assert.rejects(room.sendAgain(mailId), MailNotSendable);
});

test("emails wait while the server is down and are sent when it is back", async () => {
  const { port, close } = await server();
  await close();
  const { room } = roomOf({ sending: smtpTo(port) });
  const mailId = room.post(MAIL);
  await until("it was tried", () => (room.find(mailId)?.attempts ?? 0) > 0);
  assert.equal(room.find(mailId)?.status, "waiting");
  assert.match(room.find(mailId)?.trouble ?? "", /ECONNREFUSED/);
  await room.close();
  const back = await server(port);
  const { room: later } = roomOf({ sending: smtpTo(port) });
  await until("it is sent", () => later.find(mailId)?.status === "sent");
  assert.equal(back.taken.length, 1);
});

test("an email is failed after the maximum number of attempts", async () => {
  const { port, close } = await server();
  await close();
  const { room } = roomOf({ sending: smtpTo(port), firstPauseMs: 0 });
  const mailId = room.post(MAIL);
  await until("it is given up", () => room.find(mailId)?.status === "failed");
  assert.equal(room.find(mailId)?.attempts, MAX_ATTEMPTS);
});

test("a server that never answers delays neither the caller nor the stop", async () => {
  const silent = createServer();
  await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
  const sockets = new Set<{ destroy(): void }>();
  silent.on("connection", (socket) => sockets.add(socket));
  const { room } = roomOf({ sending: smtpTo((silent.address() as { port: number }).port) });
  const mailId = room.post(MAIL);
  await until("it is connected", () => sockets.size > 0);
  assert.equal(room.find(mailId)?.status, "waiting");
  await room.close();
  for (const socket of sockets) socket.destroy();
  silent.close();
  assert.equal(roomOf().room.find(mailId)?.status, "kept");
});

test("a server without encryption gets nothing if encryption is required", async () => {
  const { taken, port } = await server();
  const demanding = { host: "127.0.0.1", port, tls: false, requireTls: true, login: null };
  const { room } = roomOf({ sending: smtpSending(demanding, "exchange@example.com") });
  const mailId = room.post(MAIL);
  await until("it was tried", () => (room.find(mailId)?.attempts ?? 0) > 0);
  assert.equal(room.find(mailId)?.status, "waiting");
  assert.equal(taken.length, 0);
});

test("a login is used, and a wrong one leaves the email waiting", async () => {
  const seen: (string | undefined)[] = [];
  const started = await startMailServer(0, {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => {
      seen.push(username);
      if (password === "right") done(null, { user: username });
      else done(new Error("no"));
    },
  });
  open.push(started.close);
  const login = { user: "venue", password: "wrong" };
  const target = { host: "127.0.0.1", port: started.port, tls: false, requireTls: false, login };
  const first = roomOf({ sending: smtpSending(target, "exchange@example.com"), firstPauseMs: 1e6 });
  const mailId = first.room.post(MAIL);
  await until("it was tried", () => (first.room.find(mailId)?.attempts ?? 0) > 0);
  assert.equal(first.room.find(mailId)?.status, "waiting");
  await first.room.close();
  const right = { ...target, login: { ...login, password: "right" } };
  const { room } = roomOf({ sending: smtpSending(right, "exchange@example.com") });
  await until("it is sent", () => room.find(mailId)?.status === "sent");
  assert.deepEqual([started.taken.length, seen.at(-1)], [1, "venue"]);
});

test("finished emails are forgotten, oldest first, waiting ones are not", async () => {
  let nowMs = 1000;
  const { room } = roomOf({ world: { ...MACHINE, nowMs: () => nowMs++ } });
  const ids = Array.from({ length: MAX_PAST_MAILS + 3 }, () => room.post(MAIL));
  assert.equal(room.list().length, MAX_PAST_MAILS);
  assert.deepEqual([room.find(ids[2] ?? ""), room.find(ids[3] ?? "")?.mailId], [undefined, ids[3]]);
  await room.close();
  assert.equal(readdirSync(join(folder, "mail")).length, MAX_PAST_MAILS);
});

test("an email with a valid link is not forgotten, or the next start would send it again", () => {
  const nowhere = { load: () => [], save: () => {}, remove: () => {}, settled: async () => {} };
  let nowMs = 1_600_000_000_000;
  const { room } = roomOf({ world: { ...MACHINE, nowMs: () => nowMs }, folder: nowhere as unknown as MailFolder });
  const post = (count: number): unknown =>
    Array.from({ length: count }, (_, n) => room.post({ ...MAIL, withdrawalId: `${nowMs} ${n}` }));
  post(MAX_PAST_MAILS + 3);
  assert.equal(room.withdrawalsWrittenOf().size, MAX_PAST_MAILS + 3);
  post(MAX_PAST_LETTERS);
  assert.equal(room.withdrawalsWrittenOf().size, MAX_PAST_LETTERS);
  nowMs += CONFIRMATION_LIFE_MS;
  post(1);
  assert.equal(room.list().length, MAX_PAST_MAILS);
});

test("waiting emails are bounded, and one beyond the bound is kept as failed", () => {
  const never: MailRoomOptions["sending"] = { send: () => new Promise(() => {}), close: () => {} };
  // The test does not write ten thousand files.
  const nowhere = { load: () => [], save: () => {}, remove: () => {}, settled: async () => {} };
  const { room, told } = roomOf({ sending: never, folder: nowhere as unknown as MailFolder });
  for (let index = 0; index < MAX_WAITING_MAILS; index++) room.post(MAIL);
  assert.deepEqual([room.waiting, told], [MAX_WAITING_MAILS, []]);
  const mailId = room.post(MAIL);
  assert.deepEqual([room.waiting, room.find(mailId)?.status, told.length], [MAX_WAITING_MAILS, "failed", 1]);
});

test("an email that cannot be written to disk waits in memory and is written later", async () => {
  const path = join(folder, "mail");
  const troubles: (string | null)[] = [];
  const onTrouble = (error: Error | null): void => void troubles.push(error && error.name);
  const disk = new MailFolder(mailFilesIn(path), { world: MACHINE, onError: assert.fail, onTrouble, firstPauseMs: 5 });
  const { room } = roomOf({ folder: disk });
  const first = room.post(MAIL);
  await disk.settled();
  // A missing folder simulates a full disk, as root ignores permissions.
  rmSync(path, { recursive: true });
  const second = room.post(MAIL);
  await until("it was told more than once", () => troubles.length > 2);
  mkdirSync(path);
  await until("it is told that all is well", () => troubles.at(-1) === null);
  assert.deepEqual(readdirSync(path), [`${second}.json`]);
  assert.deepEqual(
    room.list().map(({ mailId }) => mailId),
    [second, first],
  );
});

test("a file that is not an email is reported and left, and the others are read", async () => {
  const { room } = roomOf();
  const mailId = room.post(MAIL);
  await room.close();
  const path = join(folder, "mail", "0000000000001-bad.json");
  writeFileSync(path, "{");
  const again = roomOf();
  assert.match(again.told[0] ?? "", /0000000000001-bad\.json/);
  assert.deepEqual(
    again.room.list().map((mail) => mail.mailId),
    [mailId],
  );
  assert.equal(readFileSync(path, "utf8"), "{");
});

test("a send that may have succeeded is distinguished from one that did not", async () => {
  const sentTo = async (breakAt: string): Promise<string> => {
    const silent = createServer((socket) => {
      let isText = false;
      socket.on("error", () => {});
      socket.write("220 ready\r\n");
      socket.on("data", (data) => {
        const said = data.toString();
        if (said.startsWith(breakAt) || (isText && said.includes("\r\n.\r\n"))) return void socket.destroy();
        if (isText) return;
        isText = said.startsWith("DATA");
        socket.write(isText ? "354 go on\r\n" : "250 fine\r\n");
      });
    });
    const port = await new Promise<number>((done) => {
      silent.listen(0, "127.0.0.1", () => done((silent.address() as AddressInfo).port));
    });
    const sending = smtpTo(port);
    const name = await sending?.send(MAIL).then(
      () => "sent",
      (error: Error) => error.name,
    );
    silent.close();
    return name ?? "";
  };
  assert.equal(await sentTo("EHLO"), "Error");
  assert.equal(await sentTo("DATA"), MailUnknown.name);
  assert.equal(await sentTo("nothing"), MailUnknown.name);
});
