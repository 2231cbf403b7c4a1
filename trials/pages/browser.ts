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

/** Writes down what the page complains of and asks of others, from now on. */
export function watch(page: Page, home: string): Pick<Watched, "complaints" | "outside"> {
  const complaints: string[] = [];
  const outside: string[] = [];
  page.on("console", (message) => {
    if (!["error", "warning"].includes(message.type())) return;
    // Queries may hold signatures.
    const [path = ""] = message.location().url.split("?");
    complaints.push(`${message.type()}: ${message.text()} ${path}`);
  });
  page.on("pageerror", (error) => complaints.push(`thrown: ${error.message}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${home}/`) && !/^(?:data|blob):/.test(url)) outside.push(url);
  });
  page.on("websocket", (socket) => {
    if (!socket.url().startsWith(`${home.replace("http", "ws")}/`)) outside.push(socket.url());
  });
  return { complaints, outside };
}
