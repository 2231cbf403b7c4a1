/** What terminal, account pages and console have in common in a browser. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Browser, BrowserContext, Locator, Page, Request } from "playwright-core";
import { until } from "@pricetime/testkit/waiting";
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
  /** For tools that inject code into the page. The policy itself is not tested there. */
  readonly withoutPolicy?: boolean;
}

export interface Opened extends Watched {
  readonly page: Page;
  /** Violations of the content security policy since the page was opened. */
  violations(): Promise<readonly string[]>;
  /**
   * Waits until the page has drawn its last change and no request is running. Playwright's `networkidle` is reached
   * once for each document, so it does not wait after a change of the hash.
   */
  loaded(): Promise<void>;
}

const NOTE = `
  window.violations = [];
  document.addEventListener("securitypolicyviolation", (event) =>
    window.violations.push(event.violatedDirective + " " + event.blockedURI));
`;

/** Effects of a change run after the frame that draws it. */
const TWO_FRAMES = `(async () => {
  for (let frame = 0; frame < 2; frame++)
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
})()`;

function loadedOf(page: Page): () => Promise<void> {
  const running = new Set<Request>();
  let started = 0;
  page.on("request", (request) => {
    running.add(request);
    started++;
  });
  page.on("requestfinished", (request) => running.delete(request));
  page.on("requestfailed", (request) => running.delete(request));
  return async () => {
    for (let before = -1; before !== started; ) {
      before = started;
      await page.evaluate(TWO_FRAMES);
      await until(
        () => `${[...running].map((request) => request.url()).join(", ")} is answered`,
        () => running.size === 0,
        { withinMs: 60_000, everyMs: 10 },
      );
      await page.evaluate(TWO_FRAMES);
    }
  };
}

interface Wanted {
  /** The URL of the node's API. */
  readonly home: string;
  readonly address: string;
  /** The window's size if the options contain none. */
  readonly desktop: Size;
}

/** A new browser context, which shares no storage with others. `desktop`: the window's size if the options contain none. */
export async function newContext(
  browser: Browser,
  desktop: Size,
  { viewport = desktop, scheme = "dark", isTouched = false, withoutPolicy = false }: OpenOptions,
  more: { readonly timezoneId?: string; readonly locale?: string; readonly reducedMotion?: "reduce" } = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    ...{ viewport, colorScheme: scheme, hasTouch: isTouched, bypassCSP: withoutPolicy },
    ...{ timezoneId: "UTC", acceptDownloads: true, ...more },
  });
  // Long, because other processes use the machine as well.
  context.setDefaultTimeout(60_000);
  return context;
}

/** The looks in which the accessibility of pages is tested: both sizes and both themes, each once. */
export const looksOf = (desktop: Size): readonly { name: string; size: "desktop" | "phone"; options: OpenOptions }[] =>
  (
    [
      ["desktop", "light"],
      ["phone", "dark"],
    ] as const
  ).map(([size, scheme]) => {
    const isTouched = size === "phone";
    const options = { viewport: isTouched ? PHONE : desktop, scheme, withoutPolicy: true, isTouched };
    return { name: `${size}, ${scheme}`, size, options };
  });

/** Opens an address in a new browser context. */
export async function openAddress(
  browser: Browser,
  { home, address, desktop }: Wanted,
  options: OpenOptions,
): Promise<Opened> {
  const context = await newContext(browser, desktop, options, { reducedMotion: "reduce" });
  await context.addInitScript(NOTE);
  const page = await context.newPage();
  const watched = watch(page, home);
  const loaded = loadedOf(page);
  await page.goto(address);
  return {
    page,
    ...watched,
    loaded,
    violations: () => page.evaluate<readonly string[]>("window.violations"),
    close: async () => {
      // A handler of a trial may still be running when the page closes. That is no error.
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await context.close();
    },
  };
}

/** Goes to an address, like a link or a bookmark. */
export async function go({ page }: Pick<Opened, "page">, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
}

export const overviewOf = ({ page }: Pick<Opened, "page">): Promise<void> =>
  page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();

export interface Saved {
  readonly name: string;
  readonly text: string;
}

/** Clicks the button or link, and returns the file that the browser downloads. */
export async function savedBy(button: Locator): Promise<Saved> {
  const [download] = await Promise.all([button.page().waitForEvent("download"), button.click()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
}

/** After loading a page, the first Tab stop skips its list of pages. */
export async function assertSkipsPages({ page }: Opened): Promise<void> {
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate("document.activeElement.className"), "skip");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate("document.activeElement.id"), "content");
}

/** On a phone, the list of pages opens, its links work, and it closes, also by Escape or a tap beside it. */
export async function assertPagesOpen({ page }: Opened, name: string): Promise<void> {
  const list = page.getByRole("navigation", { name: "Pages" });
  assert.ok(!(await list.isVisible()));
  const open = (): Promise<void> => page.getByRole("button", { name: "Pages" }).tap();
  await open();
  await list.waitFor();
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "hidden" });
  await open();
  await list.click({ position: { x: 200, y: 2 } });
  await list.waitFor({ state: "hidden" });
  await open();
  await list.getByRole("link", { name }).tap();
  await page.getByRole("heading", { level: 1, name }).waitFor();
  assert.ok(!(await list.isVisible()));
}
