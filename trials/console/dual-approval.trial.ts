/**
 * Dual approval in two browsers: requested by one operator, approved by another, with all cases that must be rejected.
 */
import type { OpenWithdrawal } from "@pricetime/server/answers";
import assert from "node:assert/strict";
import { test } from "node:test";
import { operate } from "@pricetime/testkit/venue";
import { besides } from "../pages/browser.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { chooseAction, dialogOf, openConsole, routeButton } from "./console.ts";
import { go, type Opened } from "../pages/opened.ts";
import { hasNoButton, openAs, openOperator, type Person, propose, setRules } from "./operators.ts";
import { askToWithdraw, openVenue } from "./venue.ts";

const { venue, browser } = await rigOf(openVenue);
let carol: Person;
let dave: Person;
let sue: Person;
if (skip === false) {
  const { exchange } = venue;
  carol = await openOperator(exchange, "carol", "admin");
  dave = await openOperator(exchange, "dave", "admin");
  sue = await openOperator(exchange, "sue", "support");
  await setRules(exchange, "100000", ["setSymbolStatus"]);
}

async function statusOf(withdrawal: string): Promise<string | undefined> {
  const open = await operate<readonly OpenWithdrawal[]>(venue.exchange, "GET", "/v1/withdrawals");
  return open.find((one) => one.withdrawalId === withdrawal)?.status;
}

/** Opens the pending request whose row contains the text. */
async function openProposal(opened: Opened, text: string): Promise<void> {
  await go(opened, "#/approvals");
  const row = opened.page.getByRole("region", { name: "Pending requests" }).locator("tr", { hasText: text });
  await row.getByRole("link").first().click();
  await opened.page.getByRole("region", { name: "Effect" }).waitFor();
}

test("a withdrawal above the limit is requested with a reason, approved by another operator, paid by hand and completed", {
  skip,
}, async () => {
  const withdrawal = await askToWithdraw(venue.alice, { amount: "500001", address: "DE0099" });
  const [first, second] = [
    await openAs(browser, venue.exchange, carol),
    await openAs(browser, venue.exchange, dave),
  ] as const;
  await go(first, "#/withdrawals");
  await first.page.getByRole("link", { name: "Awaiting approval (1)" }).waitFor();
  await first.page.getByRole("button", { name: "Request approval of 500,001.00 IDR" }).click();
  const dialog = dialogOf(first, "Approve withdrawal");
  await dialog.getByText("This withdrawal needs two operators").waitFor();
  const request = dialog.getByRole("button", { name: "Request approval" });
  await request.click();
  await dialog.getByText("Enter a reason.").waitFor();
  await dialog.getByLabel("Reason, for the approver").fill("Alice asked by telephone.");
  await request.click();
  await dialog.waitFor({ state: "hidden" });
  assert.equal(await statusOf(withdrawal), "awaitingApproval");
  await first.page.getByText("Awaiting approval requested by carol").waitFor();
  assert.equal(await first.page.getByRole("button", { name: "Request approval of 500,001.00 IDR" }).count(), 0);
  await first.page.getByRole("link", { name: "View", exact: true }).click();
  await first.page.getByText("You created or changed this request, so other operators must approve it.").waitFor();
  await hasNoButton(first, "POST /v1/approval-requests/{request}/approve");

  // The withdrawal leads to the open request, also the one of an earlier page, and the node accepts no second one.
  await go(second, `#/withdrawals/${withdrawal}`);
  await second.page.getByText(/carol requested approval .* ago/).waitFor();
  await hasNoButton(second, "POST /v1/withdrawals/{withdrawal}/approve");
  const action = { type: "approveWithdrawal", withdrawalId: withdrawal };
  await assert.rejects(propose(venue.exchange, dave, { action, why: "Once more." }), /ALREADY_EXISTS/);
  await second.page.getByRole("link", { name: "Review request" }).click();
  await second.page.getByRole("heading", { level: 1 }).getByText("Approve withdrawal").waitFor();
  await second.page.getByText("Alice asked by telephone.").first().waitFor();
  const reviewed = second.page.url().split("/").at(-1) ?? "";
  const payment = second.page.getByRole("region", { name: "Withdrawal" });
  await payment.locator("b", { hasText: "490,001.00 IDR" }).waitFor();
  await routeButton(second, "POST /v1/approval-requests/{request}/approve").click();
  const approval = dialogOf(second, "Approve");
  await approval.getByRole("button", { name: "Review" }).click();
  await approval.getByText("Approve withdrawal").waitFor();
  await approval.getByRole("button", { name: "Approve" }).click();
  await approval.waitFor({ state: "hidden" });
  assert.equal(await statusOf(withdrawal), "processing");
  await second.page.waitForURL(`**/#/withdrawals/${withdrawal}`);
  const toDo = "Now transfer 490,001.00 IDR to DE0099 by hand (BANK)";
  await second.page.getByRole("log").getByText(toDo).waitFor();
  await second.page.getByRole("main").getByText(toDo).waitFor();
  await second.page.getByText("carol, dave").first().waitFor();
  const acts = second.page.getByRole("region", { name: "Operator actions" }).first();
  await acts.locator("tr", { hasText: "Approve request" }).getByText("dave").first().waitFor();
  await acts
    .locator("tr")
    .filter({ has: second.page.getByText("Create approval request", { exact: true }) })
    .first()
    .waitFor();
  await routeButton(second, "POST /v1/withdrawals/{withdrawal}/complete").click();
  const paid = dialogOf(second, "Mark withdrawal as completed");
  await paid.getByLabel("Transaction ID").fill("TRANSFER-1");
  await paid.getByRole("button", { name: "Review" }).click();
  await paid.getByRole("button", { name: "Mark withdrawal as completed" }).click();
  await paid.waitFor({ state: "hidden" });
  await go(second, "#/withdrawals");
  const closed = second.page
    .getByRole("region", { name: "Closed withdrawals" })
    .locator("tr", { hasText: "TRANSFER-1" });
  await closed.getByText("Completed").waitFor();
  await closed.getByRole("link", { name: "Open" }).click();
  await second.page.getByRole("region", { name: "Withdrawal", exact: true }).getByText("Completed").waitFor();
  await hasNoButton(second, "POST /v1/withdrawals/{withdrawal}/approve");
  assert.deepEqual(first.complaints, []);
  // The page may look once more for the request while it shows that it is decided.
  assert.deepEqual(besides(second.complaints, [404, `/v1/approval-requests/${reviewed}`]), []);
  for (const one of [first, second]) {
    assert.deepEqual(await one.violations(), []);
    await one.close();
  }
});

