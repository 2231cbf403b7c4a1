/** Runs axe-core over every panel and dialog of the terminal, dark and light, on a desktop and a phone. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Page } from "playwright-core";
import { findingsOf } from "../pages/axe.ts";
import { looksOf } from "../pages/opened.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { DESKTOP, openByKey, openTerminal, showTab, signInAs, type Terminal } from "./terminal.ts";
import { cancelEverything, openVenue, place, placeOco } from "./venue.ts";

const WHOLE = "body";
const WINDOW = "dialog[open]";
const TABLES = ".tables";
const FORM = "form.form";
const CHART = ".chart-panel";

const { venue, browser } = await rigOf(openVenue);
beforeEach(async () => {
  if (skip !== false) return;
  await cancelEverything(venue.alice);
  // One row for each table: an order, an order list, a trade.
  await place(venue.alice, { side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01", price: "19985.00" });
  const traded = { type: "LIMIT", timeInForce: "GTC", quantity: "0.001", price: "20000.00" };
  await place(venue.carol, { ...traded, side: "SELL" });
  await place(venue.alice, { ...traded, side: "BUY" });
  await placeOco(venue.alice);
});

/** Dimmed data has a low contrast on purpose, so the page is scanned once its data is live again. */
const DIMMED = ".stale, .is-stale";

/** Adds the violations, as text. */
class Findings {
  readonly #page: Page;
  readonly #found = new Set<string>();

  constructor(page: Page) {
    this.#page = page;
  }

  get all(): readonly string[] {
    return [...this.#found];
  }

  /** Scans the elements of the selector, which must exist. */
  async scan(where: string, selector: string): Promise<void> {
    await this.#page.locator(selector).first().waitFor();
    await this.#page.locator(DIMMED).first().waitFor({ state: "detached" });
    for (const finding of await findingsOf(this.#page, where, selector)) this.#found.add(finding);
  }

  /** A dialog, which Escape closes. */
  async scanWindow(name: string, open: () => Promise<unknown>): Promise<void> {
    await open();
    await this.#page.getByRole("dialog", { name }).waitFor();
    await this.scan(name, WINDOW);
    await this.#page.keyboard.press("Escape");
    await this.#page.getByRole("dialog").waitFor({ state: "hidden" });
  }
}

async function scanForms({ form }: Terminal, findings: Findings): Promise<void> {
  for (const kind of ["Market", "OCO", "Limit"]) {
    await form.getByRole("tab", { name: kind, exact: true }).click();
    await findings.scan(`the form, ${kind}`, FORM);
  }
}

async function scanTables(terminal: Terminal, findings: Findings): Promise<void> {
  for (const tab of ["Balances", "Order history", "Trades", "Order lists", "Open orders"]) {
    await showTab(terminal, tab);
    await terminal.tables.locator("tbody tr").first().waitFor();
    await findings.scan(tab, TABLES);
  }
}

async function scanCharts({ page, chart }: Terminal, findings: Findings): Promise<void> {
  await chart.getByRole("button", { name: "Indicators" }).click();
  await chart.getByRole("checkbox", { name: "VWAP" }).waitFor();
  await findings.scan("indicators", CHART);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Show the candles as a table" }).click();
  await chart.getByRole("table").waitFor();
  await findings.scan("candles as a table", CHART);
  await page.getByRole("button", { name: "Show the candles as a table" }).click();
  await page.getByRole("tab", { name: "Depth" }).click();
  await findings.scan("Depth", ".depth-chart");
}

async function scanDesktop(terminal: Terminal, findings: Findings): Promise<void> {
  const { page } = terminal;
  await findings.scan("signed in", WHOLE);
  await scanTables(terminal, findings);
  await scanForms(terminal, findings);
  await scanCharts(terminal, findings);
  await findings.scanWindow("Markets", () => openByKey(terminal, "/", "Markets"));
  await findings.scanWindow("Keyboard shortcuts", () => openByKey(terminal, "?", "Keyboard shortcuts"));
  await findings.scanWindow("Settings", () => page.getByRole("button", { name: "Settings" }).click());
}

async function scanPhone(terminal: Terminal, findings: Findings): Promise<void> {
  const { page } = terminal;
  const go = (name: string): Promise<void> => page.getByRole("tab", { name, exact: true }).first().tap();
  await go("Book");
  await findings.scan("Book", WHOLE);
  await go("Trade");
  await findings.scan("Trade", WHOLE);
  await scanForms(terminal, findings);
  await go("Orders");
  await scanTables(terminal, findings);
  await go("Chart");
  await findings.scan("Chart", WHOLE);
  await page.getByRole("tab", { name: "Depth" }).tap();
  await findings.scan("Depth", ".depth-chart");
  await findings.scanWindow("Settings", () => page.getByRole("button", { name: "Settings" }).tap());
  await findings.scanWindow("Markets", () => page.getByRole("button", { name: "BTC/USDT" }).tap());
  await findings.scanWindow("Signed in as alice", () => page.getByRole("button", { name: "Signed in as alice" }).tap());
}

for (const { name: look, size, options } of looksOf(DESKTOP)) {
  test(`axe finds no serious violation: ${look}`, { skip }, async () => {
    const terminal = await openTerminal(browser, venue.exchange.rest, options);
    const { page, close } = terminal;
    const findings = new Findings(page);
    await findings.scan("signed out", WHOLE);
    await findings.scanWindow("Sign in", () =>
      page.getByRole("banner").getByRole("button", { name: "Sign in" }).click(),
    );
    await signInAs(terminal, "alice");
    await (size === "phone" ? scanPhone : scanDesktop)(terminal, findings);
    assert.deepEqual(findings.all, []);
    await close();
  });
}
