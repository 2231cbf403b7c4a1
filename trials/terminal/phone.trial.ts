/** The terminal on small screens: every digit is visible at any width, and each page has its links. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cutNumbers } from "../pages/uncut.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { chooseMarket, openTerminal } from "./terminal.ts";
import { openVenue, place } from "./venue.ts";

const { venue, browser } = await rigOf(async () => {
  const opened = await openVenue();
  const { bob, carol } = opened;
  for (const [symbol, price, quantity] of [
    ["BTCIDR", "959614034.00", "0.01"],
    ["SHIBUSDT", "0.00001233", "10000000"],
  ] as const) {
    const order = { symbol, price, quantity, type: "LIMIT", timeInForce: "GTC" };
    await place(carol, { ...order, side: "SELL" });
    await place(bob, { ...order, side: "BUY" });
  }
  return opened;
});

const HEIGHT = 800;
const PHONES = [320, 360, 390];
const OTHERS = [600, 768, 820, 1024, 1199, 1280];
/** Prices of five digits, of twelve digits with commas, and with eight decimal places. */
const MARKETS = ["BTCUSDT", "BTCIDR", "SHIBUSDT"];

for (const width of [...PHONES, ...OTHERS]) {
  test(`${width} px: the last price is shown, and no digit of any number is cut`, { skip }, async () => {
    const terminal = await openTerminal(browser, venue.exchange.rest, { viewport: { width, height: HEIGHT } });
    const { page } = terminal;
    for (const market of MARKETS) {
      await chooseMarket(terminal, market);
      const last = page.locator(".figures .last dd:visible, .day-strip .last dd:visible").first();
      await last.filter({ hasText: /^[\d,.]+( [▲▼])?$/ }).waitFor();
      for (const tab of await page.locator(".places [role=tab]").all()) {
        await tab.click();
        assert.deepEqual(await cutNumbers(page, ".terminal"), [], `${market}, ${await tab.innerText()}`);
      }
      assert.deepEqual(await cutNumbers(page, ".terminal"), [], market);
      const text = (await last.innerText()).replace(/ .*/, "");
      const { json } = await venue.alice.public<{ price: string }>("/api/v3/ticker/price", { symbol: market });
      assert.equal(text.split(".")[0]?.length, groupedLength(json.price), `${market}: ${text} for ${json.price}`);
    }
    const wide = await page.evaluate("document.documentElement.scrollWidth");
    assert.ok(Number(wide) <= width, `${String(wide)} px wide`);
    await terminal.close();
  });
}

/** The length of a price's integer part with its commas. */
const groupedLength = (price: string): number => {
  const { length } = price.split(".")[0] ?? "";
  return length + Math.floor((length - 1) / 3);
};

test("a demo's Wallet link opens with one click, and the terminal's sign-in leads to the page that creates keys", {
  skip,
}, async () => {
  const terminal = await openTerminal(browser, venue.exchange.rest);
  const { page } = terminal;
  await page.getByRole("banner").getByRole("button", { name: "Sign in" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in" });
  await dialog.getByText("Use an API key instead").click();
  await dialog.getByRole("link", { name: "Create one in your account." }).click();
  await page.getByRole("button", { name: "Sign in as alice" }).click();
  await page.getByRole("form", { name: "Create API key" }).waitFor();
  await page.getByRole("link", { name: "Trade" }).click();
  await page.getByRole("link", { name: "Wallet" }).click();
  const balances = page.getByRole("region", { name: "Balances" });
  await balances.getByRole("cell", { name: "BTC", exact: true }).waitFor();
  await page.goBack();
  await page.getByRole("button", { name: "Signed in as alice" }).waitFor();
  assert.deepEqual(terminal.complaints, []);
  await terminal.close();
});
