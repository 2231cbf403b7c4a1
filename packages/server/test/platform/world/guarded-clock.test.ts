/** A node's clock over machine clocks that jump, sleep, drift or are coarse. */
import assert from "node:assert/strict";
import fs, { mkdirSync, renameSync, writeFileSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { checkNotBehind, CLOCK_LIMITS, ClockBehind, GuardedClock } from "../../../src/platform/world/clock.ts";
import { MACHINE, MACHINE_CLOCKS, uptimeFrom } from "../../../src/platform/world/machine.ts";

const YEAR_MS = 365 * 86_400_000;
const START_MS = Date.UTC(2026, 0, 1);
const { maxLeapMs, lastingMs } = CLOCK_LIMITS;

/** A machine whose clocks the test controls. */
class Machine {
  steady = 1_234.5;
  asleep = 0;
  uptimeAsked = 0;
  isUptimeKnown = true;
  wallOffset = START_MS - this.steady;
  readonly told: (number | null)[] = [];
  readonly clock: GuardedClock;

  constructor() {
    this.clock = this.begin();
  }

  /** A second guarded clock on the same machine. */
  begin(): GuardedClock {
    const clocks = {
      wallMs: () => Math.floor(this.steady + this.asleep + this.wallOffset),
      steadyMs: () => this.steady,
      // As coarse as the coarsest known clock.
      uptimeMs: () => {
        this.uptimeAsked++;
        if (!this.isUptimeKnown) return Number.NaN;
        return Math.floor((this.steady + this.asleep) / 1000) * 1000;
      },
    };
    return new GuardedClock({ clocks, timers: MACHINE, onLeap: (aheadMs) => this.told.push(aheadMs) });
  }

  get wall(): number {
    return Math.floor(this.steady + this.asleep + this.wallOffset);
  }

  /** Runs for this time and reads the clock every second. */
  run(forMs: number): void {
    for (let left = forMs; left > 0; left -= 1_000) {
      this.steady += Math.min(1_000, left);
      this.clock.check();
    }
  }
}

test("a correct wall clock is followed", () => {
  const machine = new Machine();
  for (let hour = 0; hour < 24; hour++) {
    machine.run(3_600_000);
    assert.equal(machine.clock.nowMs(), machine.wall);
  }
  assert.deepEqual([machine.told, machine.clock.leaps, machine.clock.warning, machine.clock.aheadMs], [[], 0, null, 0]);
});

test("a stopped wall clock counts as a jump", () => {
  const machine = new Machine();
  const stoppedMs = machine.clock.nowMs();
  for (let ranMs = 0; ranMs <= maxLeapMs; ranMs += 1_000) {
    assert.equal(machine.clock.nowMs(), stoppedMs);
    machine.wallOffset -= 1_000;
    machine.run(1_000);
  }
  assert.equal(machine.told.length, 1);
  // Minus what a slow clock may have been slewed by.
  assert.ok(machine.clock.nowMs() - stoppedMs > maxLeapMs, String(machine.clock.nowMs() - stoppedMs));
});

for (const leapMs of [YEAR_MS, -YEAR_MS, maxLeapMs + 1, -maxLeapMs - 1]) {
  test(`a jump by ${leapMs / 1000} s is not followed until the wall clock is right again`, () => {
    const machine = new Machine();
    machine.run(60_000);
    const before = machine.wall;
    machine.wallOffset += leapMs;
    assert.ok(Math.abs(machine.clock.nowMs() - before) <= 1);
    machine.run(5_000);
    assert.ok(Math.abs(machine.clock.nowMs() - before - 5_000) <= 1);
    assert.ok(Math.abs(machine.clock.aheadMs - leapMs) <= 2);
    assert.match(machine.clock.warning ?? "", leapMs > 0 ? /\d+ s ahead/ : /\d+ s behind/);
    assert.equal(machine.clock.fault, null);
    machine.wallOffset -= leapMs;
    assert.equal(machine.clock.nowMs(), machine.wall);
    assert.deepEqual([machine.clock.warning, machine.clock.aheadMs, machine.clock.leaps], [null, 0, 1]);
    assert.deepEqual([machine.told.length, machine.told[1]], [2, null], "told once each");
  });
}

test("a lasting jump turns the warning into a fault and is reported once", () => {
  const machine = new Machine();
  machine.wallOffset += YEAR_MS;
  machine.run(lastingMs);
  assert.equal(machine.clock.fault, null);
  machine.run(2_000);
  assert.match(machine.clock.fault ?? "", /jumped/);
  machine.wallOffset += 30_000;
  machine.run(2_000);
  assert.equal(machine.told.length, 1);
  machine.wallOffset -= YEAR_MS + 30_000;
  machine.run(1_000);
  assert.deepEqual([machine.clock.fault, machine.told.at(-1)], [null, null]);
});

test("a step within the bound is followed in both directions", () => {
  const machine = new Machine();
  for (const stepMs of [2_000, -2_000, maxLeapMs - 1, 1 - maxLeapMs]) {
    machine.wallOffset += stepMs;
    assert.equal(machine.clock.nowMs(), machine.wall);
    machine.run(1_000);
  }
  assert.deepEqual(machine.told, []);
});

test("many small steps in a row are a jump", () => {
  const machine = new Machine();
  for (let step = 0; step < 4; step++) {
    machine.wallOffset += maxLeapMs / 2;
    machine.run(10_000);
  }
  assert.equal(machine.clock.leaps, 1);
  assert.ok(machine.wall - machine.clock.nowMs() > maxLeapMs);
});

test("sleep of the machine is not a jump, however long", () => {
  for (const asksFirst of [true, false]) {
    const machine = new Machine();
    for (const sleptMs of [3_000, 11_000, 3_600_000, 30 * 86_400_000, 15_000]) {
      machine.run(5_300);
      machine.asleep += sleptMs;
      if (asksFirst) assert.equal(machine.clock.nowMs(), machine.wall, `slept ${sleptMs}`);
      machine.run(1_000);
      assert.equal(machine.clock.nowMs(), machine.wall, `slept ${sleptMs}`);
    }
    assert.deepEqual(machine.told, []);
  }
});

test("a jump during sleep is detected by the difference beyond the sleep", () => {
  const machine = new Machine();
  machine.run(10_000);
  const right = machine.wall + 3_600_000;
  machine.asleep += 3_600_000;
  machine.wallOffset += YEAR_MS;
  assert.ok(Math.abs(machine.clock.nowMs() - right) <= 1_000, "as right as the uptime is");
  assert.equal(machine.clock.leaps, 1);
});

test("a lasting jump does not read the uptime at each call", () => {
  const machine = new Machine();
  machine.wallOffset += YEAR_MS;
  for (let asked = 0; asked < 1_000; asked++) machine.clock.nowMs();
  assert.ok(machine.uptimeAsked < 5, `${machine.uptimeAsked}`);
  machine.asleep += 3_600_000;
  machine.run(1_000);
  assert.ok(Math.abs(machine.clock.aheadMs - YEAR_MS) <= 1_000, "and a sleep in it is noticed");
});

test("sleep during a jump is noticed by the first call after it", () => {
  const machine = new Machine();
  machine.run(10_000);
  machine.wallOffset += YEAR_MS;
  machine.clock.nowMs();
  machine.steady += 1;
  machine.asleep += 28_800_000;
  const right = machine.wall - YEAR_MS;
  assert.ok(Math.abs(machine.clock.nowMs() - right) <= 1_000, "as right as the uptime is");
});

test("a sleep while the uptime cannot be read is noticed once it can be, and only once", () => {
  for (const sleptMs of [3_000, 3_600_000]) {
    const machine = new Machine();
    machine.run(10_000);
    machine.isUptimeKnown = false;
    machine.run(10_000);
    assert.equal(machine.clock.nowMs(), machine.wall);
    machine.asleep += sleptMs;
    machine.run(10_000);
    machine.isUptimeKnown = true;
    machine.run(1_000);
    assert.deepEqual([machine.clock.nowMs(), machine.clock.warning], [machine.wall, null], `slept ${sleptMs}`);
    // If the pause were counted twice or not at all, these two limits would differ.
    for (const aside of [1, -1]) {
      machine.wallOffset += aside * (maxLeapMs - 1_500);
      assert.deepEqual([machine.clock.nowMs(), machine.clock.warning], [machine.wall, null], `slept ${sleptMs}`);
      machine.wallOffset += aside * 3_000;
      assert.ok(machine.clock.warning !== null, `slept ${sleptMs}`);
      machine.wallOffset -= aside * (maxLeapMs + 1_500);
      assert.equal(machine.clock.warning, null);
    }
  }
});

test("sleeps that were followed as drift, while the uptime could not be read, do not count again", () => {
  const machine = new Machine();
  machine.run(10_000);
  machine.isUptimeKnown = false;
  for (let sleep = 0; sleep < 2; sleep++) {
    machine.asleep += maxLeapMs - 1_000;
    machine.run(10 * 3_600_000);
  }
  machine.isUptimeKnown = true;
  machine.run(1_000);
  assert.deepEqual([machine.clock.nowMs(), machine.told], [machine.wall, []]);
});

test("the first uptime after a start without one is not counted as sleep", () => {
  const machine = new Machine();
  // Before its start.
  machine.asleep += 3_600_000;
  machine.isUptimeKnown = false;
  const clock = machine.begin();
  machine.isUptimeKnown = true;
  for (const sleptMs of [0, 3_600_000]) {
    machine.steady += 1_000;
    machine.asleep += sleptMs;
    clock.check();
    assert.equal(clock.nowMs(), machine.wall);
  }
});

test("the source of the uptime never changes", (t) => {
  const file = join(scratchFolder(t), "uptime");
  const ofMachine = uptimeFrom(file);
  writeFileSync(file, "12.5 1.0\n");
  const ofFile = uptimeFrom(file);
  assert.equal(ofFile(), 12_500);
  assert.ok(Math.abs(ofMachine() - os.uptime() * 1000) < 60_000);
  renameSync(file, `${file}.away`);
  assert.equal(ofFile(), Number.NaN);
  writeFileSync(file, "");
  assert.equal(ofFile(), Number.NaN);
  renameSync(`${file}.away`, file);
  assert.equal(ofFile(), 12_500);
  const unreadable = join(file, "..", "folder");
  mkdirSync(unreadable);
  assert.equal(uptimeFrom(unreadable)(), Number.NaN, "it is there, and may be read later");
});

test("without permission to read the uptime Node's is used; without a free file handle it is retried", (t) => {
  const failure = { code: "" };
  const read = t.mock.method(fs, "readFileSync", () => {
    throw Object.assign(new Error("refused"), failure);
  });
  for (const [code, isOwn] of [
    ["ENOENT", true],
    ["EACCES", true],
    ["EPERM", true],
    ["EMFILE", false],
  ] as const) {
    failure.code = code;
    assert.equal(Math.abs(uptimeFrom("/proc/uptime")() - os.uptime() * 1000) < 60_000, isOwn, code);
  }
  read.mock.restore();
});

test("a stopped or rarely called process sees no jump, as the monotonic clock went on", () => {
  const machine = new Machine();
  machine.steady += 10 * 86_400_000;
  assert.equal(machine.clock.nowMs(), machine.wall);
  assert.deepEqual(machine.told, []);
});

test("usual drift is never a jump; twice the fastest slew is", () => {
  for (const [pace, leaps] of [
    [0.0004, 0],
    [-0.0004, 0],
    [0.001, 1],
  ] as const) {
    const machine = new Machine();
    for (let hour = 0; hour < 24; hour++) {
      for (let minute = 0; minute < 60; minute++) {
        machine.wallOffset += 60_000 * pace;
        machine.run(60_000);
      }
    }
    assert.equal(machine.clock.leaps, leaps, `${pace}`);
  }
});

test("the clocks of this machine agree for a while and advance", async () => {
  const clock = new GuardedClock({ clocks: MACHINE_CLOCKS, timers: MACHINE });
  clock.start();
  const before = clock.nowMs();
  await new Promise((done) => setTimeout(done, 50));
  clock.stop();
  assert.ok(clock.nowMs() >= before + 40);
  assert.ok(Math.abs(clock.nowMs() - Date.now()) < 1_000);
  assert.equal(clock.warning, null);
});

test("a start with a clock far behind the journal is rejected; ahead or slightly behind is not", () => {
  const journalMs = START_MS;
  for (const nowMs of [journalMs, journalMs - maxLeapMs, journalMs + 10 * YEAR_MS]) {
    checkNotBehind(nowMs, journalMs, maxLeapMs);
  }
  checkNotBehind(START_MS, 0, maxLeapMs);
  assert.throws(
    () => checkNotBehind(journalMs - maxLeapMs - 1, journalMs, maxLeapMs),
    (error: Error) => error instanceof ClockBehind && /2025-12-31T23:59:49.999Z.*2026-01-01/.test(error.message),
  );
});
