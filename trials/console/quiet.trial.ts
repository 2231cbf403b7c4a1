/**
 * On an exchange with little data, the console sends no request that the node rejects: browsers log rejected requests
 * as errors.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { operate, startExchange } from "@pricetime/testkit/venue";
import { rigOf, skip } from "../pages/rig.ts";
import { openConsole } from "./console.ts";
import { go } from "../pages/opened.ts";

const { venue, browser } = await rigOf(async () => {
  const exchange = await startExchange({ args: ["--no-demo"], dataFolder: temporaryFolder() });
  return { exchange, stop: () => exchange.stop() };
});

test("on a node without markets, accounts and dust, no page logs an error", { skip }, async () => {
  const { exchange } = venue;
  const opened = await openConsole(browser, exchange);
  const { page } = opened;
  const pages = ["overview", "markets", "assets", "accounts", "withdrawals", "deposits", "networks", "emails"];
  for (const name of [...pages, "treasury", "journal", "audit-log", "settings"]) {
    await go(opened, `#/${name}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await opened.loaded();
  }
  await page.getByText("This venue does not convert dust (small balances).").waitFor();
  assert.deepEqual(opened.complaints, []);
  for (const asset of ["BTC", "USDT"]) await operate(exchange, "POST", "/v1/assets", { asset, name: asset });
  const rules = { dustAsset: "BTC", limitAsset: "USDT", limit: "10" };
  await operate(exchange, "PUT", "/v1/dust-rules", rules);
  await page.reload();
  await page.getByRole("region", { name: "Dust conversion" }).getByText("USDT").first().waitFor();
  assert.deepEqual(opened.complaints, []);
  await opened.close();
});
