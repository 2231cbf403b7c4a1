/** The customers' pages in a browser, taken hold of by what they say: names, roles, texts. */
import type { Browser, Page } from "playwright-core";
import { watch, type Watched } from "../pages/browser.ts";
import { invite, PASSWORD, type Venue } from "./venue.ts";

export const DESKTOP = { width: 1280, height: 900 } as const;
export const PHONE = { width: 390, height: 844 } as const;

export interface OpenOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly scheme?: "dark" | "light";
  readonly isTouched?: boolean;
  /** For tools that put code of their own into the page; nothing of the policy is tested there. */
  readonly withoutPolicy?: boolean;
}

export interface AccountPages extends Watched {
  readonly page: Page;
  /** What the policy complained of since the page was opened. */
  violations(): Promise<readonly string[]>;
}

const NOTE = `
  window.violations = [];
  document.addEventListener("securitypolicyviolation", (event) =>
    window.violations.push(event.violatedDirective + " " + event.blockedURI));
`;

/** Opens an address in a browser of its own, so to speak: by default the sign-in. */
export async function visit(
  browser: Browser,
  { exchange }: Pick<Venue, "exchange">,
  address = `${exchange.rest}/account/`,
  options: OpenOptions = {},
): Promise<AccountPages> {
  const { viewport = DESKTOP, scheme = "dark", isTouched = false, withoutPolicy = false } = options;
  const context = await browser.newContext({
    ...{ viewport, colorScheme: scheme, hasTouch: isTouched, bypassCSP: withoutPolicy },
    ...{ timezoneId: "UTC", acceptDownloads: true, reducedMotion: "reduce" },
  });
  // Patient: others use the machine meanwhile.
  context.setDefaultTimeout(60_000);
  await context.addInitScript(NOTE);
  const page = await context.newPage();
  const watched = watch(page, exchange.rest);
  await page.goto(address);
  return {
    page,
    ...watched,
    violations: () => page.evaluate<readonly string[]>("window.violations"),
    close: () => context.close(),
  };
}

export async function signIn({ page }: Pick<AccountPages, "page">, email: string, password = PASSWORD): Promise<void> {
  const form = page.getByRole("form", { name: "Sign in" });
  await form.getByLabel("Mail address").fill(email);
  await form.getByLabel("Password").fill(password);
  await form.getByRole("button", { name: "Sign in" }).click();
}

export const overviewOf = ({ page }: Pick<AccountPages, "page">): Promise<void> =>
  page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();

/** Goes to a page, as a link or a bookmark does. */
export async function go({ page }: Pick<AccountPages, "page">, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
}

/** Takes an invitation with a password. */
export async function accept({ page }: Pick<AccountPages, "page">, name = ""): Promise<void> {
  const form = page.getByRole("form", { name: "Your invitation" });
  if (name !== "") await form.getByLabel("Your name").fill(name);
  await form.getByLabel("New password").fill(PASSWORD);
  await form.getByLabel("The same again").fill(PASSWORD);
  await form.getByRole("button", { name: "Open my account" }).click();
}

/** A new customer who is invited and has opened the account in this browser. */
export async function newCustomer(
  browser: Browser,
  venue: Venue,
  email: string,
  options: OpenOptions = {},
): Promise<AccountPages> {
  const opened = await visit(browser, venue, await invite(venue, email), options);
  await accept(opened);
  await overviewOf(opened);
  return opened;
}
