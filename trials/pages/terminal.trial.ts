/** The terminal in Chromium, from a node as it is installed: it runs under its policy, and asks nothing of anybody else. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";
import { CHROMIUM, isThere, LOOKS, openBrowser, openPage } from "./browser.ts";

const skip = isThere ? false : `${CHROMIUM} is not there: apt-get install chromium`;
const pictures = temporaryFolder();

let exchange: Exchange;
let browser: Browser;
before(async () => {
  if (!isThere) return;
  exchange = await startExchange();
  browser = await openBrowser();
});
after(async () => {
  if (!isThere) return;
  await browser.close();
  await exchange.stop();
  process.stdout.write(`screenshots: ${pictures}\n`);
});

for (const look of LOOKS) {
  test(`the terminal comes up: ${look.name}`, { skip }, async () => {
    const { page, complaints, outside, close } = await openPage(browser, exchange.rest, look);
    const told = page.waitForResponse((response) => response.url() === `${exchange.rest}/terminal.json`);
    const answer = await page.goto(`${exchange.rest}/`);
    assert.match(answer?.headers()["content-security-policy"] ?? "", /require-trusted-types-for 'script'/);
    assert.equal((await told).status(), 200);
    await page.waitForSelector("#terminal > *");
    await page.screenshot({ path: join(pictures, `terminal-${look.name}.png`) });
    assert.deepEqual(complaints, []);
    assert.deepEqual(outside, []);
    const width = await page.evaluate("document.documentElement.scrollWidth");
    assert.ok(Number(width) <= look.width, `it is ${String(width)} wide`);
    await close();
  });
}

test("no text becomes markup, code or style in the terminal's page", { skip }, async () => {
  const [look] = LOOKS;
  assert.ok(look !== undefined);
  const { page, close } = await openPage(browser, exchange.rest, look);
  await page.goto(`${exchange.rest}/`);
  const forbidden = [
    "document.body.innerHTML = '<b>a</b>'",
    "document.body.insertAdjacentHTML('beforeend', '<b>a</b>')",
    "document.createElement('script').text = 'a'",
    "trustedTypes.createPolicy('a', {})",
    "setTimeout('a', 0)",
  ];
  for (const code of forbidden) {
    // The driver's own code is not held by the policy, a script of the page's would be.
    const outcome = await page.evaluate(
      `(() => { try { ${code}; return "done"; } catch (error) { return error.name; } })()`,
    );
    assert.notEqual(outcome, "done", code);
  }
  const coloured = await page.evaluate(`(() => {
    const style = document.createElement("style");
    style.append("body { outline: 7px solid }");
    document.head.append(style);
    return getComputedStyle(document.body).outlineWidth;
  })()`);
  assert.notEqual(coloured, "7px", "a style element");
  await close();
});

test("without JavaScript the terminal says where to read instead", { skip }, async () => {
  const [look] = LOOKS;
  assert.ok(look !== undefined);
  const { page, close } = await openPage(browser, exchange.rest, { ...look, javaScript: false });
  await page.goto(`${exchange.rest}/`);
  await page.click("noscript a");
  assert.equal(new URL(page.url()).pathname, "/start");
  await close();
});
