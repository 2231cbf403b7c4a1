/**
 * Each page requests the routes that it reads, and has a button with a form for each other route that the table assigns
 * to it.
 */
import assert from "node:assert/strict";
import { afterEach, before, test } from "node:test";
import { operate } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { type OpenApi, type Operation, operationsOf } from "@pricetime/web/console-operations";
import { buttonsOn, PAGES, ROUTES, SUBJECTS } from "@pricetime/web/console-routes";
import type { Locator } from "playwright-core";
import { rigOf, skip } from "../pages/rig.ts";
import { openActionMenu, openConsole, routeButton } from "./console.ts";
import { go, type Opened } from "../pages/opened.ts";
import { hasNoButton, openAs, openOperator, proposeGoodwill } from "./operators.ts";
import { askToWithdraw, openVenue, rest } from "./venue.ts";

const { venue, browser } = await rigOf(openVenue);

/**
 * Creates one item of each kind that has a page, and an operator to sign in as: the admin token cannot make requests
 * for approval.
 */
async function subjects(): Promise<Readonly<Record<string, string>>> {
  const { exchange: node, alice } = venue;
  const withdrawal = await askToWithdraw(alice);
  await operate(node, "PATCH", "/v1/accounts/alice@demo.pricetime", { confirmsByEmail: true });
  await askToWithdraw(alice, { amount: "30000" });
  await operate(node, "PATCH", "/v1/accounts/alice@demo.pricetime", { confirmsByEmail: false });
  await rest(alice, { side: "BUY", quantity: "0.001", price: "15000" });
  await operate(node, "POST", "/v1/networks/BANK/unattributed-deposits", {
    ...{ txId: "lost", address: "DE0009", asset: "IDR", amount: "70000", reason: "unknownAddress" },
  });
  await operate(node, "POST", "/v1/invitations", { email: "new@example.com", name: "Newcomer" });
  await operate(node, "PUT", "/v1/commission-discount", { asset: "ETH", factorBps: 7_500, excludedSymbols: [] });
  // The treasury page shows the reserves of the newest proof.
  await operate(node, "POST", "/v1/proofs", {});
  const [mail] = await operate<readonly { emailId: string }[]>(node, "GET", "/v1/emails");
  assert.ok(mail !== undefined, "a letter was written");
  const proposal = await proposeGoodwill(node, await openOperator(node, "dave", "admin"));
  const others = { withdrawal, request: proposal, operator: "dave", email: mail.emailId };
  return { symbol: "BTCUSDT", asset: "BTC", account: "100", network: "BTC", ...others };
}

/** Routes whose buttons are shown only in states that other trials create. */
const IN_A_STATE: readonly string[] = [
  "DELETE /v1/emergency-override",
  "DELETE /v1/suspensions/{scope}",
  // Only for a market whose delisting is scheduled.
  "POST /v1/symbols/{symbol}/delisting/withdraw",
  // Only for a market with a price range.
  "DELETE /v1/symbols/{symbol}/price-range",
  "POST /v1/me/totp/remove",
  // Only for an operator with two-factor authentication.
  "DELETE /v1/operators/{operator}/totp",
  // Only for a withdrawal that is being paid, on a manual network or an EVM chain.
  ...["complete", "fail", "raise-fee"].map((step) => `POST /v1/withdrawals/{withdrawal}/${step}`),
  // Only for an EVM network.
  ...["sweep", "top-up"].map((what) => `POST /v1/networks/{network}/${what}`),
];

