/** Helpers for the console in a browser. They find elements by role, name and text. */
import type { Browser, Locator } from "playwright-core";
import type { AdminPort } from "@pricetime/testkit/venue";
import { openAddress, type Opened, type OpenOptions, overviewOf } from "../pages/opened.ts";

export const DESKTOP = { width: 1440, height: 900 } as const;
export const OPERATOR = "dora";

/** Opens the page at its sign-in. */
export async function visitConsole(
  browser: Browser,
  { admin }: Pick<AdminPort, "admin">,
  options: OpenOptions = {},
): Promise<Opened> {
  const opened = await openAddress(browser, { home: admin, address: `${admin}/`, desktop: DESKTOP }, options);
  await opened.page.getByRole("form", { name: "Sign in" }).waitFor();
  return opened;
}

export async function signIn({ page }: Pick<Opened, "page">, token: string, operator = OPERATOR): Promise<void> {
  await page.getByRole("button", { name: "Admin token" }).click();
  const form = page.getByRole("form", { name: "Sign in" });
  await form.getByLabel("Admin token").fill(token);
  await form.getByLabel("Your name").fill(operator);
  await form.getByRole("button", { name: "Sign in" }).click();
}

/** Opens the console and signs in. */
export async function openConsole(browser: Browser, node: AdminPort, options: OpenOptions = {}): Promise<Opened> {
  const opened = await visitConsole(browser, node, options);
  await signIn(opened, node.adminToken);
  await overviewOf(opened);
  return opened;
}

/** The button of a route. */
export const routeButton = ({ page }: Pick<Opened, "page">, key: string): Locator =>
  page.locator(`[data-route="${key}"]`);

export const dialogOf = ({ page }: Pick<Opened, "page">, name: string): Locator => page.getByRole("dialog", { name });

/** Opens the menu of actions of a loaded page. Returns whether the page has one. */
export async function openActionMenu({ page }: Pick<Opened, "page">): Promise<boolean> {
  if ((await page.locator(".action-menu").count()) === 0) return false;
  const closed = page.locator(".action-menu:not([open]) summary");
  if ((await closed.count()) > 0) await closed.click();
  return true;
}

/** Opens the menu of an account's actions and selects one. */
export async function chooseAction(opened: Pick<Opened, "page">, key: string): Promise<void> {
  await opened.page.locator(".action-menu summary").click();
  await routeButton(opened, key).click();
}
