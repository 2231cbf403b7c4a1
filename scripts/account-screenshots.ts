/**
 * `npm run account-screenshots`: takes the pictures of the account pages in docs/images, for a customer with some data
 * of every kind. It needs Debian's headless shell of Chromium.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { operate, ROOT } from "@pricetime/testkit/venue";
import { newCustomer, signIn, visit } from "../trials/account/account.ts";
import { go, type Opened, type OpenOptions, PHONE } from "../trials/pages/opened.ts";
import { grant, openVenue, PASSWORD, trade } from "../trials/account/venue.ts";
import { openBrowser } from "../trials/pages/browser.ts";

const FOLDER = join(ROOT, "docs/images");
const EMAIL = "ann@example.com";
const DRAWN_MS = 2500;

const venue = await openVenue();
const { exchange } = venue;
const browser = await openBrowser();

async function shoot(name: string, options: OpenOptions, show: (opened: Opened) => Promise<void>): Promise<void> {
  const opened = await visit(browser, venue, `${exchange.rest}/account/`, options);
  await signIn(opened, EMAIL);
  await opened.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await show(opened);
  await sleep(DRAWN_MS);
  await opened.page.screenshot({ path: join(FOLDER, `account-${name}.png`) });
  await opened.close();
}

try {
  // Sets last prices, so that balances have an estimated value.
  await trade(venue, "BTCUSDT", "20000", "0.01");
  await trade(venue, "ETHUSDT", "1500", "0.1");
  const first = await newCustomer(browser, venue, EMAIL);
  for (const [asset, amount] of [
    ["BTC", "1.25"],
    ["ETH", "14.5"],
    ["USDT", "20431.88"],
  ] as const) {
    await grant(venue, EMAIL, asset, amount);
  }
  const addresses = [
    ["cold storage", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"],
    ["desk", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
  ] as const;
  for (const [name, address] of addresses) {
    await operate(exchange, "POST", `/v1/accounts/${EMAIL}/addresses`, { network: "BTC", address, tag: "", name });
  }
  const { seq } = await operate<{ seq: number }>(exchange, "POST", "/v1/proofs", {});
  await operate(exchange, "POST", `/v1/proofs/${seq}/publish`);
  await first.close();

  await shoot("overview", {}, (opened) => opened.page.getByText("Your balances are included").waitFor());
  await shoot("phone", { viewport: PHONE, isTouched: true }, () => Promise.resolve());
  await shoot("withdraw", { scheme: "light" }, async (opened) => {
    await go(opened, "#/withdraw?coin=BTC");
    await opened.page.getByRole("combobox", { name: "To" }).selectOption({ index: 1 });
    await opened.page.getByLabel("Amount (BTC)").fill("0.25");
  });
  await shoot("security", {}, async (opened) => {
    await go(opened, "#/security");
    const pane = opened.page.getByRole("region", { name: "Two-factor authentication" });
    await pane.getByLabel("Current password").fill(PASSWORD);
    await pane.getByRole("button", { name: "Set up" }).click();
    await pane.getByRole("img").waitFor();
  });
  await shoot("deposit", {}, async (opened) => {
    await go(opened, "#/deposit?coin=BTC");
    const address = await opened.page.locator("[data-secret=address]").innerText();
    await operate(exchange, "POST", "/v1/networks/BTC/sandbox/faucet", { address, asset: "BTC", amount: "0.5" });
    await operate(exchange, "POST", "/v1/networks/BTC/sandbox/mine", { blocks: 2 });
    await opened.page.getByText("tradable", { exact: true }).last().waitFor();
  });
} finally {
  await browser.close();
  await venue.stop();
}
