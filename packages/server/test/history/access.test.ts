/** Sign-ins of customers in history: their owner, their contents, and files of older versions. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { test } from "node:test";
import type { Command } from "@pricetime/engine";
import { openAccount } from "@pricetime/testkit/commands";
import { batchesOf } from "@pricetime/testkit/journal";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { openHistoryFile } from "../../src/history/table/schema.ts";
import { rebuiltHistory } from "./rebuilt-history.ts";
import { NEWEST_VERSION, WITHOUT_LATER_TABLES } from "./older-history.ts";

const HASH = "ab".repeat(32);
const id = (n: number): string => String(n).padStart(32, "0");
const ANN = "account:100";
const END = Number.MAX_SAFE_INTEGER - 1;

const session = (n: number, holder: string, sealedPassword: string, client: string): Command => ({
  ...{ type: "openSession", holder, sessionId: id(n), secretHash: HASH, sealedPassword, totpStep: null },
  ...{ untilMs: 1_700_003_600_000, ip: "203.0.113.9", client },
});

function commands(nowMs: number): Command[] {
  const untilMs = nowMs + 3_600_000;
  const invite = { type: "invite", by: "test", secretHash: HASH, opens: null, untilMs } as const;
  const accept = { type: "acceptInvitation", secretHash: HASH } as const;
  const open = (n: number, holder: string, password: string): Command => ({
    ...session(n, holder, password, "Firefox"),
    ...{ untilMs },
  });
  return [
    openAccount("ann@test"),
    { type: "openOperator", by: "test", name: "carol", email: "carol@test", role: "support" },
    { ...invite, invitationId: id(1), email: "ann@test", holder: ANN },
    { ...accept, invitationId: id(1), sealedPassword: "s1.p" },
    { ...accept, invitationId: id(1), sealedPassword: "s1.q" },
    { ...invite, invitationId: id(2), email: "carol@test", holder: "operator:carol" },
    { ...accept, invitationId: id(2), sealedPassword: "s1.c" },
    open(3, "operator:carol", "s1.c"),
    open(4, ANN, "s1.p"),
    open(5, ANN, "s1.p"),
    open(6, ANN, "s1.wrong"),
    { type: "closeSession", by: "operator:carol", sessionId: id(4) },
    { type: "setPassword", by: ANN, holder: ANN, was: "s1.p", sealedPassword: "s1.r", except: null },
    { type: "askRecovery", holder: ANN, recoveryId: id(7), secretHash: HASH, fromMs: nowMs, untilMs },
    { type: "recover", recoveryId: id(7), secretHash: HASH, sealedPassword: "s1.t" },
    { ...invite, invitationId: id(8), email: "new@test", holder: null, opens: { name: "N", makerBps: 1, takerBps: 1 } },
    { ...accept, invitationId: id(8), sealedPassword: "s1.n" },
    { type: "openSession", holder: { type: 1 } } as unknown as Command,
    { type: "freezeAccount", by: ANN, accountId: 100 },
  ];
}

const [first] = batchesOf(5, [openAccount("x@test")]);
const { query } = rebuiltHistory(batchesOf(5, commands(first?.timeMs ?? 0)));
const of = (accountId: number): string[] =>
  query("timeLine", { accountId, kinds: ["access"], limit: 100 })
    .rows.map(({ what, by, outcome }) => [what, by, outcome].join(" "))
    .toReversed();

test("a customer's time line has every way in and out, who did it, and what was refused", () => {
  assert.deepEqual(of(100), [
    "invite test done",
    "acceptInvitation  done",
    "openSession  done",
    "openSession  done",
    "openSession  PASSWORD_DIFFERS",
    "closeSession operator:carol done",
    "setPassword account:100 done",
    "askRecovery  done",
    "recover  done",
    "freezeAccount account:100 done",
  ]);
  assert.deepEqual(of(101), ["acceptInvitation  done"]);
  const opened = query("timeLine", { accountId: 100, kinds: ["access"], limit: 100 }).rows.filter(
    ({ what }) => what === "openSession",
  );
  const details = opened.map((row) => row["details"] as Record<string, unknown>).toReversed();
  assert.deepEqual(
    details.map(({ ip, client, isNew }) => [ip, client, isNew]),
    [true, false, false].map((isNew) => ["203.0.113.9", "Firefox", isNew]),
  );
});

test("acts of an account have them, too, page by page, and no secret is in any", () => {
  const acts = query("acts", { accountId: 100, limit: 100 });
  assert.deepEqual(acts.map(({ type }) => type).toReversed(), [
    "openAccount",
    ...of(100).map((line) => line.slice(0, line.indexOf(" "))),
  ]);
  const paged: typeof acts = [];
  for (let beforeSeq = END; ; ) {
    const page = query("acts", { accountId: 100, limit: 3, beforeSeq });
    paged.push(...page);
    const last = page.at(-1);
    if (last === undefined) break;
    beforeSeq = last.seq;
  }
  assert.deepEqual(paged, acts);
  assert.doesNotMatch(
    JSON.stringify([acts, query("timeLine", { accountId: 100, kinds: ["access"], limit: 100 })]),
    /s1\.|abab/,
  );
  assert.ok(
    query("acts", { limit: 100 }).every(({ type }) => type !== "openSession"),
    "operators' acts are few",
  );
});

test("a history from before that has seen invitations is made anew, and any other keeps what it has", (t) => {
  const older = (name: string, rows: string): DatabaseSync => {
    const path = join(scratchFolder(t), name);
    openHistoryFile(path).close();
    const database = new DatabaseSync(path);
    database.exec(
      `INSERT INTO position VALUES (1, 7, 'hash'); DROP TABLE access_acts; DROP TABLE posting_blocks; ${WITHOUT_LATER_TABLES} ${rows} PRAGMA user_version = 3`,
    );
    database.close();
    const upgraded = openHistoryFile(path);
    t.after(() => upgraded.close());
    return upgraded;
  };
  const insert = (type: string): string =>
    `INSERT INTO operator_acts VALUES (1, 1, '${type}', 'b', NULL, 'done', '{}');`;
  const count = (database: DatabaseSync, table: string): unknown =>
    database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"];
  const kept = older("kept", insert("deposit"));
  assert.deepEqual([count(kept, "position"), count(kept, "operator_acts"), count(kept, "access_acts")], [1, 1, 0]);
  const anew = older("anew", insert("invite"));
  assert.deepEqual([count(anew, "position"), count(anew, "operator_acts"), count(anew, "access_acts")], [0, 0, 0]);
  for (const database of [kept, anew]) {
    assert.deepEqual({ ...database.prepare("PRAGMA user_version").get() }, { user_version: NEWEST_VERSION });
  }
});
