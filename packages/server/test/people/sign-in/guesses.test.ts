/** Pauses after wrong passwords: they grow, end, and affect the guesser only. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Guess, Guesses } from "../../../src/people/sign-in/attempts.ts";
import { GUESS_LIMITS } from "../../../src/people/sign-in/limits.ts";
import { goesOn, type Step } from "../../platform/world/goes-on.ts";
import { NOTHING_SAVED } from "../../../src/platform/world/port.ts";

const START_MS = 1_600_000_000_000;
const { freeTries, firstPauseMs, longestPauseMs, freeTriesOfStrangers, strangersPauseMs, forgetAfterMs } = GUESS_LIMITS;

const from = (ip: string, more: Partial<Guess> = {}): Guess => ({
  ...{ subject: "ann@example.com", ip, device: null, isFamiliarAddress: false },
  ...more,
});

test("after a few wrong attempts of a sender each pause doubles, up to a bound", () => {
  const guesses = new Guesses(NOTHING_SAVED);
  let nowMs = START_MS;
  const pauses: number[] = [];
  for (let i = 0; i < 30; i++) {
    const waitMs = guesses.begin(from("192.0.2.1"), nowMs);
    if (waitMs > 0) pauses.push(waitMs);
    nowMs += waitMs;
    if (waitMs > 0) assert.equal(guesses.begin(from("192.0.2.1"), nowMs), 0);
  }
  assert.deepEqual(
    pauses.slice(0, 4),
    [1, 2, 4, 8].map((times) => times * firstPauseMs),
  );
  assert.equal(Math.max(...pauses), longestPauseMs);
});

test("simultaneous attempts gain nothing over sequential ones", () => {
  const guesses = new Guesses(NOTHING_SAVED);
  const begun = Array.from({ length: 50 }, () => guesses.begin(from("192.0.2.1"), START_MS));
  assert.equal(begun.filter((waitMs) => waitMs === 0).length, freeTries);
});

test("wrong attempts do not delay the holder elsewhere, or a known browser at the same address", () => {
  const guesses = new Guesses(NOTHING_SAVED);
  for (let i = 0; i < 40; i++) guesses.begin(from("192.0.2.1"), START_MS);
  assert.ok(guesses.begin(from("192.0.2.1"), START_MS) > 0);
  assert.equal(guesses.begin(from("198.51.100.7"), START_MS), 0);
  assert.equal(guesses.begin(from("192.0.2.1", { device: "d1" }), START_MS), 0);
  assert.equal(guesses.begin({ ...from("192.0.2.1"), subject: "bob@example.com" }, START_MS), 0, "another holder");
});

test("an IPv6 network is one sender", () => {
  const guesses = new Guesses(NOTHING_SAVED);
  for (let i = 0; i < freeTries; i++) assert.equal(guesses.begin(from(`2001:db8:0:1::${i + 1}`), START_MS), 0);
  assert.ok(guesses.begin(from("2001:db8:0:1::ff"), START_MS) > 0);
});

test("guesses from many addresses have a common limit, which does not apply to known clients", () => {
  const guesses = new Guesses(NOTHING_SAVED);
  const address = (i: number): string => `10.${i >> 8}.${i & 255}.1`;
  let taken = 0;
  for (let i = 0; i < 1000; i++) if (guesses.begin(from(address(i)), START_MS) === 0) taken++;
  assert.equal(taken, freeTriesOfStrangers);
  assert.equal(guesses.begin(from("172.16.0.1"), START_MS), strangersPauseMs);
  assert.equal(guesses.begin(from("172.16.0.2", { isFamiliarAddress: true }), START_MS), 0);
  assert.equal(guesses.begin(from("172.16.0.3", { device: "d1" }), START_MS), 0);
  assert.equal(guesses.begin(from("172.16.0.4"), START_MS + strangersPauseMs), 0, "one stranger at a time goes on");
  assert.equal(guesses.begin(from("172.16.0.5"), START_MS + strangersPauseMs), strangersPauseMs);
});

test("a proof of work allows an attempt beyond the common limit; the work doubles with each wrong one, up to a bound", () => {
  const guesses = new Guesses(NOTHING_SAVED);
  const { firstWorkBits, mostWorkBits } = GUESS_LIMITS;
  for (let i = 0; i < freeTriesOfStrangers; i++) guesses.begin(from(`10.0.${i}.1`), START_MS);
  const bits: (number | null)[] = [];
  for (let i = 0; i < 20; i++) {
    const stranger = from(`172.16.${i}.1`);
    assert.ok(guesses.begin(stranger, START_MS) > 0);
    bits.push(guesses.workBits(stranger, START_MS));
    assert.equal(guesses.begin(stranger, START_MS, true), 0);
  }
  assert.deepEqual(
    bits.slice(0, 3),
    [0, 1, 2].map((more) => firstWorkBits + more),
  );
  assert.equal(bits.at(-1), mostWorkBits);
});

test("work does not skip the pauses of a sender's own wrong attempts, unless all senders share the address", () => {
  const guesses = new Guesses(NOTHING_SAVED);
  const [own, shared] = [from("192.0.2.1"), from("127.0.0.1", { isSharedAddress: true })];
  for (const guess of [own, shared]) for (let i = 0; i < freeTries; i++) guesses.begin(guess, START_MS);
  assert.equal(guesses.workBits(own, START_MS), null);
  assert.ok(guesses.begin(own, START_MS, true) > 0);
  for (let i = 0; i < 20; i++) {
    assert.ok(guesses.begin(shared, START_MS) > 0);
    assert.equal(guesses.begin(shared, START_MS, true), 0);
  }
  assert.equal(guesses.workBits(shared, START_MS), GUESS_LIMITS.mostWorkBitsAtSharedAddress);
  const known = { ...shared, device: "d1" };
  for (let i = 0; i < freeTries; i++) assert.equal(guesses.begin(known, START_MS), 0, "a mark has pauses of its own");
  assert.ok(guesses.begin(known, START_MS, true) > 0);
});

test("a right password resets the sender, and so does time", () => {
  const guesses = new Guesses(NOTHING_SAVED);
  for (let i = 0; i < freeTries - 1; i++) guesses.begin(from("192.0.2.1"), START_MS);
  assert.equal(guesses.begin(from("192.0.2.1"), START_MS), 0);
  guesses.right(from("192.0.2.1"));
  for (let i = 0; i < freeTries; i++) assert.equal(guesses.begin(from("192.0.2.1"), START_MS), 0);
  assert.ok(guesses.begin(from("192.0.2.1"), START_MS) > 0);
  assert.equal(guesses.begin(from("192.0.2.1"), START_MS + forgetAfterMs), 0);
});

test("an attempt that was not made is refunded, only that one", () => {
  const guesses = new Guesses(NOTHING_SAVED);
  for (let i = 0; i < freeTries; i++) guesses.begin(from("192.0.2.1"), START_MS);
  guesses.undo(from("192.0.2.1"));
  assert.equal(guesses.begin(from("192.0.2.1"), START_MS), 0);
  assert.ok(guesses.begin(from("192.0.2.1"), START_MS) > 0);
});

test("its saved state restores it, and the longest idle sender is forgotten first", () => {
  const limits = { ...GUESS_LIMITS, maxTracked: 6, freeTriesOfStrangers: 8 };
  const seen = new Set<string>();
  const step: Step<Guesses> = (guesses, dice, nowMs) => {
    const guess = from(`10.0.0.${dice.below(3)}`, { subject: `s${dice.below(3)}`, isFamiliarAddress: dice.oneIn(4) });
    const waitMs = guesses.begin(guess, nowMs);
    if (waitMs === 0 && dice.oneIn(4)) guesses.right(guess);
    seen.add(waitMs === 0 ? "begun" : "paused");
    return waitMs;
  };
  goesOn((saved) => new Guesses(saved, limits), step, 1_000);
  assert.deepEqual([...seen].sort(), ["begun", "paused"]);
});
