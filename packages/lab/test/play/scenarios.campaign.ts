/**
 * The scenarios of the package, played by the command against the market maker: all hold. Also what makes runs
 * repeatable, patient and impatient.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import type { Report } from "../../src/play/report.ts";
import { makerOf, NAMES, playByCommand } from "./by-command.ts";
import { BOT, playOf, type Ran, SCENARIO } from "./played.ts";

test("there are ten of them", () => assert.equal(NAMES.length, 10));

/** What a scenario describes, and how the bot fared, according to its report. */
const COUNTED: Readonly<Record<string, (report: Report) => void>> = {
  "hour-of-5xx": ({ faults }) => {
    const [before, after, questions, cancels] = faults.map(({ met, struck }) => ({ met, struck }));
    assert.ok(before !== undefined && after !== undefined && questions !== undefined && cancels !== undefined);
    const [orders, unknown] = [before.met, before.struck + after.struck];
    assert.ok(orders >= 80, `${orders} orders only`);
    assert.equal(after.met, orders - before.struck);
    const within = (part: number, of: number, range: number): void =>
      assert.ok(Math.abs(part / of - 0.5) <= range, `${part} of ${of}`);
    within(unknown, orders, 0.12);
    within(after.struck, unknown, 0.2);
    within(questions.struck, questions.met, 0.05);
    within(cancels.struck, cancels.met, 0.15);
  },
  "stream-gaps": ({ bot: { said } }) => {
    const told = [...said.matchAll(/book: (a gap|valid again)/g)].map(([, what]) => what);
    assert.ok(told.length >= 10, said);
    assert.ok(
      told.every((what, index) => what === (index % 2 === 0 ? "a gap" : "valid again")),
      said,
    );
    assert.match(said, /book: 10000 ms late/);
  },
};

for (const name of NAMES) {
  test(name, async (t) => {
    const folder = scratchFolder(t);
    const { code, said } = await playByCommand(name, "--report", folder, "--", ...makerOf(name));
    assert.equal(code, 0, said);
    assert.match(said, /: passed/);
    COUNTED[name]?.(JSON.parse(readFileSync(join(folder, "report.json"), "utf8")) as Report);
  });
}

test("the same scenario again is the same, to the byte of its report", async (t) => {
  const timeless = ({ report }: Ran): object => ({ ...report, repeat: "", bot: { ...report.bot, command: [] } });
  const [first, second] = [await playOf(t, SCENARIO, BOT), await playOf(t, SCENARIO, BOT)];
  assert.equal(first.code, 0, first.lines.join("\n"));
  assert.deepEqual(timeless(second), timeless(first));
});

test("a bot that ends well is no failure, unless it must run; one that lets no time pass is one", async (t) => {
  const short = "duration: 2s\nsymbols: [BTCUSDT]\nmarket: empty\naccounts: [maker]\n";
  assert.equal((await playOf(t, short, "")).code, 0);
  const mustRun = await playOf(t, `${short}bot: { mustRun: true }\n`, "");
  assert.deepEqual([mustRun.code, mustRun.report.failed], [1, ["the bot exited before the end of the scenario"]]);
  const still = await playOf(t, `${short}bot: { patience: 1s }\n`, "for (;;);");
  assert.equal(still.code, 1);
  assert.match(still.report.failed.join("\n"), /^The bot has not let the clock advance for 1 s/);
});

test("a clock that goes by itself waits for nobody: a bot of any language, by the machine's time", async (t) => {
  const scenario = `clock: { mode: scaled, speed: 20 }
duration: 60s
symbols: [BTCUSDT]
market: empty
accounts: [{ name: buyer, balances: { USDT: 5000 } }]
timeline: [{ at: 20s, fault: reply, code: -1003, for: 20s }]
assert: { sometimes: [{ errors: { code: -1003 } }, { orders: { min: 2 } }], finally: [{ openOrders: { max: 0 } }] }
`;
  const { code, lines } = await playOf(t, scenario, BOT.replace("10_000", "200"));
  assert.equal(code, 0, lines.join("\n"));
});
