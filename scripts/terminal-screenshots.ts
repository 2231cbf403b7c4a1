/**
 * `npm run terminal-screenshots`: takes the pictures of the terminal in docs/images, of a demo that has run for a
 * while, on a desktop and a phone, dark and light. It needs the headless shell and takes almost a minute. Names after
 * `--` select some of them: `npm run terminal-screenshots -- desktop-dark depth`.
 */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@pricetime/testkit/client";
import { type Exchange, ROOT, startExchange } from "@pricetime/testkit/venue";
import { openBrowser } from "../trials/pages/browser.ts";
import { PHONE } from "../trials/pages/opened.ts";
import {
  DESKTOP,
  type TerminalOptions,
  openTerminal,
  showTab,
  signInAs,
  type Terminal,
} from "../trials/terminal/terminal.ts";

const FOLDER = join(ROOT, "docs/images");
/** How long the bots trade before the first picture. */
const BUSY_MS = 15_000;
/** The time until a page has drawn its candles, and notices have disappeared. */
const DRAWN_MS = 5500;
/** Orders of the account near the touch are at most this old: a moving market fills them or moves away. */
const YOUNG_MS = 700;
const ATTEMPTS = 6;
const SYMBOL = "BTCUSDT";
const KEPT = "pricetime.terminal.1";

/** The balances that alice keeps; the rest goes to her sub-account. */
const KEPT_AMOUNTS: Readonly<Record<string, string>> = {
  ...{ USDT: "184250.75", BTC: "3.412608", ETH: "28.75", BNB: "64.2" },
};

/** The stored preferences of the browser. */
const SETTINGS = {
  timeZone: "utc",
  favourites: ["BTCUSDT", "ETHUSDT"],
  "chart.interval": "5m",
  "chart.indicators": {
    bollinger: { isOn: true, values: { length: 20, deviations: 2 } },
    average1: { isOn: false, values: { form: "SMA", length: 7 } },
    average2: { isOn: false, values: { form: "SMA", length: 25 } },
    average3: { isOn: false, values: { form: "EMA", length: 99 } },
    vwap: { isOn: false, values: { anchor: "day" } },
    rsi: { isOn: true, values: { length: 14 } },
    macd: { isOn: false, values: { fast: 12, slow: 26, signal: 9 } },
    stochastic: { isOn: false, values: { length: 14, smoothing: 3, signal: 3 } },
    atr: { isOn: false, values: { length: 14 } },
  },
};
/** A phone has space for one pane. */
const PHONE_SETTINGS = {
  ...SETTINGS,
  "chart.indicators": { ...SETTINGS["chart.indicators"], rsi: { isOn: false, values: { length: 14 } } },
};

/** The number of book levels before an order of the account: of the bids, of the asks. */
type Levels = readonly [below: number, above: number];

interface Shot {
  readonly name: string;
  readonly levels?: Levels;
  readonly options: TerminalOptions;
  /** Prepares the page after the sign-in. */
  readonly pose?: (terminal: Terminal) => Promise<void>;
}

/** Stores the preferences before the page is opened. */
function remembering(settings: object): NonNullable<TerminalOptions["before"]> {
  const text = JSON.stringify(JSON.stringify(settings));
  return async (page) => {
    await page.addInitScript(`localStorage.setItem("${KEPT}", ${text})`);
  };
}
const desktop = (scheme: "dark" | "light"): TerminalOptions => ({
  ...{ viewport: DESKTOP, scheme, before: remembering(SETTINGS) },
});
const phone = (scheme: "dark" | "light"): TerminalOptions => ({
  ...{ viewport: PHONE, scheme, isTouched: true, before: remembering(PHONE_SETTINGS) },
});

/** A price that is `part` of the last one, on the market's ticks. */
async function priceAt({ page }: Terminal, part: number): Promise<string> {
  const last = await page.locator(".figures .last dd").innerText();
  return (Number(last.replace(/[^\d.]/g, "")) * part).toFixed(2);
}

