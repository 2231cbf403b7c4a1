/**
 * The market is in the terminal's address: a reload, a bookmark, a second tab and the browser's history lead to it, and
 * a symbol that the exchange does not list is named.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { rigOf, skip } from "../pages/rig.ts";
import { chooseMarket, openTerminal, partsOf, visitTerminal } from "./terminal.ts";
import { openVenue } from "./venue.ts";

const { venue, browser } = await rigOf(openVenue);

const marketOf = (page: Page, pair: string) =>
  page.getByRole("banner").getByRole("button", { name: pair, exact: true });
const pathOf = (page: Page): string => new URL(page.url()).pathname;

test("reload, a second tab, back and forward show the market of the address", { skip }, async () => {
  const { rest } = venue.exchange;
  const terminal = await openTerminal(browser, rest);
  const { page, complaints, outside, seen } = terminal;
  await page.waitForURL("**/trade/BTCUSDT");
  await chooseMarket(terminal, "ETHUSDT");
  await page.waitForURL("**/trade/ETHUSDT");
  await chooseMarket(terminal, "ETHBTC");
  await page.waitForURL("**/trade/ETHBTC");

  const second = await page.context().newPage();
  await second.goto(`${rest}/trade/ethusdt`);
  await marketOf(second, "ETH/USDT").waitFor();
  await second.waitForURL("**/trade/ETHUSDT");
  await second.waitForFunction(`document.title.includes("ETH/USDT")`);
  await second.close();

  await page.reload();
  await marketOf(page, "ETH/BTC").waitFor();
  await page.goBack();
  await marketOf(page, "ETH/USDT").waitFor();
  assert.equal(pathOf(page), "/trade/ETHUSDT");
  await page.goBack();
  await marketOf(page, "BTC/USDT").waitFor();
  await partsOf(page).book.getByText("19,990.00").first().waitFor();
  await page.goForward();
  await marketOf(page, "ETH/USDT").waitFor();
  assert.equal(pathOf(page), "/trade/ETHUSDT");

  // Links do not depend on the depth of the address.
  await page.getByRole("banner").getByRole("link", { name: "Wallet" }).click();
  await page.waitForURL(`${rest}/account/**`);
  assert.deepEqual([complaints, outside, (await seen()).violations], [[], [], []]);
  await terminal.close();
});

test("a symbol that is not listed is named, and the list of markets is offered instead of another market", {
  skip,
}, async () => {
  const terminal = await visitTerminal(browser, venue.exchange.rest, { path: "/trade/NOSUCH" });
  const { page, book, form, complaints } = terminal;
  await page.getByRole("heading", { name: "NOSUCH is not listed" }).waitFor();
  assert.equal((await book.count()) + (await form.count()), 0, "no panel shows another market");
  assert.equal(pathOf(page), "/trade/NOSUCH");
  const link = page.getByRole("main").getByRole("link", { name: "ETH/USDT" });
  assert.equal(
    await link.evaluate((element) => (element as unknown as { href: string }).href),
    `${venue.exchange.rest}/trade/ETHUSDT`,
  );
  await link.click();
  await marketOf(page, "ETH/USDT").waitFor();
  await form.waitFor();
  assert.equal(pathOf(page), "/trade/ETHUSDT");
  await page.goBack();
  await page.getByRole("heading", { name: "NOSUCH is not listed" }).waitFor();
  assert.deepEqual(complaints, []);
  await terminal.close();
});
