/** Debian's Chromium, driven from outside. What a page says on its console and asks of the network is written down. */
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

export const CHROMIUM = "/usr/bin/chromium";

export function openBrowser(): Promise<Browser> {
  // In containers there is no sandbox of its own to be had.
  return chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
}

export interface Look {
  readonly name: string;
  readonly width: number;
  readonly scheme: "light" | "dark";
  readonly javaScript?: false;
  /** With the pages that take a browser seconds. */
  readonly isWhole?: true;
}

export const LOOKS: readonly Look[] = [
  { name: "desktop-light", width: 1280, scheme: "light", isWhole: true },
  { name: "desktop-dark", width: 1280, scheme: "dark" },
  { name: "phone-light", width: 390, scheme: "light" },
  { name: "phone-dark", width: 390, scheme: "dark", isWhole: true },
];

export interface Watched {
  readonly page: Page;
  /** Errors and warnings of the console, and what was thrown. */
  readonly complaints: readonly string[];
  /** Addresses of other hosts that were asked for. */
  readonly outside: readonly string[];
  close(): Promise<void>;
}

/** A page in a browser of its own, so to speak: nothing is kept from one to the next. */
export async function openPage(browser: Browser, home: string, look: Look): Promise<Watched> {
  const { width, scheme, javaScript = true } = look;
  const context: BrowserContext = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    javaScriptEnabled: javaScript,
  });
  const page = await context.newPage();
  return { page, ...watch(page, home), close: () => context.close() };
}

/** What pages of this process asked of other hosts, closed or not. */
const asked: string[] = [];
// At the very end: a hook that failed would keep those after it from closing browser and venue.
process.once("exit", () => {
  if (asked.length === 0) return;
  console.error(`pages asked other hosts for ${asked.join(", ")}`);
  process.exitCode = 1;
});

/**
 * Writes down what the page complains of and asks of others, from now on. A request to another host fails the trial's file,
 * unless its address is one of `provoked`.
 */
export function watch(
  page: Page,
  home: string,
  provoked: readonly string[] = [],
): Pick<Watched, "complaints" | "outside"> {
  const complaints: string[] = [];
  const outside: string[] = [];
  const noteOutside = (url: string): void => {
    outside.push(url);
    if (!provoked.includes(url)) asked.push(url);
  };
  page.on("console", (message) => {
    if (!["error", "warning"].includes(message.type())) return;
    // Queries may hold signatures.
    const [path = ""] = message.location().url.split("?");
    complaints.push(`${message.type()}: ${message.text()} ${path}`);
  });
  page.on("pageerror", (error) => complaints.push(`thrown: ${error.message}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${home}/`) && !/^(?:data|blob):/.test(url)) noteOutside(url);
  });
  page.on("websocket", (socket) => {
    if (!socket.url().startsWith(`${home.replace("http", "ws")}/`)) noteOutside(socket.url());
  });
  return { complaints, outside };
}

/** An answer with an error status that a trial provokes, of which the browser itself speaks on the console. */
export type Provoked = readonly [status: number, path: string];

/** What the console said besides `provoked`. */
export function besides(complaints: readonly string[], ...provoked: readonly Provoked[]): readonly string[] {
  return complaints.filter((one) => {
    const [, status, address] = /^error: Failed to load resource: .* status of (\d+) \(.*\) (\S+)$/.exec(one) ?? [];
    if (address === undefined) return true;
    const { pathname } = new URL(address);
    return !provoked.some(([expected, path]) => Number(status) === expected && pathname === path);
  });
}
