/** The time window of a signed request. Interface 5.6. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { BAD_RECV_WINDOW, checkTiming, TIMESTAMP_AHEAD, TIMESTAMP_TOO_OLD } from "@pricetime/protocol";

const NOW_MS = 1_700_000_000_000;

test("the window, to the millisecond", () => {
  assert.equal(checkTiming(NOW_MS, 5000, NOW_MS), null);
  assert.equal(checkTiming(NOW_MS - 5000, 5000, NOW_MS), null);
  assert.equal(checkTiming(NOW_MS - 5001, 5000, NOW_MS), TIMESTAMP_TOO_OLD);
  assert.equal(checkTiming(NOW_MS + 999, 5000, NOW_MS), null);
  assert.equal(checkTiming(NOW_MS + 1000, 5000, NOW_MS), TIMESTAMP_AHEAD);
  assert.equal(checkTiming(NOW_MS, 0, NOW_MS), null);
  assert.equal(checkTiming(NOW_MS - 1, 0, NOW_MS), TIMESTAMP_TOO_OLD);
  assert.equal(checkTiming(NOW_MS - 60_000, 60_000, NOW_MS), null);
  assert.equal(checkTiming(NOW_MS, 60_001, NOW_MS), BAD_RECV_WINDOW);
  assert.equal(checkTiming(0, 60_001, NOW_MS), BAD_RECV_WINDOW);
  assert.equal(checkTiming(1e20, 5000, NOW_MS), TIMESTAMP_AHEAD);
});

test("texts", () => {
  assert.deepEqual(TIMESTAMP_TOO_OLD, {
    code: -1021,
    msg: "Timestamp for this request is outside of the recvWindow.",
    status: 400,
  });
  assert.deepEqual(TIMESTAMP_AHEAD, {
    code: -1021,
    msg: "Timestamp for this request was 1000ms ahead of the server's time.",
    status: 400,
  });
  assert.deepEqual(BAD_RECV_WINDOW, { code: -1131, msg: "recvWindow must be less than 60000", status: 400 });
});
