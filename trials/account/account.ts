/** Helpers for the customers' pages in a browser. They find elements by role, name and text. */
import type { Browser } from "playwright-core";
import { openAddress, type Opened, type OpenOptions, overviewOf } from "../pages/opened.ts";
import { invite, letterTo, PASSWORD, type Venue } from "./venue.ts";

export const DESKTOP = { width: 1280, height: 900 } as const;

/** Opens an address, by default the sign-in. */
export function visit(
  browser: Browser,
  { exchange: { rest } }: Pick<Venue, "exchange">,
  address = `${rest}/account/`,
  options: OpenOptions = {},
): Promise<Opened> {
  return openAddress(browser, { home: rest, address, desktop: DESKTOP }, options);
}

export async function signIn({ page }: Pick<Opened, "page">, email: string, password = PASSWORD): Promise<void> {
  const form = page.getByRole("form", { name: "Sign in" });
  await form.getByLabel("Email").fill(email);
  await form.getByLabel("Password").fill(password);
  await form.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Accepts an invitation by setting a password. */
export async function accept({ page }: Pick<Opened, "page">, name = ""): Promise<void> {
  const form = page.getByRole("form", { name: "Your invitation" });
  if (name !== "") await form.getByLabel("Your name").fill(name);
  await form.getByLabel("New password").fill(PASSWORD);
  await form.getByLabel("Repeat the password").fill(PASSWORD);
  await form.getByRole("button", { name: "Open account" }).click();
}

/** Invites a new customer, who opens the account in this browser. */
export async function newCustomer(
  browser: Browser,
  venue: Venue,
  email: string,
  options: OpenOptions = {},
): Promise<Opened> {
  const opened = await visit(browser, venue, await invite(venue, email), options);
  await accept(opened);
  await overviewOf(opened);
  return opened;
}

/** Confirms the customer's withdrawal with the link in the email, in another tab. */
export async function confirmByEmail({ page }: Pick<Opened, "page">, venue: Venue, email: string): Promise<void> {
  const [link = ""] = /http\S+\/withdraw\/confirm\S+/.exec(await letterTo(venue, email, "/withdraw/confirm")) ?? [];
  const tab = await page.context().newPage();
  await tab.goto(link);
  await tab.getByRole("button").click();
  await tab.getByRole("link", { name: "View your withdrawals" }).click();
  await tab.getByRole("region", { name: "Withdrawals" }).first().waitFor();
  await tab.getByRole("heading", { level: 1, name: "History" }).waitFor();
  await tab.close();
}
