/**
 * `npm run console-screenshots`: takes the pictures of the console in docs/images, of a demo that has run for a while.
 * It needs Debian's headless shell of Chromium and takes a few minutes, because the charts show minutes.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@pricetime/testkit/client";
import { operate, ROOT, startExchange } from "@pricetime/testkit/venue";
import { dialogOf, openConsole, routeButton } from "../trials/console/console.ts";
import { go, type Opened, type OpenOptions, PHONE } from "../trials/pages/opened.ts";
import { openAs, openOperator, type Person, propose } from "../trials/console/operators.ts";
import { openBrowser } from "../trials/pages/browser.ts";

const FOLDER = join(ROOT, "docs/images");
/** How long the bots trade before the first picture. */
const BUSY_MS = 240_000;
const DRAWN_MS = 2500;

const exchange = await startExchange();
const browser = await openBrowser();

async function shoot(name: string, options: OpenOptions, show: (opened: Opened) => Promise<void>): Promise<void> {
  await shootOf(await openConsole(browser, exchange, options), name, show);
}

async function shootAs(
  who: Person,
  name: string,
  options: OpenOptions,
  show: (opened: Opened) => Promise<void>,
): Promise<void> {
  await shootOf(await openAs(browser, exchange, who, options), name, show);
}

async function shootOf(opened: Opened, name: string, show: (opened: Opened) => Promise<void>): Promise<void> {
  await show(opened);
  await sleep(DRAWN_MS);
  await opened.page.screenshot({ path: join(FOLDER, `console-${name}.png`) });
  await opened.close();
}

/** Requests withdrawals of several customers that await approval. */
async function fillQueue(): Promise<void> {
  const terms = { isDefault: true, withdrawFee: "0.0005", withdrawMin: "0.001", approvalAbove: "1" };
  await operate(exchange, "PUT", "/v1/assets/BTC/networks", [{ network: "BTC", ...terms }]);
  for (const [place, account] of exchange.accounts.slice(0, 3).entries()) {
    const client = new Client(exchange.rest, account);
    for (const amount of ["2.5", "12.40625"].slice(0, place + 1)) {
      const address = `bc1q${String(place)}xw508d6qejxtdg4y5r3zarvary0c5xw7k`;
      const asked = {
        coin: "BTC",
        network: "BTC",
        amount,
        address,
        name: ["cold storage", "desk", "home"][place] ?? "",
      };
      const { status, text } = await client.signed("POST", "/sapi/v1/capital/withdraw/apply", asked);
      assert.equal(status, 200, text);
    }
    client.close();
  }
}

/** Withdrawals above the limit wait for a second operator, who reviews the first one's approval request. */
async function proposePayment(): Promise<{ readonly dave: Person; readonly proposal: string }> {
  const carol = await openOperator(exchange, "carol", "treasurer");
  const dave = await openOperator(exchange, "dave", "admin");
  await openOperator(exchange, "erin", "admin");
  await openOperator(exchange, "sue", "support");
  await operate(exchange, "PUT", "/v1/approval-rules", {
    ...{ approvals: 1, withdrawalsAbove: [{ asset: "BTC", amount: "10" }], actions: ["setSymbolFilters"] },
  });
  const open = await operate<readonly { withdrawalId: string; amount: string }[]>(exchange, "GET", "/v1/withdrawals");
  const { withdrawalId } = open.find(({ amount }) => amount.startsWith("12.4")) ?? assert.fail();
  const proposal = await propose(exchange, carol, {
    action: { type: "approveWithdrawal", withdrawalId },
    why: "Confirmed by telephone, with the number from the contract.",
  });
  return { dave, proposal };
}

try {
  await fillQueue();
  const { dave, proposal } = await proposePayment();
  await sleep(BUSY_MS);
  await shoot("overview", {}, (opened) => go(opened, "#/overview"));
  await shoot("withdrawals", { scheme: "light" }, (opened) => go(opened, "#/withdrawals"));
  await shoot("account", {}, (opened) => go(opened, "#/accounts/100"));
  await shoot("filters", { scheme: "light" }, async (opened) => {
    await go(opened, "#/markets/BTCUSDT");
    await opened.page.getByRole("region", { name: "Filters" }).getByText("Price filter").waitFor();
    await routeButton(opened, "PUT /v1/symbols/{symbol}/filters").click();
    const dialog = dialogOf(opened, "Set filters");
    await dialog.getByRole("group", { name: "Price filter" }).getByLabel("Tick size").fill("0.1");
    await dialog
      .getByRole("group", { name: "Minimum notional" })
      .getByRole("textbox", { name: "Minimum notional" })
      .fill("50");
    await dialog.getByRole("button", { name: "Review" }).click();
    await dialog.getByRole("region", { name: "Effect on open orders" }).waitFor();
  });
  await shootAs(dave, "approval", { scheme: "light" }, (opened) => go(opened, `#/approvals/${proposal}`));
  await operate(exchange, "PUT", "/v1/suspensions/asset:ETH", {
    why: "The chain has split. Deposits are under review.",
  });
  await operate(exchange, "PUT", "/v1/suspensions/placing", { why: "Prices are moving too fast." });
  await shootAs(dave, "suspensions", {}, (opened) => go(opened, "#/overview"));
  for (const scope of ["asset:ETH", "placing"]) await operate(exchange, "DELETE", `/v1/suspensions/${scope}`);
  await shoot("phone", { viewport: PHONE, isTouched: true }, (opened) => go(opened, "#/overview"));
} finally {
  await browser.close();
  await exchange.stop();
}
