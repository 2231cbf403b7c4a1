/** Named operators: created by the admin token, with a password set through the link of an invitation. */
import type { Browser, Page } from "playwright-core";
import { type Exchange, operate } from "@pricetime/testkit/venue";
import { visitConsole } from "./console.ts";
import { type Opened, type OpenOptions } from "../pages/opened.ts";

export interface Person {
  readonly name: string;
  readonly password: string;
}

export type Role = "viewer" | "support" | "treasurer" | "admin";

/** Creates an operator and returns the link of the invitation. */
export async function inviteOperator(node: Exchange, name: string, role: Role): Promise<string> {
  await operate(node, "POST", "/v1/operators", { name, email: `${name}@example.com`, role });
  const { link } = await operate<{ link: string }>(node, "POST", `/v1/operators/${name}/invitation`, {});
  return link;
}

export async function openOperator(node: Exchange, name: string, role: Role): Promise<Person> {
  const link = await inviteOperator(node, name, role);
  const asked = new URLSearchParams(link.split("?")[1]);
  const password = `the long password of ${name}`;
  await operate(node, "POST", "/v1/accept-invitation", { id: asked.get("id"), secret: asked.get("secret"), password });
  return { name, password };
}

/** Fills in the sign-in form and submits it. The caller waits for the outcome. */
export async function signInByName(page: Page, { name, password }: Person, code?: string): Promise<void> {
  await page.getByRole("button", { name: "Name and password" }).click();
  const form = page.getByRole("form", { name: "Sign in" });
  await form.getByLabel("Name").fill(name);
  await form.getByLabel("Password").fill(password);
  if (code !== undefined) await form.getByLabel("Authenticator app code").fill(code);
  await form.getByRole("button", { name: "Sign in" }).click();
}

/** Opens the console in a new browser context, and signs in. */
export async function openAs(
  browser: Browser,
  node: Exchange,
  person: Person,
  options: OpenOptions = {},
): Promise<Opened> {
  const opened = await visitConsole(browser, node, options);
  await signInByName(opened.page, person);
  await opened.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  return opened;
}

/** Requires a second approval for withdrawals of IDR above the amount and for the given actions. */
export async function setRules(node: Exchange, above: string, acts: readonly string[] = []): Promise<void> {
  const rules = { approvals: 1, withdrawalsAbove: [{ asset: "IDR", amount: above }], actions: acts };
  await operate(node, "PUT", "/v1/approval-rules", rules);
}

/** Waits until the page has no button for the route. */
export async function hasNoButton({ page }: Opened, key: string): Promise<void> {
  await page.locator("main h1").first().waitFor();
  await page.locator(`[data-route="${key}"]`).first().waitFor({ state: "detached" });
}

/** Calls a route with the token of the operator's session. */
async function actAs<T>(
  node: Exchange,
  { name, password }: Person,
  method: string,
  path: string,
  body: object,
): Promise<T> {
  const { token } = await operate<{ token: string }>(node, "POST", "/v1/sign-in", { name, password });
  return operate<T>({ ...node, adminToken: token }, method, path, body);
}

export interface Wrote {
  readonly why: string;
  readonly reference: string;
}

const GOODWILL: Wrote = { why: "She waited long.", reference: "case 7" };

/** Requests a credit of 100 BTC to the account. Returns the request's id. */
export async function proposeGoodwill(node: Exchange, author: Person, wrote: Wrote = GOODWILL): Promise<string> {
  const { request } = await actAs<{ request: { requestId: string } }>(
    ...([node, author, "POST", "/v1/accounts/100/adjustments"] as const),
    { asset: "BTC", direction: "credit", amount: "1", house: "treasury", category: "goodwill", ...wrote },
  );
  return request.requestId;
}

/** Requests an adjustment. Returns the request's id. */
export async function propose(
  node: Exchange,
  author: Person,
  proposed: { readonly action: object; readonly why: string },
): Promise<string> {
  return (await actAs<{ requestId: string }>(node, author, "POST", "/v1/approval-requests", proposed)).requestId;
}

/**
 * Creates one of each: a suspension, a note, an invitation, an unattributed deposit, approval rules, and a request by
 * `author`.
 */
export async function createSamples(node: Exchange, author: Person): Promise<string> {
  await operate(node, "PUT", "/v1/suspensions/asset:ETH", { why: "The chain is split." });
  await operate(node, "POST", "/v1/accounts/100/notes", { text: "She called." });
  await operate(node, "POST", "/v1/invitations", { email: "new@example.com", name: "Newcomer" });
  await operate(node, "POST", "/v1/networks/BANK/unattributed-deposits", {
    ...{ txId: "lost", address: "DE0009", asset: "IDR", amount: "70000", reason: "noTag" },
  });
  await operate(node, "POST", "/v1/emergency-override", { why: "A trial." });
  await setRules(node, "100000");
  return proposeGoodwill(node, author);
}
