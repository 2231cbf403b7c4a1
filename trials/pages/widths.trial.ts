/**
 * Every page at every width: no text is cut, no control is under another, no column lacks its heading, and no page
 * scrolls sideways, with the bundled font and with the system's, in the dark and the light theme by turns. The pages are
 * those of the route tables, so a new page is walked without being named here.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CDPSession, Page } from "playwright-core";
import { PAGES as ACCOUNT_PAGES, OUTSIDE_PAGES } from "@pricetime/web/account-routes";
import { PAGES as CONSOLE_PAGES, SUBJECTS } from "@pricetime/web/console-routes";
import { operate } from "@pricetime/testkit/venue";
import { createSamples, openAs, openOperator, type Person } from "../console/operators.ts";
import { visitConsole } from "../console/console.ts";
import { askToWithdraw, openVenue, rest } from "../console/venue.ts";
import { visit } from "../account/account.ts";
import { fillIn, submitOf } from "../terminal/order-form.ts";
import { chooseMarket, chooseSetting, openByKey, openTerminal, signInAs } from "../terminal/terminal.ts";
import { place, placeOco } from "../terminal/venue.ts";
import { layoutFaults } from "./layout-faults.ts";
import { go, type Opened, overviewOf } from "./opened.ts";
import { rigOf, skip } from "./rig.ts";

const SIZES = [
  "320x568 360x740 390x844 480x900 600x960 768x1024 1024x768 1280x800",
  "1440x900 1920x1080 2560x1440 3840x2160",
].flatMap((row) =>
  row.split(" ").map((size) => {
    const [width = 0, height = 0] = size.split("x").map(Number);
    return { width, height };
  }),
);
/** Windows are touched below the first width in the light theme, and below the second in the dark one. */
const [PHONE_PX, TOUCHED_PX] = [768, 1200];
/** The terminal draws its book at most ten times a second. */
const TERMINAL_DRAWN_MS = 110;
/** How many places of a fault are named. */
const SHOWN_MAX = 6;

const { venue, browser } = await rigOf(openVenue);
const ids: Partial<Record<string, string>> = {
  ...{ markets: "BTCUSDT", assets: "BTC", accounts: "100", networks: "BTC", operators: "carol" },
};
let carol: Person = { name: "", password: "" };
if (skip === false) {
  const { exchange, alice, bob } = venue;
  carol = await openOperator(exchange, "carol", "admin");
  const limit = { type: "LIMIT", timeInForce: "GTC" };
  for (const [symbol, price, quantity] of [
    ["BTCUSDT", "20000.00", "0.1"],
    ["BTCIDR", "959614034.00", "0.01"],
  ] as const) {
    await place(bob, { ...limit, symbol, price, quantity, side: "SELL" });
    await place(alice, { ...limit, symbol, price, quantity, side: "BUY" });
    await place(bob, { ...limit, symbol, price, quantity, side: "SELL" });
  }
  for (let level = 1; level < 30; level++) {
    await rest(bob, { side: "BUY", quantity: "0.5", price: `${19990 - level * 10}.00` });
    await rest(bob, { side: "SELL", quantity: "0.5", price: `${20010 + level * 10}.00` });
  }
  await rest(alice, { side: "BUY", quantity: "0.01", price: "19000" });
  await placeOco(alice);
  ids["withdrawals"] = await askToWithdraw(alice);
  await operate(exchange, "POST", "/v1/proofs", {});
  ids["approvals"] = await createSamples(exchange, await openOperator(exchange, "dave", "admin"));
  const [email] = await operate<readonly { emailId: string }[]>(exchange, "GET", "/v1/emails").catch(() => []);
  if (email !== undefined) ids["emails"] = email.emailId;
}

interface Walked {
  readonly page: Page;
  readonly drawnMs?: number;
}

const touches = new WeakMap<Page, CDPSession>();
async function touch(page: Page, enabled: boolean): Promise<void> {
  const session = touches.get(page) ?? (await page.context().newCDPSession(page));
  touches.set(page, session);
  await session.send("Emulation.setTouchEmulationEnabled", { enabled });
}

/** Faults, each with the pages and widths that have it. */
class Faults {
  readonly #places = new Map<string, string[]>();

  /** Resizes the page through all sizes. */
  async walk(where: string, { page, drawnMs = 0 }: Walked): Promise<void> {
    for (const [at, size] of SIZES.entries()) {
      const theme = at % 2 === 0 ? "dark" : "light";
      await page.setViewportSize(size);
      await touch(page, size.width < (theme === "dark" ? TOUCHED_PX : PHONE_PX));
      await page.emulateMedia({ colorScheme: theme });
      for (const fault of await layoutFaults(page, drawnMs)) {
        this.#places.set(fault, [...(this.#places.get(fault) ?? []), `${where} ${size.width} ${theme}`]);
      }
    }
  }

  /** Walks the pages of one application, by hash. */
  async walkAll(opened: Opened, hashes: readonly string[]): Promise<void> {
    for (const hash of hashes) {
      await go(opened, `#/${hash}`);
      await opened.page.locator("h1").first().waitFor();
      await opened.loaded();
      await this.walk(hash, { page: opened.page });
    }
  }

  assertNone(): void {
    const found = [...this.#places].map(
      ([fault, places]) => `${fault}: ${places.slice(0, SHOWN_MAX).join(", ")}, ${places.length} in all`,
    );
    assert.deepEqual(found, []);
  }
}