/** A market order that takes several levels of the book, with its estimated average, worst price and slippage. */
async function fillMarket({ form }: Terminal, quantity = "1.85"): Promise<void> {
  await form.getByRole("tab", { name: "Market", exact: true }).click();
  await form.getByRole("textbox", { name: "Quantity" }).fill(quantity);
}

async function fillOco(terminal: Terminal): Promise<void> {
  const { form } = terminal;
  await form.getByRole("button", { name: /^Sell/ }).click();
  await form.getByRole("tab", { name: "OCO", exact: true }).click();
  await form.getByRole("textbox", { name: "Limit price", exact: true }).fill(await priceAt(terminal, 1.021));
  await form.getByRole("textbox", { name: "Stop price" }).fill(await priceAt(terminal, 0.984));
  await form.getByRole("textbox", { name: "Stop limit price" }).fill(await priceAt(terminal, 0.9835));
  await form.getByRole("textbox", { name: "Quantity" }).fill("0.75");
}

async function go({ page }: Terminal, name: string): Promise<void> {
  await page.getByRole("tab", { name, exact: true }).first().click();
}

const SHOTS: readonly Shot[] = [
  { name: "desktop-dark", options: desktop("dark"), pose: (terminal) => fillMarket(terminal) },
  {
    name: "desktop-light",
    options: desktop("light"),
    async pose(terminal) {
      await fillOco(terminal);
      await showTab(terminal, "Balances");
    },
  },
  {
    name: "depth",
    options: desktop("dark"),
    async pose(terminal) {
      await terminal.page.getByRole("tab", { name: "Depth" }).click();
      await showTab(terminal, "Trades");
      await terminal.form.getByRole("textbox", { name: "Quantity" }).fill("0.5");
      const box = await terminal.page.locator(".depth-canvas").boundingBox();
      assert.ok(box !== null);
      await terminal.page.mouse.move(box.x + box.width * 0.68, box.y + box.height / 2);
    },
  },
  {
    name: "markets",
    options: desktop("dark"),
    async pose({ page }) {
      await page.keyboard.press("/");
      await page.getByRole("dialog", { name: "Markets" }).waitFor();
    },
  },
  { name: "phone-dark", options: phone("dark") },
  { name: "phone-light", options: phone("light") },
  { name: "phone-book", levels: [3, 4], options: phone("dark"), pose: (terminal) => go(terminal, "Book") },
  {
    name: "phone-trade",
    options: phone("dark"),
    async pose(terminal) {
      await go(terminal, "Trade");
      await fillMarket(terminal, "0.85");
    },
  },
];

/** Alice places orders and transfers funds. */
class Alice {
  readonly #client: Client;
  #near: readonly number[] = [];

