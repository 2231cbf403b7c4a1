/** The agents, a replay and a scenario of a lab in its dialog: shown and controlled. */
import { findingsOf } from "../pages/axe.ts";
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser, Locator } from "playwright-core";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, operate, startExchange } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { openBrowser } from "../pages/browser.ts";
import { skip } from "../pages/rig.ts";
import { SMALL_PHONE, type Terminal, visitTerminal } from "./terminal.ts";

const SOON = { withinMs: 20_000, everyMs: 50 } as const;
const SLOW = { timeout: 30_000 };
const START_MS = Date.parse("2026-03-01T12:00:00Z");
const HASH = "0123abcd";
/** One trade a second, from a past day on. */
const TRADES = 50;
const FILE_MS = Date.parse("2025-07-01T00:00:00Z");

let exchange: Exchange;
let browser: Browser;
before(async () => {
  if (skip !== false) return;
  const clock = ["--lab", "--clock", "manual", "--clock-start", new Date(START_MS).toISOString()];
  exchange = await startExchange({ args: [...clock, "--limits", "off"] });
  browser = await openBrowser();
});
after(async () => {
  if (skip !== false) return;
  await browser.close();
  await exchange.stop();
});

const lab = <T>(method: string, path: string, body?: object): Promise<T> =>
  operate<T>(exchange, method, `/v1/lab/${path}`, body);

/** In the columns of the public archive's spot trades. */
function recorded(): string {
  const rows = Array.from({ length: TRADES }, (_, at) => {
    const isBuyerMaker = at % 3 === 0 ? "True" : "False";
    return `${7001 + at},${95_000 + at}.00,0.10000000,9500.00,${FILE_MS + at * 1000},${isBuyerMaker},True`;
  });
  const path = join(temporaryFolder(), "BTCUSDT-trades.csv");
  writeFileSync(path, `${rows.join("\n")}\n`);
  return path;
}

function playScenario(isHeld: boolean): Promise<unknown> {
  const point = (seconds: number, text: string, isDone: boolean): object => ({
    ...{ atMs: START_MS + seconds * 1000, kind: "mark", text, isDone },
  });
  return lab("PUT", "scenario", {
    ...{ name: "squeeze", hash: HASH, startMs: START_MS, endMs: START_MS + 600_000 },
    timeline: [point(0, "it begins", true), point(300, "ETHUSDT crashes by a tenth", false)],
    asserts: [
      { name: "it trades", kind: "sometimes", state: "waiting", text: "at least one trade" },
      { name: "no debt", kind: "always", state: isHeld ? "holds" : "failed", text: "USDT at least 0" },
    ],
  });
}

const stripOf = ({ page }: Terminal) => page.getByRole("region", { name: "Lab" });

async function openWindow(terminal: Terminal): Promise<Locator> {
  await stripOf(terminal).waitFor(SLOW);
  await stripOf(terminal).getByRole("button", { name: "Market, faults, checkpoints" }).click();
  return terminal.page.getByRole("dialog", { name: "Lab" });
}

test("for each missing part, one line explains how to add it", { skip }, async (t) => {
  const terminal = await visitTerminal(browser, exchange.rest);
  t.after(() => terminal.close());
  const window = await openWindow(terminal);
  for (const [tab, line] of [
    ["Agents", /pricetime lab agent /],
    ["Replays", /pricetime lab replay /],
    ["Scenario", /pricetime lab run-scenario /],
  ] as const) {
    await window.getByRole("tab", { name: tab }).click();
    await window.getByText(line).waitFor(SLOW);
    assert.equal(await window.getByRole("tabpanel").locator("button, li, progress, h3").count(), 0, tab);
  }
});

test("agents are listed, turned off and removed", { skip }, async (t) => {
  const terminal = await visitTerminal(browser, exchange.rest);
  t.after(() => terminal.close());
  const window = await openWindow(terminal);
  await window.getByRole("tab", { name: "Agents" }).click();
  await lab("POST", "agents", { type: "noise", symbol: "ETHUSDT", count: 2, everyMs: 1000 });
  const name = "2 × noise, ETHUSDT";
  const turn = window.getByRole("button", { name: `On: ${name}` });
  await turn.waitFor(SLOW);
  assert.equal(await turn.getAttribute("aria-pressed"), "true");
  await lab("POST", "clock/advance", { ms: 30_000 });
  await window
    .getByText(/^2 × noise, ETHUSDT[1-9]\d* trades · Position [−\-0-9.]+ ETH · Profit .+ USDT$/)
    .waitFor(SLOW);
  // The remaining steps use the keyboard alone.
  await turn.focus();
  await terminal.page.keyboard.press("Space");
  const isOn = async (): Promise<unknown> => (await lab<{ isOn: boolean }[]>("GET", "agents")).map((one) => one.isOn);
  await until("they are off", async () => (await turn.getAttribute("aria-pressed")) === "false", SOON);
  assert.deepEqual(await isOn(), [false]);
  await window.getByRole("button", { name: `Remove ${name}` }).click();
  await window.getByText(/^No agents yet/).waitFor(SLOW);
  assert.deepEqual(await isOn(), []);
});