/** Shows the page in the bundled font. On a busy machine, the first visit may be too early for it. */
async function hasFont(page: Page): Promise<void> {
  await page.evaluate(`document.fonts.load("12px 'Inter Latin'")`);
  await page.reload();
  await page.evaluate("document.fonts.ready");
  const [bundled, other] = await page.evaluate<readonly [number, number]>(`(() => {
    const pen = document.createElement("canvas").getContext("2d");
    return ["'Inter Latin', ", ""].map((name) => {
      pen.font = "40px " + name + "system-ui";
      return pen.measureText("Wide mill 0123").width;
    });
  })()`);
  assert.notEqual(bundled, other, "the bundled font is not there");
}

/** Markup with one fault each, and the beginning of the text that reports it. */
const PLANTED: readonly (readonly [html: string, fault: string])[] = [
  ["<p style='width:600px'>Too wide for the window</p>", "sideways: the page"],
  ["<main style='overflow:auto'><p style='width:600px'>Too wide</p></main>", "sideways: main"],
  ["<p style='width:40px;overflow:hidden;white-space:nowrap'>12345678.90</p>", "cut: p"],
  ["<p style='height:9px;overflow:hidden'>Two lines of text, of which one is hidden by the edge</p>", "cut: p"],
  ["<p style='width:40px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis'>12345678.90</p>", "shortened"],
  ["<input value='12345678.90' style='width:40px'>", "cut: input"],
  ["<select style='width:50px'><option>A long name of a choice</option></select>", "cut: select"],
  ["<button style='width:40px;white-space:nowrap'>Cancel all orders</button>", "sticks out: button"],
  ["<button>Buy</button><button style='margin-left:-20px'>Sell</button>", "overlap: button"],
  ["<button>Buy</button><div style='position:absolute;inset:0;background:red'></div>", "covered: button"],
  ["<p>First line</p><p style='margin-top:-26px'>Second line</p>", "texts overlap: p"],
  ["<table><thead><tr><th></th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>", "no heading: table"],
  [
    "<table><thead style='display:none'><tr><th>A</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>",
    "no heading: td",
  ],
];

test("a planted fault of each kind is found, and a page without faults has none", { skip }, async () => {
  const page = await browser.newPage({ viewport: { width: 320, height: 568 } });
  for (const [html, fault] of PLANTED) {
    await page.setContent(`<body>${html}</body>`);
    const found = await layoutFaults(page);
    assert.ok(
      found.some((one) => one.startsWith(`bundled font, ${fault}`)),
      `${html}: ${found.join("; ")}`,
    );
  }
  await page.setContent("<body><p>Text</p><button>Buy</button> <button>Sell</button><input value='1.5'></body>");
  assert.deepEqual(await layoutFaults(page), []);
  await page.close();
});

test("the console", { skip }, async () => {
  const faults = new Faults();
  const outside = await visitConsole(browser, venue.exchange);
  await hasFont(outside.page);
  await faults.walk("sign-in", outside);
  await outside.close();
  const subjects = Object.keys(SUBJECTS).map((page) => `${page}/${ids[page] ?? assert.fail(`no sample of ${page}`)}`);
  const opened = await openAs(browser, venue.exchange, carol);
  await faults.walkAll(opened, [...CONSOLE_PAGES, ...subjects]);
  faults.assertNone();
  await opened.close();
});

test("the account pages", { skip }, async () => {
  const faults = new Faults();
  const opened = await visit(browser, venue);
  await hasFont(opened.page);
  await faults.walkAll(opened, ["", ...OUTSIDE_PAGES]);
  await go(opened, "#/overview");
  await opened.page.getByRole("button", { name: "Sign in as alice" }).click();
  await overviewOf(opened);
  const pages = [...ACCOUNT_PAGES, "deposit?coin=BTC", "withdraw?coin=BTC"];
  await faults.walkAll(opened, pages);
  faults.assertNone();
  // German words are longer.
  await opened.page.setViewportSize({ width: 1280, height: 800 });
  await opened.page.getByRole("button", { name: "Deutsch" }).click();
  await opened.page.locator("html[lang=de]").waitFor();
  await faults.walkAll(opened, pages);
  faults.assertNone();
  await opened.close();
});

test("the terminal", { skip }, async () => {
  const faults = new Faults();
  const terminal = await openTerminal(browser, venue.exchange.rest);
  const { page } = terminal;
  await hasFont(page);
  await faults.walk("signed out", { page, drawnMs: TERMINAL_DRAWN_MS });
  await page.setViewportSize({ width: 1440, height: 900 });
  await signInAs(terminal, "alice");
  // The market with the longest prices.
  await chooseMarket(terminal, "BTCIDR");
  await faults.walk("signed in", { page, drawnMs: TERMINAL_DRAWN_MS });
  for (const [key, name] of [
    ["/", "Markets"],
    ["?", "Keyboard"],
  ] as const) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await openByKey(terminal, key, name);
    await faults.walk(name, { page, drawnMs: TERMINAL_DRAWN_MS });
    await page.keyboard.press("Escape");
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("dialog", { name: "Settings" }).waitFor();
  await faults.walk("Settings", { page, drawnMs: TERMINAL_DRAWN_MS });
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 1440, height: 900 });
  await fillIn(terminal, { side: "Buy", kind: "Limit", fields: { Price: "1100000000", Quantity: "0.01" } });
  await chooseSetting(terminal, "Confirm before placing, moving or canceling an order", "On");
  await submitOf(terminal).click();
  await page.getByRole("dialog").waitFor();
  await faults.walk("confirmation", { page, drawnMs: TERMINAL_DRAWN_MS });
  faults.assertNone();
  await terminal.close();
});

test("the start page", { skip }, async () => {
  const faults = new Faults();
  const terminal = await openTerminal(browser, venue.exchange.rest);
  await terminal.page.goto(`${venue.exchange.rest}/start`);
  await faults.walk("start", terminal);
  faults.assertNone();
  await terminal.close();
});
