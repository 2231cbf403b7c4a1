/** Controls Debian's Chromium, and records console messages and requests of each page. */
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

/** A whole Chromium draws its own toolbar for each page: a page costs ten times as much processor time there. */
export const CHROMIUM = "/usr/bin/chromium-headless-shell";
/** For what the shell cannot do: it ignores a user's settings of the browser. */
export const WHOLE_CHROMIUM = "/usr/bin/chromium";

export function openBrowser(): Promise<Browser> {
  // Chromium's sandbox does not work in containers. The headless shell would round the widths of letters.
  return chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--font-render-hinting=none"] });
}

export interface Look {
  readonly name: string;
  readonly width: number;
  readonly scheme: "light" | "dark";
  readonly javaScript?: false;
}

/** Both sizes and both themes, each once. */
export const LOOKS: readonly Look[] = [
  { name: "desktop-light", width: 1280, scheme: "light" },
  { name: "phone-dark", width: 390, scheme: "dark" },
];

export interface Watched {
  readonly page: Page;
  /** Errors and warnings of the console, and exceptions. */
  readonly complaints: readonly string[];
  /** URLs requested from other hosts. */
  readonly outside: readonly string[];
  close(): Promise<void>;
}

/** Opens a page in a new browser context, which shares no storage with others. */
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

/** Requests of all pages of this process to other hosts, including closed pages. */
const asked: string[] = [];
// Checked on exit: a failing hook would prevent later hooks from closing browser and node.
process.once("exit", () => {
  if (asked.length === 0) return;
  console.error(`pages asked other hosts for ${asked.join(", ")}`);
  process.exitCode = 1;
});

/**
 * Starts to record messages and requests. A request to another host fails the trial, unless its URL is one of
 * `provoked`.
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
    // Without the query, which may contain signatures.
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

/** Matches the browser's message about a response with an error status that a trial provokes. */
export type Provoked = readonly [status: number, path: string];

/** Console messages other than `provoked`. */
export function besides(complaints: readonly string[], ...provoked: readonly Provoked[]): readonly string[] {
  return complaints.filter((one) => {
    const [, status, address] = /^error: Failed to load resource: .* status of (\d+) \(.*\) (\S+)$/.exec(one) ?? [];
    if (address === undefined) return true;
    const { pathname } = new URL(address);
    return !provoked.some(([expected, path]) => Number(status) === expected && pathname === path);
  });
}
