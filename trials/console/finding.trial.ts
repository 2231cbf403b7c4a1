/** Finding things in the console: the command palette, remembered columns, and filters in the address. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findingsOf } from "../pages/axe.ts";
import { go, looksOf, savedBy } from "../pages/opened.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { DESKTOP, dialogOf, openConsole } from "./console.ts";
import { askToWithdraw, openVenue } from "./venue.ts";

const { venue, browser } = await rigOf(openVenue);
const withdrawal = skip === false ? await askToWithdraw(venue.alice) : "";

test("the palette opens pages, actions, accounts and withdrawals with the keyboard alone", { skip }, async () => {
  const opened = await openConsole(browser, venue.exchange);
  const { page } = opened;
  const { keyboard } = page;
  const palette = dialogOf(opened, "Command palette");
  const typed = async (text: string): Promise<void> => {
    await keyboard.press("Control+k");
    await palette.getByRole("combobox").waitFor();
    await keyboard.type(text);
  };
  await typed("audit");
  await keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Audit log" }).waitFor();

  await typed("list");
  assert.equal(await palette.getByRole("option", { selected: true }).textContent(), "List marketMarketsaction");
  await keyboard.press("ArrowDown");
  assert.equal(await palette.getByRole("option", { selected: true }).textContent(), "List assetAssetsaction");
  const active = await palette.getByRole("combobox").getAttribute("aria-activedescendant");
  assert.equal(await palette.getByRole("option", { selected: true }).getAttribute("id"), active);
  await keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Assets" }).waitFor();
  await dialogOf(opened, "List asset").waitFor();
  // Another dialog is open, so the keys do nothing.
  await keyboard.press("Control+k");
  assert.equal(await palette.count(), 0);
  await keyboard.press("Escape");

  for (const [text, kind, address] of [
    ["alice@", "account", "#/accounts/100"],
    [withdrawal, "withdrawal", `#/withdrawals/${withdrawal}`],
  ] as const) {
    await typed(text);
    await palette.getByRole("option").filter({ hasText: kind }).first().waitFor();
    await keyboard.press("Enter");
    await page.waitForURL(`**/${address}`);
  }
  await keyboard.press("Control+k");
  await palette.waitFor();
  await keyboard.press("Escape");
  await palette.waitFor({ state: "detached" });
  assert.deepEqual(await opened.violations(), []);
  await opened.close();
});

test("a table keeps its columns after a reload, and its filter is in the address and in the file", {
  skip,
}, async () => {
  const opened = await openConsole(browser, venue.exchange);
  const { page } = opened;
  await go(opened, "#/markets");
  const filter = page.getByRole("searchbox", { name: "Filter: Markets" });
  await filter.fill("ethusdt");
  await page.waitForURL("**/#/markets?find=ethusdt");
  const table = page.getByRole("region", { name: "Markets" }).getByRole("table");
  const rows = table.getByRole("row");
  await rows.nth(2).waitFor({ state: "detached" });
  await page.getByText("Columns", { exact: true }).first().click();
  await page.getByRole("checkbox", { name: "Trades today (UTC)" }).uncheck();
  await page.keyboard.press("Escape");
  const hasNoTrades = async (): Promise<void> => {
    await table.getByRole("columnheader", { name: "Open orders" }).waitFor();
    assert.equal(await table.getByRole("columnheader", { name: "Trades today (UTC)" }).count(), 0);
  };
  await hasNoTrades();
  const saved = await savedBy(page.getByRole("button", { name: "Export CSV: Markets" }));
  const [heading, first, end] = saved.text.split("\r\n");
  assert.match(heading ?? "", /^Market,Status,Volume today \(UTC\),Open orders,/);
  assert.match(first ?? "", /^ETHUSDT,/);
  assert.equal(end, "");
  // The session is of this tab, so it survives a reload.
  await page.reload();
  await hasNoTrades();
  assert.equal(await filter.inputValue(), "ethusdt");
  assert.equal(await rows.count(), 2);
  // The navigation brings the filter back; on the page itself, its link clears it.
  const link = page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Markets" });
  await go(opened, "#/assets");
  await page.getByRole("heading", { level: 1, name: "Assets" }).waitFor();
  await link.click();
  await page.waitForURL("**/#/markets?find=ethusdt");
  await link.click();
  await page.waitForURL("**/#/markets");
  assert.equal(await filter.inputValue(), "");
  await opened.close();
});

for (const { name, size, options } of looksOf(DESKTOP)) {
  test(`axe finds no serious violation in the palette and the columns menu: ${name}`, { skip }, async () => {
    const opened = await openConsole(browser, venue.exchange, options);
    const { page } = opened;
    await go(opened, "#/markets");
    await page.getByText("Columns", { exact: true }).first().click();
    const findings = await findingsOf(page, "columns");
    await page.keyboard.press("Escape");
    if (size === "desktop") {
      await page.getByRole("button", { name: "Ctrl K: command palette" }).click();
      await dialogOf(opened, "Command palette").waitFor();
      findings.push(...(await findingsOf(page, "palette")));
    }
    assert.deepEqual(findings, []);
    await opened.close();
  });
}
