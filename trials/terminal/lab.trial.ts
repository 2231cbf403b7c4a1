/** The lab's strip in a browser, which shows and controls the clock; and a node that is no lab, which has no strip. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test, type TestContext } from "node:test";
import type { Browser, Locator } from "playwright-core";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { besides, openBrowser } from "../pages/browser.ts";
import { PHONE } from "../pages/opened.ts";
import { skip } from "../pages/rig.ts";
import { fillIn, submitOf } from "./order-form.ts";
import { openTerminal, rowsOf, signInAs, SMALL_PHONE, type Terminal, visitTerminal } from "./terminal.ts";

const SOON = { withinMs: 20_000, everyMs: 50 } as const;
const START = "2026-03-01T12:00:00.000Z";
const SLOW = { timeout: 30_000 };

let exchange: Exchange;
let browser: Browser;
before(async () => {
  if (skip !== false) return;
  const clock = ["--lab", "--clock", "manual", "--clock-start", START];
  exchange = await startExchange({ args: [...clock, "--bots", "off", "--limits", "off"] });
  browser = await openBrowser();
});
after(async () => {
  if (skip !== false) return;
  await browser.close();
  await exchange.stop();
});

async function nodeMs(): Promise<number> {
  const answer = await fetch(`${exchange.rest}/api/v3/time`);
  return ((await answer.json()) as { readonly serverTime: number }).serverTime;
}

const stripOf = ({ page }: Pick<Terminal, "page">) => page.getByRole("region", { name: "Lab" });

async function shownMs(terminal: Terminal): Promise<number> {
  return Date.parse((await stripOf(terminal).locator("time").getAttribute("datetime")) ?? "");
}

async function untilShown(terminal: Terminal, what: string, timeMs: number): Promise<void> {
  await until(what, async () => (await shownMs(terminal)) === timeMs && (await nodeMs()) === timeMs, SOON);
}

test("the clock is stopped, advanced step by step, run, and stopped again", { skip }, async () => {
  const terminal = await visitTerminal(browser, exchange.rest);
  const { page, complaints, outside, seen } = terminal;
  const strip = stripOf(terminal);
  await strip.waitFor(SLOW);
  const startMs = await nodeMs();
  assert.equal(await shownMs(terminal), startMs);
  assert.equal(await strip.getByRole("button", { name: "Manual" }).getAttribute("aria-pressed"), "true");
  await strip.getByRole("button", { name: "+1 s", exact: true }).click();
  await untilShown(terminal, "a second later", startMs + 1000);
  await strip.getByRole("button", { name: "+1 min" }).click();
  await untilShown(terminal, "a minute later", startMs + 61_000);
  assert.equal(await page.getByText(/^This device's clock is/).count(), 0, "a lab's clock is no wrong clock");

  await strip.getByRole("button", { name: "Scaled" }).click();
  await strip.getByRole("combobox", { name: "Speed" }).selectOption("600");
  const fastMs = await nodeMs();
  await until("minutes pass in a second", async () => (await nodeMs()) > fastMs + 300_000, SOON);
  await strip.getByRole("button", { name: "Freeze" }).click();
  await strip.getByRole("button", { name: "Run" }).waitFor(SLOW);
  const frozenMs = await nodeMs();
  await untilShown(terminal, "it stands, and shows it", frozenMs);
  await page.waitForTimeout(1500);
  assert.equal(await nodeMs(), frozenMs);
  assert.equal(await page.getByText("Live", { exact: true }).isVisible(), true, "frozen is not disconnected");

  await strip.getByRole("button", { name: "Market, faults, checkpoints" }).click();
  const window = page.getByRole("dialog", { name: "Lab" });
  await window.getByRole("tab", { name: "Clock" }).click();
  const go = async (time: string): Promise<void> => {
    await window.getByLabel("Time (UTC)").fill(time);
    await window.getByRole("button", { name: "Go to time" }).click();
  };
  await go("2020-01-01T00:00:00");
  await window.getByText(/^Time goes back only when a checkpoint is restored/).waitFor();
  const aheadMs = Math.ceil((frozenMs + 60_000) / 1000) * 1000;
  await go(new Date(aheadMs).toISOString().slice(0, 19));
  await untilShown(terminal, "the time that was asked for", aheadMs);
  await page.keyboard.press("Escape");
  await window.waitFor({ state: "hidden" });
  assert.deepEqual([besides(complaints, [409, "/lab/clock/advance"]), outside], [[], []]);
  assert.deepEqual((await seen()).violations, []);
  await terminal.close();
});

test("another page shows the changes of the clock", { skip }, async () => {
  const terminal = await visitTerminal(browser, exchange.rest);
  const other = await visitTerminal(browser, exchange.rest);
  await stripOf(terminal).waitFor(SLOW);
  await stripOf(other).waitFor(SLOW);
  const nowMs = await nodeMs();
  await stripOf(terminal).getByRole("button", { name: "+1 s", exact: true }).click();
  await untilShown(other, "the other's clock", nowMs + 1000);
  await terminal.close();
  await other.close();
});

for (const viewport of [PHONE, SMALL_PHONE]) {
  test(`on a phone ${viewport.width} pixels wide nothing of the strip is cut off`, { skip }, async () => {
    const terminal = await visitTerminal(browser, exchange.rest, { viewport, isTouched: true });
    const { page } = terminal;
    const strip = stripOf(terminal);
    await strip.waitFor(SLOW);
    for (const button of await strip.getByRole("button").all()) {
      const box = await button.boundingBox();
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= viewport.width, await button.innerText());
    }
    assert.ok(Number(await page.evaluate("document.documentElement.scrollWidth")) <= viewport.width);
    await strip.getByRole("button", { name: "Market, faults, checkpoints" }).tap();
    const box = await page.getByRole("dialog", { name: "Lab" }).boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= viewport.width);
    await terminal.close();
  });
}

/** With the demo's bots, at real speed. */
async function openBusyLab(t: TestContext): Promise<Terminal> {
  const busy = await startExchange({ args: ["--lab", "--limits", "off"] });
  t.after(() => busy.stop());
  const terminal = await openTerminal(browser, busy.rest);
  t.after(() => terminal.close());
  await stripOf(terminal).waitFor(SLOW);
  return terminal;
}

