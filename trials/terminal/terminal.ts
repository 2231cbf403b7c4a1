/** The terminal in a browser: helpers that find elements by name, role and text. */
import type { Browser, Locator, Page } from "playwright-core";
import { watch, type Watched } from "../pages/browser.ts";
import { newContext, type OpenOptions } from "../pages/opened.ts";

export const DESKTOP = { width: 1440, height: 900 } as const;
/** The narrowest screen of phones on sale. */
export const SMALL_PHONE = { width: 360, height: 640 } as const;

export interface TerminalOptions extends OpenOptions {
  /** Whether orders are confirmed before they are sent. */
  readonly confirms?: boolean;
  /** The browser's time zone. */
  readonly timeZone?: string;
  /** The browser's locale, whose separators numbers have. */
  readonly locale?: string;
  /** The path of the page; the root if it is absent. */
  readonly path?: string;
  /** Addresses of other hosts that the trial makes the page request. */
  readonly provoked?: readonly string[];
  /** Runs before the page is loaded. */
  readonly before?: (page: Page) => Promise<void>;
}

export interface Terminal extends Watched {
  readonly book: Locator;
  readonly form: Locator;
  readonly chart: Locator;
  readonly tables: Locator;
  /** The sum of layout shifts, and the policy's violations, since the page was opened. */
  seen(): Promise<Seen>;
}

export interface Seen {
  readonly shifts: readonly string[];
  readonly violations: readonly string[];
}

/** Records layout shifts and violations from the first moment on. This code is not a part of the page. */
const NOTE = `
  window.seen = { shifts: [], violations: [] };
  document.addEventListener("securitypolicyviolation", (event) =>
    window.seen.violations.push(event.violatedDirective + " " + event.blockedURI + " " + event.sourceFile));
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      const names = sources.map(({ node, previousRect: a, currentRect: b }) =>
        (node?.className || node?.nodeName) + " " + [a.x, a.y, a.width, a.height] + " > " + [b.x, b.y, b.width, b.height]);
      window.seen.shifts.push(value.toFixed(5) + ": " + names.join("; "));
    }
  }).observe({ type: "layout-shift", buffered: true });
`;

const KEPT = "pricetime.terminal.1";

/** Opens the page and waits until it shows a book. */
export async function openTerminal(browser: Browser, rest: string, options: TerminalOptions = {}): Promise<Terminal> {
  const terminal = await visitTerminal(browser, rest, options);
  const { page, book } = terminal;
  await page.locator(".terminal").waitFor();
  if (await book.isVisible()) await book.locator(".level:visible").first().waitFor();
  return terminal;
}

/** Opens the page without waiting. */
export async function visitTerminal(browser: Browser, rest: string, options: TerminalOptions = {}): Promise<Terminal> {
  const { confirms = false, timeZone: timezoneId = "UTC", locale = "en-US", path = "/" } = options;
  const context = await newContext(browser, DESKTOP, options, { timezoneId, locale });
  await context.addInitScript(NOTE);
  const settings = JSON.stringify({ confirms });
  await context.addInitScript(`localStorage.getItem("${KEPT}") ?? localStorage.setItem("${KEPT}", '${settings}');`);
  const page = await context.newPage();
  await options.before?.(page);
  const watched = watch(page, rest, options.provoked);
  await page.goto(rest + path);
  return { ...partsOf(page), ...watched, close: () => context.close() };
}

/** The page's panels, found by name. */
export function partsOf(page: Page): Omit<Terminal, keyof Watched> & Pick<Terminal, "page"> {
  return {
    page,
    book: page.getByRole("region", { name: "Order book" }),
    form: page.getByRole("form", { name: "Order form" }),
    chart: page.locator(".chart-panel"),
    tables: page.getByRole("region", { name: "Orders and balances" }),
    seen: () => page.evaluate<Seen>("window.seen"),
  };
}