test("a request for a withdrawal that is decided offers only its rejection", { skip }, async () => {
  const withdrawal = await askToWithdraw(venue.alice, { amount: "500005" });
  const request = await propose(venue.exchange, carol, {
    action: { type: "approveWithdrawal", withdrawalId: withdrawal },
    why: "It is due.",
  });
  const opened = await openAs(browser, venue.exchange, dave);
  await go(opened, `#/approvals/${request}`);
  await routeButton(opened, "POST /v1/approval-requests/{request}/approve").waitFor();
  await operate(venue.exchange, "POST", `/v1/withdrawals/${withdrawal}/reject`, { why: "It is not hers." });
  await opened.page.getByText("This withdrawal no longer awaits approval. Its status: Rejected.").waitFor();
  await hasNoButton(opened, "POST /v1/approval-requests/{request}/approve");
  await hasNoButton(opened, "PUT /v1/approval-requests/{request}");
  await routeButton(opened, "POST /v1/approval-requests/{request}/reject").click();
  const rejection = dialogOf(opened, "Reject");
  await rejection.getByLabel("Reason").fill("Decided already.");
  await rejection.getByRole("button", { name: "Review" }).click();
  await rejection.getByRole("button", { name: "Reject" }).click();
  await rejection.waitFor({ state: "hidden" });
  await opened.page.getByText("No pending requests.").waitFor();
  assert.deepEqual(opened.complaints, []);
  await opened.close();
});

test("a withdrawal that waits for its customer says that no email was sent, and leads to the stored one", {
  skip,
}, async () => {
  const { exchange } = venue;
  await operate(exchange, "PATCH", "/v1/accounts/bob@demo.pricetime", { confirmsByEmail: true });
  const withdrawal = await askToWithdraw(venue.bob, { amount: "30001" });
  await operate(exchange, "PATCH", "/v1/accounts/bob@demo.pricetime", { confirmsByEmail: false });
  const opened = await openConsole(browser, exchange);
  await go(opened, "#/withdrawals");
  await opened.page.getByRole("link", { name: "Awaiting customer (1)" }).click();
  const row = opened.page.locator("tr", { hasText: "30,001.00" });
  await row.getByRole("link", { name: "Open", exact: true }).click();
  await opened.page.getByText("no mail server is configured, so the email with the link was not sent").waitFor();
  await opened.page.getByRole("link", { name: "Open email" }).click();
  await opened.page.getByRole("button", { name: "Copy: Link" }).first().waitFor();
  assert.match(await opened.page.locator("[data-secret=link]").first().innerText(), /^https?:\/\/\S+$/);
  await operate(exchange, "POST", `/v1/withdrawals/${withdrawal}/cancel`);
  assert.deepEqual(opened.complaints, []);
  await opened.close();
});

