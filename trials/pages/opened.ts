/** Account pages and console in a browser: what both have, whoever opens them. */
import type { Browser, Page } from "playwright-core";
import { watch, type Watched } from "./browser.ts";

export const PHONE = { width: 390, height: 844 } as const;

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface OpenOptions {
  readonly viewport?: Size;
  readonly scheme?: "dark" | "light";
  readonly isTouched?: boolean;
  /** For tools that put code of their own into the page; nothing of the policy is tested there. */
  readonly withoutPolicy?: boolean;
}

export interface Opened extends Watched {
  readonly page: Page;
  /** What the policy complained of since the page was opened. */
  violations(): Promise<readonly string[]>;
}

const NOTE = `
  window.violations = [];
  document.addEventListener("securitypolicyviolation", (event) =>
    window.violations.push(event.violatedDirective + " " + event.blockedURI));
`;

interface Wanted {
  /** Where the node is that the page may ask. */
  readonly home: string;
  readonly address: string;
  /** The window's size where the options say none. */
  readonly desktop: Size;
}

/** Opens an address in a browser of its own, so to speak: nothing is kept from one to the next. */
export async function openAddress(
  browser: Browser,
  { home, address, desktop }: Wanted,
  options: OpenOptions,
): Promise<Opened> {
  const { viewport = desktop, scheme = "dark", isTouched = false, withoutPolicy = false } = options;
  const context = await browser.newContext({
    ...{ viewport, colorScheme: scheme, hasTouch: isTouched, bypassCSP: withoutPolicy },
    ...{ timezoneId: "UTC", acceptDownloads: true, reducedMotion: "reduce" },
  });
  // Patient: others use the machine meanwhile.
  context.setDefaultTimeout(60_000);
  await context.addInitScript(NOTE);
  const page = await context.newPage();
  const watched = watch(page, home);
  await page.goto(address);
  return {
    page,
    ...watched,
    violations: () => page.evaluate<readonly string[]>("window.violations"),
    close: async () => {
      // What a trial answers for the node may be under way: it is no fault that nobody waits for it any more.
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await context.close();
    },
  };
}

/** Goes to a place, as a link or a bookmark does. */
export async function go({ page }: Pick<Opened, "page">, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
}

export const overviewOf = ({ page }: Pick<Opened, "page">): Promise<void> =>
  page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