/** Signs in with a demo account by a click on its name. */
export async function signInAs({ page }: Pick<Terminal, "page">, name: string): Promise<void> {
  await page.getByRole("banner").getByRole("button", { name: "Sign in" }).click();
  await page
    .getByRole("dialog", { name: "Sign in" })
    .getByRole("button", { name: `Trade as ${name}` })
    .click();
  await page.getByRole("button", { name: `Signed in as ${name}` }).waitFor();
  // While the dialog is open, keys go to it.
  await page.getByRole("dialog").waitFor({ state: "hidden" });
}

export async function showTab({ tables }: Pick<Terminal, "tables">, name: string): Promise<void> {
  await tables.getByRole("tab", { name }).click();
}

/** The rows of the selected table, as cells. */
export async function rowsOf({ tables }: Pick<Terminal, "tables">): Promise<readonly (readonly string[])[]> {
  const rows = await tables.locator("tbody tr").all();
  return Promise.all(rows.map((row) => row.locator("td").allInnerTexts()));
}

/**
 * Opens a dialog by its key. A key that is pressed while the previous dialog closes is lost, so it is pressed again.
 */
export async function openByKey({ page }: Pick<Terminal, "page">, key: string, name: string): Promise<Locator> {
  const window = page.getByRole("dialog", { name });
  await page.keyboard.press(key);
  await window.waitFor({ timeout: 2000 }).catch(() => page.keyboard.press(key));
  await window.waitFor();
  return window;
}

/**
 * Changes what the node sends on the page's sockets, those of the market data and of the account. `change` returns
 * null for a message that is lost.
 */
export function changeMessages(page: Page, change: (text: string) => string | null): Promise<void> {
  return page.routeWebSocket(/\/stream(?:\?|$)/, (socket) => {
    const node = socket.connectToServer();
    node.onMessage((message) => {
      const changed = change(String(message));
      if (changed !== null) socket.send(changed);
    });
  });
}

/** Changes a setting and closes the dialog. */
export async function chooseSetting({ page }: Pick<Terminal, "page">, group: string, name: string): Promise<void> {
  await page.getByRole("button", { name: "Settings" }).click();
  const settings = page.getByRole("dialog", { name: "Settings" });
  await settings.getByRole("group", { name: group }).getByRole("button", { name, exact: true }).click();
  await page.keyboard.press("Escape");
  await settings.waitFor({ state: "hidden" });
}

/** The button that opens the market picker shows the name of the selected market. */
export async function chooseMarket({ page }: Pick<Terminal, "page">, name: string): Promise<void> {
  const picker = await openByKey({ page }, "/", "Markets");
  await picker.getByRole("searchbox", { name: "Search markets" }).fill(name);
  await page.keyboard.press("Enter");
  await picker.waitFor({ state: "hidden" });
}

export interface ShownLevel {
  readonly price: string;
  readonly quantity: string;
}

export interface ShownBook {
  /** Best first. */
  readonly asks: readonly ShownLevel[];
  readonly bids: readonly ShownLevel[];
  readonly isStale: boolean;
}

/** The book's panel at one point in time: decimals without commas and trailing zeros. */
export function shownBook({ page }: Pick<Terminal, "page">): Promise<ShownBook> {
  return page.evaluate<ShownBook>(`(() => {
    const plain = (text) => text.replaceAll(",", "").replace(/(\\.\\d*?)0+$/, "$1").replace(/\\.$/, "");
    const side = (name) => [...document.querySelectorAll(".book ." + name + " .level:not([hidden])")].map((row) => {
      const [price, quantity] = [...row.querySelectorAll("span")].map((cell) => plain(cell.textContent));
      return { price, quantity };
    });
    // Asks are stacked upwards from the spread.
    return {
      asks: side("asks").toReversed(),
      bids: side("bids"),
      isStale: document.querySelector(".book .side.stale") !== null,
    };
  })()`);
}