/** Whether a request (method and path) matches a route such as `GET /v1/accounts/{account}/keys`. */
const isOf = (asked: string, key: string): boolean =>
  new RegExp(`^${key.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(asked);

let opened: Opened;
let operations: ReadonlyMap<string, Operation>;
let known: Readonly<Record<string, string>>;
if (skip === false) {
  before(async () => {
    known = await subjects();
    const document = (await (await fetch(`${venue.exchange.admin}/openapi.json`)).json()) as OpenApi;
    operations = operationsOf(document);
    opened = await openAs(browser, venue.exchange, await openOperator(venue.exchange, "carol", "admin"));
  });
}

// A dialog that a failed test has left open would cover the pages of the following tests.
afterEach(async () => {
  if (skip === false) await opened.page.keyboard.press("Escape");
});

for (const page of PAGES) {
  for (const on of ["list", "one"] as const) {
    const places = Object.entries(ROUTES).filter(([, place]) => place.page === page && place.on === on);
    if (places.length === 0) continue;
    test(`${page}, ${on}: requests its routes, and has a button and form for each action`, { skip }, async () => {
      const asked = new Set<string>();
      const note = (request: { method(): string; url(): string }): void =>
        void asked.add(`${request.method()} ${new URL(request.url()).pathname}`);
      opened.page.on("request", note);
      await go(opened, "#/settings");
      await go(
        opened,
        on === "list" ? `#/${page}` : `#/${page}/${encodeURIComponent(known[SUBJECTS[page] ?? ""] ?? "")}`,
      );
      // The menu of actions is in the page while it is closed. It is drawn with the tabs, once the object is loaded.
      const keys = buttonsHere(page, on).filter((key) => !IN_ROWS.includes(key));
      for (const key of keys) await routeButton(opened, key).first().waitFor({ state: "attached" });
      // A page requests the routes of a tab when the tab is opened.
      for (const tab of await opened.page.locator(".page-tabs").getByRole("tab").all()) await tab.click();
      const reads = places.filter(([, { how }]) => how === "read").map(([key]) => key);
      const missing = (): readonly string[] => reads.filter((key) => ![...asked].some((one) => isOf(one, key)));
      await until(
        () => `${missing().join(", ")} is read by its page`,
        () => missing().length === 0,
        { withinMs: 20_000, everyMs: 50 },
      );
      opened.page.off("request", note);
      await openEachForm(page, on);
    });
  }
}

const isOfToken = (key: string): boolean => operations.get(key)?.needs === "token";

const buttonsHere = (page: (typeof PAGES)[number], on: "list" | "one"): readonly string[] =>
  buttonsOn(page, on).filter((key) => !IN_A_STATE.includes(key) && !isOfToken(key));

/** Buttons in the rows of a tab, by route key. */
const IN_TABS: Readonly<Record<string, string>> = {
  "DELETE /v1/keys/{apiKey}": "Security",
  "POST /v1/orders/{order}/end": "Activity",
};
const IN_ROWS = Object.keys(IN_TABS);

async function openEachForm(page: (typeof PAGES)[number], on: "list" | "one"): Promise<void> {
  for (const key of buttonsHere(page, on)) {
    if (IN_ROWS.includes(key)) await opened.page.getByRole("tab", { name: IN_TABS[key] ?? "" }).click();
    else await openActionMenu(opened);
    const button = routeButton(opened, key).first();
    await button.waitFor();
    if ((await button.getAttribute("aria-disabled")) === "true") continue;
    await button.click();
    const dialog = opened.page.getByRole("dialog");
    await dialog.waitFor();
    const { body, parameters } = operations.get(key) ?? assert.fail(key);
    const hasFields = body !== null || parameters.some((one) => one.in === "query" && one.name !== "format");
    // A task loads its object, and some tasks their code, after the dialog has opened.
    const field = dialog.locator("input, select, textarea, fieldset, dl").first();
    if (hasFields) await field.waitFor();
    await readsAsAPersonReads(dialog, key);
    const advanced = dialog.getByRole("button", { name: "Advanced", exact: true });
    if ((await advanced.count()) > 0) {
      await advanced.click();
      await advanced.waitFor({ state: "detached" });
      if (hasFields) await field.waitFor();
      await readsAsAPersonReads(dialog, key);
    }
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "hidden" });
  }
}

/** Neither the form, nor its confirmation if no field is required, shows a route or JSON. */
async function readsAsAPersonReads(dialog: Locator, key: string): Promise<void> {
  const review = dialog.getByRole("button", { name: "Review", exact: true });
  if ((await review.count()) > 0) await review.click();
  const text = await dialog.innerText();
  assert.doesNotMatch(text, /\/v1\/|\b(?:GET|POST|PUT|PATCH|DELETE) |\{"/, key);
}

test("actions for the admin token alone have a button for it, and none for an operator", { skip }, async () => {
  const ofToken = PAGES.flatMap((page) => buttonsOn(page, "list").map((key) => [page, key] as const)).filter(
    ([, key]) => isOfToken(key),
  );
  assert.ok(ofToken.length > 0);
  const byToken = await openConsole(browser, venue.exchange);
  for (const [page, key] of ofToken) {
    await go(byToken, `#/${page}`);
    await routeButton(byToken, key).first().waitFor();
    await go(opened, `#/${page}`);
    await hasNoButton(opened, key);
  }
  await byToken.close();
});

test("none of the pages logged an error", { skip }, async () => {
  assert.deepEqual(opened.complaints, []);
  assert.deepEqual(await opened.violations(), []);
});