  constructor({ rest, accounts }: Exchange) {
    this.#client = new Client(
      rest,
      accounts.find(({ name }) => name === "alice"),
    );
  }

  close(): void {
    this.#client.close();
  }

  async #send<T>(method: string, path: string, parameters: Record<string, string>): Promise<T> {
    const { status, json } = await this.#client.signed<T>(method, path, parameters);
    assert.equal(status, 200, `${path}: ${JSON.stringify(json)}`);
    return json;
  }

  /** Transfers funds so that a plausible balance remains. */
  async giveAway(): Promise<void> {
    const path = "/api/v3/account";
    const { balances } = await this.#send<{ balances: readonly { asset: string; free: string }[] }>("GET", path, {});
    const family = { fromEmail: "alice@demo.pricetime", toEmail: "dave@demo.pricetime" };
    for (const { asset, free } of balances) {
      const amount = (Number(free) - Number(KEPT_AMOUNTS[asset] ?? 0)).toFixed(6);
      if (Number(amount) > 0)
        await this.#send("POST", "/wapi/v3/sub-account/transfer.html", { ...family, asset, amount });
    }
  }

  /** Places resting orders, including an OCO, and makes some trades. */
  async trade(): Promise<void> {
    const { json } = await this.#client.public<{ price: string }>("/api/v3/ticker/price", { symbol: SYMBOL });
    const at = (part: number): string => (Number(json.price) * part).toFixed(2);
    const order = { symbol: SYMBOL, type: "LIMIT", timeInForce: "GTC" };
    for (const [side, quantity] of TRADES) {
      await this.#send("POST", "/api/v3/order", { symbol: SYMBOL, type: "MARKET", side, quantity });
    }
    await this.#send("POST", "/api/v3/order", { ...order, side: "BUY", quantity: "0.35", price: at(0.9872) });
    await this.#send("POST", "/api/v3/orderList/oco", {
      ...{ symbol: SYMBOL, side: "SELL", quantity: "0.4", aboveType: "LIMIT_MAKER", abovePrice: at(1.0135) },
      ...{ belowType: "STOP_LOSS", belowStopPrice: at(0.9915) },
    });
  }

  /** Cancels the orders near the touch; one that was filled in the meantime cannot be canceled. */
  async standBack(): Promise<void> {
    for (const orderId of this.#near)
      await this.#client.signed("DELETE", "/api/v3/order", { symbol: SYMBOL, orderId: String(orderId) });
    this.#near = [];
  }

  /** Places orders some levels away from the best price on both sides. */
  async standNear([below, above]: Levels): Promise<void> {
    type Side = readonly (readonly [string, string])[];
    const { json } = await this.#client.public<{ bids: Side; asks: Side }>("/api/v3/depth", {
      ...{ symbol: SYMBOL, limit: "20" },
    });
    const placed = [];
    for (const [side, levels, at, quantity] of [
      ["BUY", json.bids, below, "0.250000"],
      ["SELL", json.asks, above, "0.120000"],
    ] as const) {
      const order = { symbol: SYMBOL, type: "LIMIT_MAKER", side, quantity, price: levels[at]?.[0] ?? "" };
      const { status, json: answer } = await this.#client.signed<{ orderId: number }>("POST", "/api/v3/order", order);
      if (status === 200) placed.push(answer.orderId);
    }
    this.#near = placed;
  }
}

const TRADES = [
  ["BUY", "0.084120"],
  ["SELL", "0.031500"],
  ["BUY", "0.150000"],
  ["BUY", "0.046250"],
  ["SELL", "0.120000"],
] as const;

/**
 * Takes a picture with orders of the account near the touch, none of which is filled at that time, because a notice of
 * a fill would cover the page.
 */
async function posed({ page }: Terminal, alice: Alice, levels: Levels): Promise<Buffer> {
  for (let attempt = 1; ; attempt++) {
    await alice.standNear(levels);
    await sleep(YOUNG_MS);
    const bytes = await page.screenshot();
    const notices = await page.locator(".notice").count();
    await alice.standBack();
    if (notices === 0 || attempt === ATTEMPTS) return bytes;
    await sleep(DRAWN_MS);
  }
}

/** Writes the picture as Chromium's PNG, which is small for a file of few colors. */
async function picture({ name, pose, levels = [6, 8] }: Shot, terminal: Terminal, alice: Alice): Promise<void> {
  const { page } = terminal;
  await signInAs(terminal, "alice");
  await page.locator(".chart-panel canvas").first().waitFor();
  // Moves the pointer away from elements that react to it.
  await page.mouse.move((page.viewportSize()?.width ?? 0) / 2, 20);
  await pose?.(terminal);
  await sleep(DRAWN_MS);
  const bytes = await posed(terminal, alice, levels);
  writeFileSync(join(FOLDER, `terminal-${name}.png`), bytes);
  process.stdout.write(`terminal-${name}.png ${Math.round(bytes.length / 1000)} kB\n`);
}

const wanted = process.argv.slice(2);
mkdirSync(FOLDER, { recursive: true });
const exchange = await startExchange({ args: ["--limits", "off"] });
const browser = await openBrowser();
const alice = new Alice(exchange);
try {
  await alice.giveAway();
  await sleep(BUSY_MS);
  await alice.trade();
  for (const shot of SHOTS) {
    if (wanted.length > 0 && !wanted.includes(shot.name)) continue;
    const terminal = await openTerminal(browser, exchange.rest, shot.options);
    await picture(shot, terminal, alice);
    await terminal.close();
  }
} finally {
  alice.close();
  await browser.close();
  await exchange.stop();
}
