/**
 * `npm run terminal-screenshots`: the terminal's pictures in docs/images, of a demo that has run for a while, on a
 * desktop and a phone, dark and light. It needs Debian's Chromium, and takes most of a minute.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@pricetime/testkit/client";
import { type Exchange, ROOT, startExchange } from "@pricetime/testkit/venue";
import { openBrowser } from "../trials/pages/browser.ts";
import {
  DESKTOP,
  type OpenOptions,
  openTerminal,
  PHONE,
  signInAs,
  type Terminal,
} from "../trials/terminal/terminal.ts";

const FOLDER = join(ROOT, "docs/images");
/** So long the bots trade before the first picture. */
const BUSY_MS = 15_000;
/** Until a page has drawn its candles, and flashes have gone. */
const DRAWN_MS = 3000;
const SYMBOL = "BTCUSDT";

const LOOKS: readonly (readonly [name: string, options: OpenOptions])[] = [
  ["desktop-dark", { viewport: DESKTOP, scheme: "dark" }],
  ["desktop-light", { viewport: DESKTOP, scheme: "light" }],
  ["phone-dark", { viewport: PHONE, scheme: "dark", isTouched: true }],
  ["phone-light", { viewport: PHONE, scheme: "light", isTouched: true }],
];

interface Order {
  readonly side: "BUY" | "SELL";
  readonly quantity: string;
  /** The order's price as a multiple of the last price. */
  readonly at: number;
}

/** Near enough to be seen on the chart, far enough to stay. */
const ORDERS: readonly Order[] = [
  { side: "BUY", quantity: "0.25", at: 0.985 },
  { side: "BUY", quantity: "0.1", at: 0.992 },
  { side: "SELL", quantity: "0.2", at: 1.018 },
];

/** Gives alice something to look at. */
async function trade({ rest, accounts }: Exchange): Promise<void> {
  const alice = new Client(
    rest,
    accounts.find(({ name }) => name === "alice"),
  );
  const { json } = await alice.public<{ price: string }>("/api/v3/ticker/price", { symbol: SYMBOL });
  for (const { side, quantity, at } of ORDERS) {
    const price = (Number(json.price) * at).toFixed(2);
    await alice.signed("POST", "/api/v3/order", { ...LIMIT, side, quantity, price });
  }
  await alice.signed("POST", "/api/v3/order", { symbol: SYMBOL, type: "MARKET", side: "BUY", quantity: "0.05" });
  alice.close();
}

const LIMIT = { symbol: SYMBOL, type: "LIMIT", timeInForce: "GTC" } as const;

/** A file of few colours stays small: PNG as Chromium writes it. */
async function picture(name: string, terminal: Terminal): Promise<void> {
  const { page } = terminal;
  await signInAs(terminal, "alice");
  await page.locator(".chart-panel canvas").first().waitFor();
  await sleep(DRAWN_MS);
  await page.mouse.move(0, 0);
  const bytes = await page.screenshot();
  writeFileSync(join(FOLDER, `terminal-${name}.png`), bytes);
  process.stdout.write(`terminal-${name}.png ${Math.round(bytes.length / 1000)} kB\n`);
}

mkdirSync(FOLDER, { recursive: true });
const exchange = await startExchange({ args: ["--limits", "off"] });
const browser = await openBrowser();
try {
  await sleep(BUSY_MS);
  await trade(exchange);
  for (const [name, options] of LOOKS) {
    const terminal = await openTerminal(browser, exchange.rest, options);
    await picture(name, terminal);
    await terminal.close();
  }
} finally {
  await browser.close();
  await exchange.stop();
}
