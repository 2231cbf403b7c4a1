import assert from "node:assert/strict";
import { test } from "node:test";
import { LabClock, NotManual, TimeGoesBack } from "../../../src/lab/clock/lab-clock.ts";
import { MACHINE, SavedParts } from "@pricetime/server/parts";
import { NOTHING_FOLLOWS } from "../../../src/platform/world/port.ts";

const START_MS = 1_000_000;

/** A lab's clock over a machine whose time a test sets; `soon` is the real one. */
function clockOf(mode: "real" | "scaled" | "manual", speed = 1): { clock: LabClock; machine: TestMachine } {
  const machine = new TestMachine();
  const onBug = (error: unknown): void => {
    throw error;
  };
  return { clock: new LabClock({ machine, start: { mode, nowMs: START_MS, speed }, onBug }), machine };
}

class TestMachine {
  ms = 5_000;
  readonly soon = MACHINE.soon;
  readonly saved = new SavedParts();
  readonly nowMs = (): number => this.ms + 70_000;
  readonly steadyMs = (): number => this.ms;
  #timer: { readonly atMs: number; readonly task: () => void } | undefined;

  readonly after = (waitMs: number, task: () => void): (() => void) => {
    const timer = { atMs: this.ms + waitMs, task };
    this.#timer = timer;
    return () => {
      if (this.#timer === timer) this.#timer = undefined;
    };
  };

  /** Passes time, and runs what is due; resolves when the clock has settled. */
  async pass(ms: number): Promise<void> {
    const endMs = this.ms + ms;
    for (let timer = this.#timer; timer !== undefined && timer.atMs <= endMs; timer = this.#timer) {
      this.ms = Math.max(this.ms, timer.atMs);
      this.#timer = undefined;
      timer.task();
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    this.ms = Math.max(this.ms, endMs);
  }
}

test("a manual clock stands until it is advanced", async () => {
  const { clock, machine } = clockOf("manual");
  await machine.pass(100_000);
  assert.equal(clock.nowMs(), START_MS);
  await clock.advance((nowMs) => nowMs + 250);
  assert.equal(clock.nowMs(), START_MS + 250);
});

test("an advance lives through each moment, in order, and what follows from one is over before the next", async () => {
  const { clock } = clockOf("manual");
  const told: string[] = [];
  const tell = (what: string): void => void told.push(`${what} at ${clock.nowMs() - START_MS}`);
  clock.after(30, () => tell("c"));
  clock.after(10, () => {
    tell("a");
    // The work of "a" continues in a microtask, a later turn, and one more.
    void (async () => {
      await Promise.resolve();
      clock.soon(() => clock.soon(() => tell("end of a")));
    })();
  });
  clock.after(10, () => {
    tell("b");
    clock.after(0, () => tell("still b"));
    clock.after(5, () => tell("b's own"));
  });
  await clock.advance(START_MS + 30);
  assert.deepEqual(told, ["a at 10", "end of a at 10", "b at 10", "still b at 10", "b's own at 15", "c at 30"]);
});

test("periodic tasks run at multiples of their period, whenever they were begun", async () => {
  const { clock } = clockOf("manual");
  const told: number[] = [];
  await clock.advance(START_MS + 37);
  const cancel = clock.every(100, () => void told.push(clock.nowMs() - START_MS));
  await clock.advance(START_MS + 300);
  cancel();
  await clock.advance(START_MS + 1_000);
  assert.deepEqual(told, [100, 200, 300]);
});

test("an advance ends after the moment in which what it waits for has come", async () => {
  const { clock } = clockOf("manual");
  let count = 0;
  clock.every(100, () => void count++);
  assert.equal(await clock.advance(START_MS + 10_000, () => count === 3), "reached");
  assert.equal(clock.nowMs(), START_MS + 300);
  assert.equal(await clock.advance(START_MS + 500, () => count === 100), "over");
  assert.equal(clock.nowMs(), START_MS + 500);
});

test("an advance that is interrupted ends after its moment, and those behind it with it", async () => {
  const { clock } = clockOf("manual");
  let count = 0;
  clock.every(10, () => {
    if (++count === 3) void clock.interrupt();
  });
  const ways = [clock.advance(START_MS + 1_000), clock.advance(START_MS + 2_000)];
  assert.deepEqual(await Promise.all(ways), ["interrupted", "interrupted"]);
  assert.equal(clock.nowMs(), START_MS + 30);
  assert.equal(await clock.advance(START_MS + 100), "over", "what is asked for afterwards goes on");
  const way = clock.advance(START_MS + 1_000);
  assert.equal((await clock.set({ mode: "manual" })).nowMs, START_MS + 100, "to set the clock interrupts, too");
  assert.equal(await way, "interrupted");
});

test("time never goes back", async () => {
  const { clock } = clockOf("manual");
  await assert.rejects(clock.advance(START_MS - 1), TimeGoesBack);
  await assert.rejects(clock.set({ mode: "manual", nowMs: START_MS - 1 }), TimeGoesBack);
  assert.equal(clock.nowMs(), START_MS);
});

test("to set the time is to leap: what falls due on the way happens once, after it", async () => {
  const { clock } = clockOf("manual");
  const told: number[] = [];
  clock.every(100, () => void told.push(clock.nowMs() - START_MS));
  await clock.set({ mode: "manual", nowMs: START_MS + 1_050 });
  assert.deepEqual(told, [1_050]);
  await clock.advance(START_MS + 1_200);
  assert.deepEqual(told, [1_050, 1_100, 1_200]);
});

test("a real clock keeps the machine's pace from where it stands; to freeze it is to make it manual", async () => {
  const { clock, machine } = clockOf("real");
  const told: number[] = [];
  clock.every(100, () => void told.push(clock.nowMs() - START_MS));
  await machine.pass(250);
  assert.deepEqual(told, [100, 200]);
  assert.equal(clock.nowMs(), START_MS + 250);
  await assert.rejects(clock.advance(START_MS + 300), NotManual);
  await clock.set({ mode: "manual" });
  await machine.pass(1_000);
  assert.equal(clock.nowMs(), START_MS + 250);
  await clock.set({ mode: "real" });
  await machine.pass(60);
  assert.equal(clock.nowMs(), START_MS + 310);
  assert.deepEqual(told, [100, 200, 300]);
});

test("a scaled clock passes no deadline before its task has run", async () => {
  const { clock, machine } = clockOf("scaled", 100);
  const told: number[] = [];
  clock.every(100, () => void told.push(clock.nowMs() - START_MS));
  machine.ms += 5;
  assert.equal(clock.nowMs(), START_MS + 100, "500 ms have passed, and the first task has not run");
  await machine.pass(0);
  assert.deepEqual(told, [100, 200, 300, 400, 500]);
});

test("a scaled clock that cannot keep up slips rather than hurries", async () => {
  const { clock, machine } = clockOf("scaled", 10);
  clock.every(1_000, () => {
    // A second of the lab takes ten of the machine's.
    machine.ms += 10_000;
  });
  await machine.pass(100);
  const slippedMs = clock.nowMs();
  assert.equal(slippedMs, START_MS + 1_000);
  machine.ms += 50;
  assert.equal(clock.nowMs(), slippedMs + 500, "it goes on from where it stands");
});

test("of a task of which nothing follows, no turn is waited for; sockets have theirs all the same", async () => {
  const { clock } = clockOf("manual");
  let [ticks, turns, isOver] = [0, 0, false];
  clock.every(10, () => {
    ticks++;
    return NOTHING_FOLLOWS;
  });
  const turn = (): void => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  turn();
  await clock.advance((nowMs) => nowMs + 30_000);
  isOver = true;
  assert.equal(ticks, 3_000);
  assert.ok(turns >= 10 && turns < 300, `${turns} turns`);
});

const PACES = { manual: 0, scaled: 20, real: 1 } as const;
for (const mode of ["manual", "scaled", "real"] as const) {
  test(`a ${mode} clock that goes back stands until it has, and goes on from there, at the pace of then, each time`, async () => {
    const pace = PACES[mode];
    const { clock, machine } = clockOf(mode, pace === 0 ? 1 : pace);
    const told: string[] = [];
    const tell = (what: string): void => void told.push(`${what} at ${clock.nowMs() - START_MS}`);
    if (mode === "manual") await clock.advance(START_MS + 400);
    else await machine.pass(400 / pace);
    const then = { ...clock.state };
    assert.equal(then.nowMs, START_MS + 400);
    const states = await clock.alone(async () => machine.saved.save());
    for (let round = 1; round <= 3; round++) {
      // Another mode, another speed, and another offset from the machine's time.
      await clock.set({ mode: "scaled", speed: 3, nowMs: clock.nowMs() + 12_345 });
      await machine.pass(50);
      if (mode === "scaled") await clock.set({ mode: "manual" });
      const before = clock.nowMs();
      told.length = 0;
      clock.after(1_000, () => tell("old"));
      clock.every(700, () => tell("old period"));
      await clock.alone(async () => {
        await machine.pass(5_000);
        assert.equal(clock.nowMs(), before, "time stands before");
        machine.saved.begin(states);
        clock.after(200, () => tell("new"));
        await machine.pass(7_000);
        assert.deepEqual(clock.state, then, "and after it has gone back");
      });
      assert.deepEqual(clock.state, then);
      await machine.pass(30);
      assert.equal(clock.nowMs(), then.nowMs + 30 * pace);
      await machine.pass(20_000);
      if (mode === "manual") await clock.advance(clock.nowMs() + 20_000);
      assert.deepEqual(told, ["new at 600"]);
    }
  });
}

test("a real clock on which somebody had the lab for himself, and did not go back, has lost no time", async () => {
  const { clock, machine } = clockOf("real");
  const told: number[] = [];
  clock.after(100, () => void told.push(clock.nowMs() - START_MS));
  await clock.alone(async () => {
    await machine.pass(5_000);
    assert.equal(clock.nowMs(), START_MS);
    assert.deepEqual(told, []);
  });
  assert.equal(clock.nowMs(), START_MS + 5_000, "what passed meanwhile has passed");
  await machine.pass(0);
  assert.deepEqual(told, [5_000]);
});