test("if one of several withdrawals is above the limit, it alone becomes a request, with its reason", {
  skip,
}, async () => {
  const small = await askToWithdraw(venue.bob, { amount: "70001" });
  // The sum over 24 hours counts, so the large one is another customer's.
  const large = await askToWithdraw(venue.alice, { amount: "500003" });
  const opened = await openAs(browser, venue.exchange, carol);
  const { page } = opened;
  await go(opened, "#/withdrawals");
  for (const amount of ["70,001.00", "500,003.00"]) {
    await page.getByRole("checkbox", { name: new RegExp(`^Select ${amount} IDR`) }).check();
  }
  await page.getByRole("button", { name: "Approve 2 withdrawals" }).click();
  const bulk = dialogOf(opened, "Approve 2 withdrawals");
  await bulk.getByLabel("Type 2 to confirm").fill("2");
  await bulk.getByRole("button", { name: "Approve 2 withdrawals" }).click();
  await bulk.locator("li", { hasText: "500,003" }).getByText("needs two operators").waitFor();
  assert.doesNotMatch(await bulk.innerText(), /NEEDS_APPROVAL|\/v1\//);
  await bulk.getByLabel("Reason, for the approver").fill("Both were asked for by telephone.");
  await bulk.getByRole("button", { name: "Request approval" }).click();
  await bulk.waitFor({ state: "hidden" });
  assert.deepEqual([await statusOf(small), await statusOf(large)], ["processing", "awaitingApproval"]);
  const open = await operate<readonly { action: { withdrawalId?: string } }[]>(
    venue.exchange,
    "GET",
    "/v1/approval-requests",
  );
  assert.deepEqual(
    open.map(({ action }) => action.withdrawalId),
    [large],
  );
  await page.getByRole("link", { name: "requested by carol" }).waitFor();
  await openProposal(opened, "500,003");
  await routeButton(opened, "POST /v1/approval-requests/{request}/reject").click();
  const rejection = dialogOf(opened, "Reject");
  await rejection.getByLabel("Reason").fill("Taken back.");
  await rejection.getByRole("button", { name: "Review" }).click();
  await rejection.getByRole("button", { name: "Reject" }).click();
  await rejection.waitFor({ state: "hidden" });
  await opened.close();
});

test("actions outside the role have no button, and a page opened before the role changed shows the rejection", {
  skip,
}, async () => {
  const withdrawal = await askToWithdraw(venue.bob, { amount: "60001" });
  const opened = await openAs(browser, venue.exchange, sue);
  const { page } = opened;
  await go(opened, `#/withdrawals/${withdrawal}`);
  await page.getByRole("region", { name: "Withdrawal", exact: true }).getByText("60,001.00 IDR").first().waitFor();
  for (const key of ["approve", "reject", "fail"])
    await hasNoButton(opened, `POST /v1/withdrawals/{withdrawal}/${key}`);
  await go(opened, "#/markets/BTCUSDT");
  await page.getByRole("region", { name: "Filters" }).getByText("Price filter").waitFor();
  await hasNoButton(opened, "PUT /v1/symbols/{symbol}/status");
  assert.equal(await page.getByRole("button", { name: "Halt BTCUSDT" }).count(), 0);
  await go(opened, "#/accounts/bob@demo.pricetime");
  await chooseAction(opened, "PATCH /v1/accounts/{account}");
  const dialog = dialogOf(opened, "Suspend or change permissions and fees");
  await dialog.getByLabel("Maker fee (bps)").fill("1");
  await dialog.getByRole("button", { name: "Review" }).click();
  await dialog.getByRole("button", { name: "Suspend or change permissions and fees" }).click();
  await dialog.getByRole("alert").getByText("NOT_PERMITTED").waitFor();
  await dialog.getByRole("alert").getByText("Ask an operator whose role permits this.").waitFor();
  assert.deepEqual(await opened.violations(), []);
  await opened.close();
});

test("an action under a rule is requested by a click and rejected with a reason, and the market is unchanged", {
  skip,
}, async () => {
  const [first, second] = [
    await openAs(browser, venue.exchange, carol),
    await openAs(browser, venue.exchange, dave),
  ] as const;
  await go(first, "#/markets/ETHUSDT");
  await first.page.getByRole("button", { name: "Halt ETHUSDT" }).click();
  const dialog = dialogOf(first, "Halt ETHUSDT");
  await dialog.getByRole("button", { name: "Review" }).click();
  await dialog.getByLabel("Type ETHUSDT to confirm").fill("ETHUSDT");
  await dialog.getByRole("button", { name: "Halt ETHUSDT" }).click();
  await dialog.getByLabel("Reason, for the approver").fill("The feed is wrong.");
  assert.doesNotMatch(await dialog.innerText(), /NEEDS_APPROVAL|\/v1\//);
  await first.page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  await openProposal(second, "ETHUSDT");
  const table = second.page.getByRole("region", { name: "Effect" }).getByRole("table", { name: "Changes" });
  await table.getByText("TRADING").waitFor();
  await table.getByText("HALT").waitFor();
  await routeButton(second, "POST /v1/approval-requests/{request}/reject").click();
  const rejection = dialogOf(second, "Reject");
  await rejection.getByLabel("Reason").fill("The feed is right.");
  await rejection.getByRole("button", { name: "Review" }).click();
  await rejection.getByRole("button", { name: "Reject" }).click();
  await rejection.waitFor({ state: "hidden" });
  const { status } = await operate<{ status: string }>(venue.exchange, "GET", "/v1/symbols/ETHUSDT");
  assert.equal(status, "TRADING");
  await go(second, "#/approvals");
  await second.page.getByText("No pending requests.").waitFor();
  await first.close();
  await second.close();
});

test("actions that need two operators are disabled for the admin token, with the reason", { skip }, async () => {
  const withdrawal = await askToWithdraw(venue.alice, { amount: "500002" });
  const opened = await openConsole(browser, venue.exchange);
  const { page } = opened;
  const because = "The admin token cannot request or give approval";
  await go(opened, `#/withdrawals/${withdrawal}`);
  const approve = routeButton(opened, "POST /v1/withdrawals/{withdrawal}/approve");
  await page.getByText(because).waitFor();
  assert.ok(await approve.isDisabled());
  await go(opened, "#/markets/ETHUSDT");
  await page.getByText(because).waitFor();
  assert.ok(await routeButton(opened, "PUT /v1/symbols/{symbol}/status").isDisabled());
  await go(opened, "#/approvals");
  await page.getByRole("region", { name: "Approval rules" }).getByText("100,000 IDR").waitFor();
  await page.getByText(because).waitFor();
  assert.ok(await routeButton(opened, "PUT /v1/approval-rules").isDisabled());
  await hasNoButton(opened, "POST /v1/approval-requests");
  assert.deepEqual(opened.complaints, []);
  await opened.close();
});

test("an emergency override is announced on every page with a countdown, and another operator stops it", {
  skip,
}, async () => {
  const [first, second] = [
    await openAs(browser, venue.exchange, carol),
    await openAs(browser, venue.exchange, sue),
  ] as const;
  await go(first, "#/approvals");
  await routeButton(first, "POST /v1/emergency-override").click();
  const dialog = dialogOf(first, "Announce emergency override");
  await dialog.getByLabel("Reason").fill("Dave is at sea.");
  await dialog.getByRole("button", { name: "Review" }).click();
  await dialog.getByRole("button", { name: "Announce emergency override" }).click();
  await dialog.waitFor({ state: "hidden" });
  const banner = second.page
    .getByRole("alert")
    .filter({ hasText: "Emergency override: approval rules stop applying at" });
  await banner.getByText("Dave is at sea.").waitFor();
  await banner.getByText(/in 23 h|in 1 d|in 24/).waitFor();
  await banner.getByRole("button", { name: "Stop emergency override" }).click();
  const stop = dialogOf(second, "Stop emergency override");
  await stop.getByRole("button", { name: "Review" }).click();
  await stop.getByRole("button", { name: "Stop emergency override" }).click();
  await banner.waitFor({ state: "detached" });
  await first.page.getByText("Not announced. The approval rules apply.").waitFor();
  await first.close();
  await second.close();
});
