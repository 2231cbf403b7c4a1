/** What others may write is shown as text, and never runs: in the page and in the files that it saves. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Route } from "playwright-core";
import { rigOf, skip } from "../pages/rig.ts";
import { openTerminal, showTab, signInAs } from "./terminal.ts";
import { openVenue, place } from "./venue.ts";

const IMAGE = "<img src=x onerror=window.wasRun=1>";
const SCRIPT = "<script>window.wasRun=1</script>";

const { venue, browser } = await rigOf(openVenue);

/** Answers as the node does, with its texts spoilt: what a broken or hostile node might say. */
async function spoil(route: Route, change: (text: string) => string): Promise<void> {
  const answer = await route.fetch();
  // Without its headers, which tell of an encoding that is undone.
  const body = change(await answer.text());
  await route.fulfill({ status: answer.status(), contentType: "application/json", body });
}

test("markup in texts of a node, an account and an order stays text", { skip }, async () => {
  const terminal = await openTerminal(browser, venue.exchange.rest);
  const { page, tables, form, complaints, seen, close } = terminal;
  const quoted = JSON.stringify(IMAGE).slice(1, -1);
  await page.route("**/terminal.json", (route) =>
    spoil(route, (text) => text.replace('"name":"bob"', `"name":"${quoted}"`)),
  );
  // A client order id that the node would not take itself.
  await page.route(/\/api\/v3\/(openOrders|allOrders)\b/, (route) =>
    spoil(route, (text) => text.replace(/"clientOrderId":"[^"]*"/g, `"clientOrderId":"${quoted}"`)),
  );
  await page.route(/\/api\/v3\/exchangeInfo\b/, (route) =>
    spoil(route, (text) => text.replace('"status":"TRADING"', `"status":"${quoted}"`)),
  );
  await place(venue.alice, { side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01", price: "19500.00" });
  await page.reload();
  await page.getByText(`This market is closed (${IMAGE})`).waitFor();
  await page
    .getByRole("button", { name: `Trade as ${IMAGE}` })
    .first()
    .waitFor();
  await signInAs(terminal, "alice");
  await showTab(terminal, "Open orders");
  await tables.getByText("19,500.00").waitFor();

  const refusal = { code: -2010, msg: `${IMAGE} ${SCRIPT}` };
  await page.route(/\/api\/v3\/order(\?.*)?$/, (route) => route.fulfill({ status: 400, json: refusal }));
  await page.unroute(/\/api\/v3\/exchangeInfo\b/);
  await page.reload();
  await page.getByRole("button", { name: "Signed in as alice" }).waitFor();
  await form.getByRole("textbox", { name: "Price" }).fill("19400");
  await form.getByRole("textbox", { name: "Quantity" }).fill("0.01");
  await form.locator("button[type=submit]").click();
  await form.getByRole("alert").filter({ hasText: refusal.msg }).waitFor();
  await page.getByRole("log").getByText(IMAGE).first().waitFor();

  assert.equal(await page.evaluate("window.wasRun"), undefined);
  assert.equal(await page.locator("img, #terminal script, iframe").count(), 0, "no markup came of it");
  assert.deepEqual((await seen()).violations, []);
  assert.deepEqual(
    complaints.filter((one) => !one.includes("Failed to load resource")),
    [],
  );
  await close();
});

test("a formula in what a node says does not come into a spreadsheet as one", { skip }, async () => {
  const terminal = await openTerminal(browser, venue.exchange.rest);
  const { page, tables, close } = terminal;
  await page.route(/\/api\/v3\/openOrders\b/, (route) =>
    spoil(route, (text) => text.replaceAll('"type":"LIMIT"', '"type":"=HYPERLINK(1)"')),
  );
  await place(venue.alice, { side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01", price: "19510.00" });
  await signInAs(terminal, "alice");
  await showTab(terminal, "Open orders");
  await tables.getByText("=HYPERLINK").first().waitFor();
  const saved = page.waitForEvent("download");
  await tables.getByRole("button", { name: "CSV" }).click();
  const file = readFileSync(await (await saved).path(), "utf8");
  const [head = "", ...lines] = file.split("\r\n").filter((line) => line !== "");
  assert.ok(head.split(",").length > 5, head);
  assert.ok(lines.length > 0 && file.includes("19510"), file);
  assert.ok(file.includes("'=HYPERLINK"), file);
  for (const cell of lines.join(",").split(",")) assert.doesNotMatch(cell, /^"?[=+@]/, cell);
  await close();
});
