import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { createSealer } from "../../../src/platform/secrets/seal.ts";
import {
  MAX_WRONG_CODES,
  newTotpSecret,
  totpCheck,
  totpStep,
  WRONG_CODES_PAUSE_MS,
} from "../../../src/platform/secrets/totp.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { NOTHING_SAVED } from "../../../src/platform/world/port.ts";

/** RFC 6238's example secret in base32, with the example times and the last six digits of their codes. */
const RFC_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const RFC_CODES: readonly (readonly [seconds: number, code: string])[] = [
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_234_567_890, "005924"],
  [20_000_000_000, "353130"],
];

test("codes are those of RFC 6238", () => {
  for (const [seconds, code] of RFC_CODES) {
    assert.equal(totpStep(RFC_SECRET, code, seconds * 1000), Math.floor(seconds / 30), code);
  }
});

test("a code is valid one step before and after its own, and the result has its step", () => {
  const [seconds, code] = RFC_CODES[2] ?? assert.fail();
  const steps = [-2, -1, 0, 1, 2].map((away) => totpStep(RFC_SECRET, code, (seconds + away * 30) * 1000));
  const own = Math.floor(seconds / 30);
  assert.deepEqual(steps, [null, own, own, own, null]);
});

test("malformed codes are rejected", () => {
  for (const code of ["", "28708", "2870820", " 287082", "28708x", "٢٨٧٠٨٢", "287082\n"]) {
    assert.equal(totpStep(RFC_SECRET, code, 59_000), null, JSON.stringify(code));
  }
});

test("a new secret has 160 bits, and its URI has all that an app needs", () => {
  const { secret, uri } = newTotpSecret("a@example.com", MACHINE);
  assert.match(secret, /^[A-Z2-7]{32}$/);
  assert.notEqual(newTotpSecret("a@example.com", MACHINE).secret, secret);
  const { protocol, host, pathname, searchParams } = new URL(uri);
  assert.deepEqual([protocol, host], ["otpauth:", "totp"]);
  assert.equal(decodeURIComponent(pathname), "/Pricetime:a@example.com");
  const told = Object.fromEntries(searchParams);
  assert.deepEqual(told, { issuer: "Pricetime", secret, algorithm: "SHA1", digits: "6", period: "30" });
});

/** Computes the code independently of the tested function. */
function codeOf(secret: string, step: number): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/[01]{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", key).update(counter).digest();
  const at = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

test("an encrypted secret is checked, and guessing is limited per account", () => {
  const sealer = createSealer("ab".repeat(32), MACHINE);
  const { secret } = newTotpSecret("a@example.com", MACHINE);
  const sealed = sealer.seal(secret);
  const check = totpCheck(sealer, NOTHING_SAVED);
  let nowMs = 1_600_000_000_000;
  const right = (account = 100, from = ""): number | null => {
    const step = Math.floor(nowMs / 30_000);
    return check(account, sealed, codeOf(secret, step), nowMs, from);
  };
  const wrong = (account = 100, from = ""): number | null => check(account, sealed, "no", nowMs, from);
  assert.equal(right(), Math.floor(nowMs / 30_000));
  // A right code resets the count of wrong ones.
  for (let rounds = 0; rounds < 3; rounds++) {
    for (let tries = 1; tries < MAX_WRONG_CODES; tries++) assert.equal(wrong(), null);
    assert.notEqual(right(), null);
  }
  for (let tries = 0; tries < MAX_WRONG_CODES; tries++) assert.equal(wrong(), null);
  assert.equal(right(), null);
  assert.notEqual(right(101), null);
  assert.notEqual(right(100, "a browser"), null, "strangers do not use up the tries of a familiar browser");
  for (let tries = 0; tries < MAX_WRONG_CODES; tries++) assert.equal(wrong(100, "a session"), null);
  assert.equal(right(100, "a session"), null);
  assert.notEqual(right(100, "a browser"), null);
  nowMs += WRONG_CODES_PAUSE_MS - 1;
  assert.equal(right(), null);
  nowMs += 1;
  assert.equal(wrong(), null);
  assert.notEqual(right(), null);
});
