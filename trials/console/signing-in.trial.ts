/** Who may come into the console, and what the browser keeps of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { besides } from "../pages/browser.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { go, openConsole, signIn, visitConsole } from "./console.ts";
import { openVenue } from "./venue.ts";

const { venue, browser } = await rigOf(openVenue);

test("a wrong token is refused with the node's code, and the right one opens the overview", { skip }, async () => {
  const opened = await visitConsole(browser, venue.exchange);
  const { page, complaints } = opened;
  await signIn(opened, "wrong");
  const alert = page.getByRole("alert");
  await alert.getByText("UNAUTHORIZED").waitFor();
  await alert.getByText("The admin token is missing or wrong.").waitFor();
  await signIn(opened, venue.exchange.adminToken, "not a name");
  await alert.getByText("1 to 64 visible characters").waitFor();
  await signIn(opened, venue.exchange.adminToken);
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.getByText("All parts serve.").waitFor();
  assert.deepEqual(besides(complaints, [401, "/v1/maintenance"]), []);
  assert.deepEqual(await opened.violations(), []);
  await opened.close();
});

test("the token is kept for the tab alone, and stands in no address", { skip }, async () => {
  const { adminToken, admin } = venue.exchange;
  const addresses: string[] = [];
  const opened = await visitConsole(browser, venue.exchange);
  const { page } = opened;
  page.on("request", (request) => addresses.push(request.url()));
  await signIn(opened, adminToken);
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await go(opened, "#/markets");
  await page.getByRole("region", { name: "Markets" }).getByText("BTCUSDT").first().waitFor();
  addresses.push(page.url());
  assert.ok(addresses.length > 5);
  for (const address of addresses) assert.ok(!address.includes(adminToken), address);
  assert.deepEqual(
    await page.evaluate("Object.values(localStorage).join().includes(" + JSON.stringify(adminToken) + ")"),
    false,
  );
  assert.deepEqual(await page.context().cookies(), []);
  // The tab keeps it when it is loaded again; another tab has nothing of it.
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Markets" }).waitFor();
  const other = await page.context().newPage();
  await other.goto(`${admin}/`);
  await other.getByRole("form", { name: "Sign in" }).waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("form", { name: "Sign in" }).waitFor();
  assert.equal(await page.evaluate("sessionStorage.length"), 0);
  await opened.close();
});

test("a token that the node does not know any more leads back to the sign-in", { skip }, async () => {
  const opened = await openConsole(browser, venue.exchange);
  const { page } = opened;
  await page.route(/\/v1\/symbols$/, (route) =>
    route.fulfill({ status: 401, json: { error: "UNAUTHORIZED", message: "The admin token is missing or wrong." } }),
  );
  await go(opened, "#/markets");
  await page.getByRole("form", { name: "Sign in" }).waitFor();
  await page.getByText("The node does not know the token any more").waitFor();
  assert.equal(await page.evaluate("sessionStorage.length"), 0);
  await opened.close();
});