test("a replay is paused, stepped row by row, and replayed to its end; then the bots continue", { skip }, async (t) => {
  const terminal = await visitTerminal(browser, exchange.rest);
  t.after(() => terminal.close());
  const window = await openWindow(terminal);
  await window.getByRole("tab", { name: "Replays" }).click();
  await lab("POST", "replays", { symbol: "BTCUSDT", files: [recorded()] });
  const named = (what: string): Locator => window.getByRole("button", { name: `${what} BTCUSDT, trades` });
  await named("Pause").waitFor(SLOW);
  await lab("POST", "clock/advance", { ms: 9000 });
  await window.getByText("2025-07-01 00:00:09 · 10 rows, 10 trades").waitFor(SLOW);
  assert.equal(await named("Next row of").isDisabled(), true, "the clock plays it");
  await named("Pause").click();
  await named("Resume").waitFor(SLOW);
  await lab("POST", "clock/advance", { ms: 5000 });
  await named("Next row of").click();
  await window.getByText("2025-07-01 00:00:10 · 11 rows, 11 trades").waitFor(SLOW);
  const share = Number(
    await window.getByRole("progressbar", { name: "Progress of BTCUSDT, trades" }).getAttribute("value"),
  );
  assert.ok(share >= 21 && share <= 23, `11 of ${TRADES} rows are ${share}%`);

  await window.getByRole("combobox", { name: "Speed of BTCUSDT, trades" }).selectOption("60");
  await named("Resume").click();
  await named("Pause").waitFor(SLOW);
  await lab("POST", "clock/advance", { ms: 1000 });
  await window.getByText(`${TRADES} rows, ${TRADES} trades`).waitFor(SLOW);
  await window.getByText("finished").waitFor(SLOW);
  await window.getByText("100%").waitFor(SLOW);
  assert.equal(await named("Pause").isDisabled(), true, "it is over");
  await named("Remove").click();
  await window.getByText(/^No replays yet/).waitFor(SLOW);
  const markets = await lab<{ symbol: string; driver: string | null }[]>("GET", "markets");
  assert.notEqual(markets.find(({ symbol }) => symbol === "BTCUSDT")?.driver, "replay");
});

test("the strip shows the running scenario and its failed assertions", { skip }, async (t) => {
  await playScenario(true);
  const terminal = await visitTerminal(browser, exchange.rest);
  t.after(() => terminal.close());
  const strip = stripOf(terminal);
  await strip.getByText(/squeeze 0:00:\d\d of 0:10:00$/).waitFor(SLOW);
  await playScenario(false);
  await strip.getByText("1 failed").waitFor(SLOW);
  const window = await openWindow(terminal);
  assert.equal(await window.getByRole("tab", { name: "Scenario" }).getAttribute("aria-selected"), "true");
  await window.getByText("Timeline: 1 of 2 done").waitFor(SLOW);
  await window.getByText("0:05:00").waitFor(SLOW);
  const lines = await window.getByRole("listitem").allInnerTexts();
  assert.match(lines[0] ?? "", /ETHUSDT crashes by a tenth/);
  assert.match(lines[1] ?? "", /^always: no debt[^]*failed$/, "what failed stands first");
  await lab("DELETE", "scenario");
  await window.getByText(/^No scenario is running/).waitFor(SLOW);
  assert.equal(await strip.getByText("squeeze").count(), 0);
});

test("axe finds no serious violation in any part, and on a small phone nothing is cut off", {
  skip,
}, async (t) => {
  await playScenario(false);
  await lab("POST", "agents", { type: "momentum", symbol: "ETHUSDT", count: 3 });
  await lab("POST", "replays", { symbol: "BTCUSDT", files: [recorded()] });
  for (const scheme of ["dark", "light"] as const) {
    const options = { scheme, withoutPolicy: true, viewport: SMALL_PHONE, isTouched: true };
    const terminal = await visitTerminal(browser, exchange.rest, options);
    t.after(() => terminal.close());
    const { page } = terminal;
    const window = await openWindow(terminal);
    for (const tab of ["Agents", "Replays", "Scenario"]) {
      await window.getByRole("tab", { name: tab }).tap();
      await window.getByRole("tabpanel").locator("li, progress").first().waitFor(SLOW);
      assert.deepEqual(await findingsOf(page, `${scheme} ${tab}`), []);
      const cut = Number(await window.getByRole("tabpanel").evaluate((panel) => panel.scrollWidth - panel.clientWidth));
      assert.equal(cut, 0, `${tab} is wider than it is shown`);
    }
    const box = await window.boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= SMALL_PHONE.width);
    assert.ok(Number(await page.evaluate("document.documentElement.scrollWidth")) <= SMALL_PHONE.width);
  }
});
