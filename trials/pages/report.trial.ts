/**
 * The report of a scenario and the study of a market, opened as files in Chromium: their curves are visible on a
 * desktop and a phone, in light and dark, and they are accessible. Screenshots are written to a temporary folder, whose
 * name is printed.
 */
import { findingsOf } from "./axe.ts";
import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Browser, Locator, Page } from "playwright-core";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { lacking } from "../tools.ts";
import { type Look, LOOKS, openBrowser, openPage } from "./browser.ts";
import { playInto, STUDIED, studyInto } from "./drawn-pages.ts";
import { skip } from "./rig.ts";

/** Creates orders, trades, three kinds of faults, and consequences of each. */
const SCENARIO = "stream-gaps";
const FAULTS = ["lost", "duplicate", "closed"];
/** A visible curve spans at least this many pixels vertically. */
const LEAST_RISE = 20;
const noStudy = skip !== false ? skip : lacking(["python3"]);

const pictures = temporaryFolder();
let browser: Browser;
let report: string;
let study: string;
before(async () => {
  if (skip !== false) return;
  browser = await openBrowser();
  report = await playInto(temporaryFolder(), SCENARIO);
  if (noStudy === false) study = await studyInto(temporaryFolder());
});
after(async () => {
  if (skip !== false) return;
  await browser.close();
  process.stdout.write(`screenshots: ${pictures}\n`);
});

/** Opens the file, calls `look`, and checks that the page fits, logs nothing and sends no request. */
async function lookAt(file: string, look: Look, seen: (page: Page) => Promise<void>): Promise<void> {
  const home = pathToFileURL(join(file, "..")).href;
  const { page, complaints, outside, close } = await openPage(browser, home, look);
  await page.goto(pathToFileURL(file).href);
  await page.screenshot({ path: join(pictures, `${basename(file, ".html")}-${look.name}.png`), fullPage: true });
  await seen(page);
  const width = Number(await page.evaluate("document.documentElement.scrollWidth"));
  assert.ok(width <= look.width, `${width} wide`);
  assert.deepEqual(await findingsOf(page, look.name), []);
  assert.deepEqual([complaints, outside], [[], []]);
  await close();
}

interface Size {
  readonly width: number;
  readonly height: number;
}

async function sizeOf(drawn: Locator): Promise<Size> {
  const box = await drawn.boundingBox();
  assert.ok(box !== null, `${drawn} is not there`);
  return box;
}

/** The curve spans the chart's width, and is not flat. */
async function assertCurve(chart: Locator, drawn: Locator): Promise<void> {
  const [whole, curve] = [await sizeOf(chart), await sizeOf(drawn)];
  assert.ok(curve.width > whole.width * 0.7, `a curve of ${curve.width} in ${whole.width}`);
  assert.ok(curve.height > LEAST_RISE, `a curve ${curve.height} high`);
}

/** At least this many elements have a size. An order that existed for a moment has almost none. */
async function assertSeen(drawn: Locator, least: number, what: string): Promise<void> {
  let seen = 0;
  for (const one of await drawn.all()) {
    const { width, height } = await sizeOf(one);
    if (Math.max(width, height) >= 2) seen++;
  }
  assert.ok(seen >= least, `${seen} ${what}`);
}

const chartOf = (page: Page, name: RegExp): Locator => page.getByRole("img", { name });

for (const look of LOOKS) {
  test(`the report of a scenario: ${look.name}`, { skip }, async () => {
    await lookAt(report, look, async (page) => {
      const equity = chartOf(page, /^equity in USDT/);
      await assertCurve(equity, equity.locator("path.curve"));
      const market = chartOf(page, /^BTCUSDT: last price, orders and trades/);
      await assertCurve(market, market.locator("path.curve"));
      await assertSeen(market.locator("line.bid"), 3, "bids");
      await assertSeen(market.locator("line.ask"), 3, "asks");
      await assertSeen(market.locator("circle"), 3, "trades");
      for (const chart of [equity, market]) {
        await assertSeen(chart.locator("rect.fault"), FAULTS.length, "faults");
        await assertSeen(chart.locator("rect.bar"), FAULTS.length, "bars of faults");
      }
      for (const fault of FAULTS) {
        const told = page
          .locator("article")
          .filter({ has: page.getByRole("heading", { name: new RegExp(`^${fault}\\b`) }) });
        assert.match(await told.innerText(), /struck [1-9]\d* of [1-9]/);
        await assertSeen(told.locator("tbody tr"), 1, `what followed ${fault}`);
      }
    });
  });

  test(`the study of a market: ${look.name}`, { skip: noStudy }, async () => {
    await lookAt(study, look, async (page) => {
      assert.match(await page.innerText("h1"), new RegExp(STUDIED));
      for (const name of [/^mid price by time/, /^spread, basis points by time/]) {
        const chart = chartOf(page, name);
        await assertCurve(chart, chart.locator("polyline"));
      }
      const impact = chartOf(page, /^basis points by seconds/);
      await assertCurve(impact, impact.locator("polyline"));
      await assertSeen(chartOf(page, /^value by basis points from the mid/).locator("rect"), 14, "depths");
    });
  });
}