/** A lab reports which parts it has. */
function isOffered(button: Locator): Promise<boolean> {
  return button.waitFor(SLOW).then(
    () => true,
    () => false,
  );
}

async function openWindow(terminal: Terminal, tab: string) {
  await stripOf(terminal).getByRole("button", { name: "Market, faults, checkpoints" }).click();
  const window = terminal.page.getByRole("dialog", { name: "Lab" });
  await window.getByRole("tab", { name: tab }).click();
  return window;
}

test("a button crashes the market, others halt and resume it", { skip }, async (t) => {
  const terminal = await openBusyLab(t);
  const { page, complaints } = terminal;
  const window = await openWindow(terminal, "Market");
  const isMovable = await isOffered(window.getByRole("button", { name: "Crash price" }));
  if (isMovable) {
    const price = async (): Promise<number> => Number((await page.title()).split(" ")[0]?.replaceAll(",", ""));
    const before = await price();
    await window.getByLabel("Percent").fill("20");
    await window.getByLabel("Duration in seconds").fill("2");
    await window.getByRole("button", { name: "Crash price" }).click();
    await until("it is a tenth lower", async () => (await price()) < before * 0.9, { withinMs: 60_000, everyMs: 100 });
    await window.getByRole("button", { name: "Halt trading" }).click();
    const closed = page.getByText(/^This market is closed/);
    await closed.waitFor(SLOW);
    await window.getByRole("button", { name: "Resume trading" }).click();
    await closed.waitFor({ state: "hidden", ...SLOW });
    assert.equal(await window.locator(".refusal").count(), 0);
    assert.deepEqual(besides(complaints), []);
  } else assert.fail("this node's market cannot be moved");
});

