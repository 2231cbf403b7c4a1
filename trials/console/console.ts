/** The console in a browser, taken hold of by what it says: names, roles, texts. */
import type { Browser, Locator, Page } from "playwright-core";
import type { AdminPort } from "@pricetime/testkit/venue";
import { watch, type Watched } from "../pages/browser.ts";

export const DESKTOP = { width: 1440, height: 900 } as const;
export const PHONE = { width: 390, height: 844 } as const;
export const OPERATOR = "dora";

export interface OpenOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly scheme?: "dark" | "light";
  readonly isTouched?: boolean;
  /** For tools that put code of their own into the page; nothing of the policy is tested there. */
  readonly withoutPolicy?: boolean;
}

export interface Console extends Watched {
  readonly page: Page;
  /** What the policy complained of since the page was opened. */
  violations(): Promise<readonly string[]>;
}

const NOTE = `
  window.violations = [];
  document.addEventListener("securitypolicyviolation", (event) =>
    window.violations.push(event.violatedDirective + " " + event.blockedURI));
`;

/** Opens the page at its sign-in. */
export async function visitConsole(
  browser: Browser,
  { admin }: AdminPort,
  options: OpenOptions = {},
): Promise<Console> {
  const { viewport = DESKTOP, scheme = "dark", isTouched = false, withoutPolicy = false } = options;
  const context = await browser.newContext({
    ...{ viewport, colorScheme: scheme, hasTouch: isTouched, bypassCSP: withoutPolicy },
    timezoneId: "UTC",
    acceptDownloads: true,
  });
  // Patient: others use the machine meanwhile.
  context.setDefaultTimeout(60_000);
  await context.addInitScript(NOTE);
  const page = await context.newPage();
  const watched = watch(page, admin);
  await page.goto(`${admin}/`);
  await page.getByRole("form", { name: "Sign in" }).waitFor();
  return {
    page,
    ...watched,
    violations: () => page.evaluate<readonly string[]>("window.violations"),
    close: () => context.close(),
  };
}

export async function signIn({ page }: Pick<Console, "page">, token: string, operator = OPERATOR): Promise<void> {
  await page.getByRole("button", { name: "Admin token" }).click();
  const form = page.getByRole("form", { name: "Sign in" });
  await form.getByLabel("Admin token").fill(token);
  await form.getByLabel("Your name").fill(operator);
  await form.getByRole("button", { name: "Sign in" }).click();
}

/** Opens the console and signs in. */
export async function openConsole(browser: Browser, node: AdminPort, options: OpenOptions = {}): Promise<Console> {
  const opened = await visitConsole(browser, node, options);
  await signIn(opened, node.adminToken);
  await opened.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  return opened;
}

/** Goes to a place, as a link or a bookmark does. */
export async function go({ page }: Pick<Console, "page">, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
}

/** The button of a route. */
export const routeButton = ({ page }: Pick<Console, "page">, key: string): Locator =>
  page.locator(`[data-route="${key}"]`);

export const dialogOf = ({ page }: Pick<Console, "page">, name: string): Locator => page.getByRole("dialog", { name });
