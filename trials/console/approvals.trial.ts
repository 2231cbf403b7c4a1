/** A request that needs two approvals: a change removes them, and an approval counts for the version that was read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { operate, tryToOperate } from "@pricetime/testkit/venue";
import { rigOf, skip } from "../pages/rig.ts";
import { chooseAction, dialogOf, routeButton } from "./console.ts";
import { go, type Opened } from "../pages/opened.ts";
import { openAs, openOperator } from "./operators.ts";
import { openVenue } from "./venue.ts";

const { venue, browser } = await rigOf(openVenue);

const APPROVE = "POST /v1/approval-requests/{request}/approve";
const RULES = { approvals: 2, withdrawalsAbove: [], actions: ["setMaintenance"] };

async function approve(opened: Opened): Promise<void> {
  await routeButton(opened, APPROVE).click();
  const dialog = dialogOf(opened, "Approve");
  await dialog.getByRole("button", { name: "Review" }).click();
  await dialog.getByRole("button", { name: "Approve" }).click();
  await dialog.waitFor({ state: "hidden" });
}

const factsOf = ({ page }: Opened) => page.getByRole("region", { name: "Approval request", exact: true });

async function openProposal(opened: Opened, text: string): Promise<void> {
  await go(opened, "#/approvals");
  const row = opened.page.getByRole("region", { name: "Pending requests" }).locator("tr", { hasText: text });
  await row.getByRole("link").first().click();
  await opened.page.getByRole("region", { name: "Effect" }).waitFor();
}

async function proposeAdjustment(opened: Opened): Promise<void> {
  await go(opened, "#/accounts/alice@demo.pricetime");
  await chooseAction(opened, "POST /v1/accounts/{account}/adjustments");
  const form = dialogOf(opened, "Request adjustment");
  await form.getByLabel("Asset").fill("IDR");
  await form.getByLabel("Amount").fill("1000");
  await form.getByLabel("Reason").fill("A fee that was taken twice.");
  await form.getByLabel("Reference").fill("case 1");
  await form.getByRole("button", { name: "Review" }).click();
  await form.getByRole("button", { name: "Request adjustment" }).click();
  await form.waitFor({ state: "hidden" });
}

const grouped = (amount: string): string => amount.replace(/(?=(?:\d{3})+$)(?!^)/g, ",");

async function change(opened: Opened, amount: string): Promise<void> {
  await routeButton(opened, "PUT /v1/approval-requests/{request}").click();
  const dialog = dialogOf(opened, "Change request");
  const act = dialog.getByRole("group", { name: "Action" });
  assert.equal(await act.getByLabel("Amount").inputValue(), "1000");
  await act.getByLabel("Amount").fill(amount);
  await dialog.getByRole("button", { name: "Review" }).click();
  const rows = await dialog.getByRole("table", { name: "Changes" }).locator("tbody tr").allInnerTexts();
  assert.deepEqual(
    rows.map((row) => row.split("\t")),
    [["Action › Amount", "1,000", grouped(amount)]],
  );
  await dialog.getByRole("button", { name: "Change request" }).click();
  await dialog.waitFor({ state: "hidden" });
}

test("an adjustment is approved by one operator, changed, approved again by two, and its history lists all of it", {
  skip,
}, async () => {
  const { exchange } = venue;
  const [carol, dave, erin] = [
    await openOperator(exchange, "carol", "admin"),
    await openOperator(exchange, "dave", "admin"),
    await openOperator(exchange, "erin", "admin"),
  ] as const;
  await operate(exchange, "PUT", "/v1/approval-rules", RULES);
  const weaker = await tryToOperate(exchange, "PUT", "/v1/approval-rules", { ...RULES, actions: [] });
  assert.equal(weaker.status, 409, "rules that stand are changed by two persons");
  const first = await openAs(browser, exchange, carol);
  const second = await openAs(browser, exchange, dave);
  await proposeAdjustment(first);
  await openProposal(first, "case 1");
  await openProposal(second, "case 1");
  await approve(second);
  await factsOf(second).getByText("1 of 2: dave").waitFor();

  // Carol changes it while Dave has it open.
  await change(first, "2000");
  await factsOf(first).getByText("0 of 2").waitFor();
  await factsOf(second).getByText("0 of 2").waitFor();
  await second.page.getByRole("region", { name: "Effect" }).getByText("2,000").first().waitFor();
  await approve(second);

  const third = await openAs(browser, exchange, erin);
  await openProposal(third, "case 1");
  await factsOf(third).getByText("1 of 2: dave").waitFor();
  await routeButton(third, APPROVE).click();
  const dialog = dialogOf(third, "Approve");
  await dialog.getByRole("button", { name: "Review" }).click();
  await dialog.getByText("2,000").first().waitFor();
  // Carol changes it again, so Erin's page shows an old version.
  const open = await operate<readonly { requestId: string; version: number; action: object }[]>(
    exchange,
    "GET",
    "/v1/approval-requests",
  );
  assert.equal(open.length, 1);
  await routeButton(first, "PUT /v1/approval-requests/{request}").click();
  const again = dialogOf(first, "Change request");
  await again.getByRole("group", { name: "Action" }).getByLabel("Amount").fill("3000");
  await again.getByRole("button", { name: "Review" }).click();
  await again.getByRole("button", { name: "Change request" }).click();
  await again.waitFor({ state: "hidden" });
  await dialog.getByRole("button", { name: "Approve" }).click();
  await dialog.getByRole("alert").getByText("APPROVAL_REQUEST_CHANGED").waitFor();
  await third.page.keyboard.press("Escape");
  await third.page.getByRole("region", { name: "Effect" }).getByText("3,000").first().waitFor();
  await approve(third);
  await factsOf(third).getByText("1 of 2: erin").waitFor();
  await factsOf(second).getByText("1 of 2: erin").waitFor();
  await go(first, "#/approvals");
  await approve(second);
  await go(second, "#/treasury");
  const history = second.page.getByRole("region", { name: "Balance adjustments" }).first();
  await history.getByText("A fee that was taken twice.").waitFor();
  await history.getByText("3,000").first().waitFor();
  const [adjusted] = await operate<readonly { by: string; amount: string }[]>(exchange, "GET", "/v1/adjustments");
  assert.equal(adjusted?.by, "operator:carol+operator:erin+operator:dave");
  assert.deepEqual(first.complaints, []);
  assert.deepEqual(second.complaints, []);
  for (const one of [first, second, third]) {
    assert.deepEqual(await one.violations(), []);
    await one.close();
  }
});