test("a fault occurs once: the order is unknown, then found, and the list counts the fault", { skip }, async (t) => {
  const terminal = await openBusyLab(t);
  const { page } = terminal;
  await signInAs(terminal, "alice");
  const window = await openWindow(terminal, "Faults");
  const add = window.getByRole("button", { name: "Inject fault" });
  if (await isOffered(add)) {
    await window
      .getByRole("combobox", { name: /^Fault/ })
      .selectOption({ label: "Orders: HTTP 500, although executed" });
    await add.click();
    await window.getByText("injected 0 times").waitFor(SLOW);
    await page.keyboard.press("Escape");
    await fillIn(terminal, { side: "Buy", kind: "Limit", fields: { Price: "30000", Quantity: "0.01" } });
    await submitOf(terminal).click();
    await until("it is shown as open", async () => (await rowsOf(terminal)).some((row) => row.includes("Open")), SOON);
    await openWindow(terminal, "Faults");
    await window.getByText("injected 1 time", { exact: true }).waitFor(SLOW);
    await window.getByRole("button", { name: "Remove all faults" }).click();
    await window.getByText("No faults are set.").waitFor(SLOW);
    await page.keyboard.press("Escape");
    assert.equal(await page.getByRole("form", { name: "Order form" }).getByRole("alert").count(), 0);
  } else assert.fail("this node has no faults on demand");
});

test("a checkpoint is taken and restored, with the clock's time of then", { skip }, async (t) => {
  const terminal = await visitTerminal(browser, exchange.rest);
  t.after(() => terminal.close());
  const { page } = terminal;
  await stripOf(terminal).waitFor(SLOW);
  const window = await openWindow(terminal, "Checkpoints");
  const keep = window.getByRole("button", { name: "Save checkpoint" });
  if (await isOffered(keep)) {
    const keptMs = await nodeMs();
    await window.getByLabel("Name").fill("quiet");
    await keep.click();
    const back = window.getByRole("button", { name: "Restore quiet" });
    await back.waitFor(SLOW);
    await page.keyboard.press("Escape");
    await stripOf(terminal).getByRole("button", { name: "+1 min" }).click();
    await untilShown(terminal, "a minute later", keptMs + 60_000);
    await openWindow(terminal, "Checkpoints");
    await back.click();
    await untilShown(terminal, "the clock of then", keptMs);
    await page.getByText("Live", { exact: true }).waitFor(SLOW);
    await window.getByRole("button", { name: "Delete quiet" }).click();
    await window.getByText(/^No checkpoints yet/).waitFor(SLOW);
  } else assert.fail("this node keeps no checkpoints");
});

test("axe finds no serious violation in the strip and its dialog", { skip }, async () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  for (const scheme of ["dark", "light"] as const) {
    const terminal = await visitTerminal(browser, exchange.rest, { scheme, withoutPolicy: true });
    const { page } = terminal;
    await stripOf(terminal).waitFor(SLOW);
    await page.addScriptTag({ content: axe });
    const window = await openWindow(terminal, "Market");
    for (const tab of ["Faults", "Checkpoints", "Clock", "Market"]) {
      await window.getByRole("tab", { name: tab }).click();
      const found = await page.evaluate<readonly { id: string; impact: string; nodes: readonly { html: string }[] }[]>(
        "axe.run().then(({ violations }) => violations)",
      );
      const serious = found.filter(({ impact }) => impact === "serious" || impact === "critical");
      assert.deepEqual(
        serious.map(({ id, nodes }) => `${scheme} ${tab} ${id}: ${nodes[0]?.html}`),
        [],
      );
    }
    await page.keyboard.press("Escape");
    await window.waitFor({ state: "hidden" });
    const strip = await page.evaluate<readonly { id: string; impact: string }[]>(
      "axe.run('.lab-strip').then(({ violations }) => violations)",
    );
    assert.deepEqual(
      strip.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id }) => id),
      [],
    );
    await terminal.close();
  }
});

test("a node that is no lab has no strip, and its page does not request one", { skip }, async () => {
  const plain = await startExchange({ args: ["--bots", "off", "--limits", "off"] });
  const asked: string[] = [];
  const terminal = await visitTerminal(browser, plain.rest, {
    before: async (page) => void page.on("request", (request) => asked.push(request.url())),
  });
  await terminal.page.getByText("Live", { exact: true }).waitFor();
  await until("the node has said what it is", () => asked.some((one) => one.endsWith("/terminal.json")), SOON);
  await terminal.page.waitForLoadState("networkidle");
  assert.equal(await stripOf(terminal).count(), 0);
  assert.deepEqual(
    asked.filter((one) => one.includes("/lab/")),
    [],
  );
  await terminal.close();
  await plain.stop();
});
