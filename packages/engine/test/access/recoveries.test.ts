/** Forgotten passwords: when a recovery may begin and end. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { TestExchange, START_MS } from "../harness.ts";

const DAY_MS = 86_400_000;
const SECRET_HASH = "ab".repeat(32);

function customer(exchange = new TestExchange(), digit = "1"): TestExchange {
  const [invitationId, untilMs] = [digit.repeat(32), START_MS + DAY_MS];
  const opens = { name: "", makerBps: 0, takerBps: 0 };
  const invitation = { invitationId, secretHash: SECRET_HASH, email: `${digit}@example.org`, holder: null, untilMs };
  exchange.run({ type: "invite", by: "admin", ...invitation, opens });
  exchange.run({ type: "acceptInvitation", invitationId, secretHash: SECRET_HASH, sealedPassword: "s1.x" });
  return exchange;
}

test("a recovery may begin before its entry, must not end before it, and has an id of its own", () => {
  const ask = { type: "askRecovery", holder: "account:100", secretHash: SECRET_HASH } as const;
  const exchange = customer();
  const { timeMs } = exchange.engine;
  for (const [place, fromMs, untilMs, wanted] of [
    [1, timeMs - 5000, timeMs - 1, "INVALID_VALUE"],
    [2, timeMs + 2 * DAY_MS, timeMs + DAY_MS, "INVALID_VALUE"],
    [3, timeMs - 5000, timeMs + DAY_MS, "recoveryChanged noticeChanged"],
  ] as const) {
    assert.equal(exchange.answer({ ...ask, recoveryId: String(place).repeat(32), fromMs, untilMs }), wanted);
  }
  const ofOther = { holder: "account:101", recoveryId: "3".repeat(32), fromMs: timeMs, untilMs: timeMs + DAY_MS };
  assert.equal(customer(exchange, "2").answer({ ...ask, ...ofOther }), "ALREADY_EXISTS");
});
