/** Runs axe-core on a page, and checks that nothing is wider than its container. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** From this width on, lists may scroll sideways. */
const LEAST_WIDE_PX = 768;

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Violations that axe-core rates serious or critical, as text. */
export async function findingsOf(page: Page, where: string, part = "body"): Promise<string[]> {
  // The page may have been reloaded since the last time.
  if (await page.evaluate<boolean>("!('axe' in window)")) await page.evaluate(AXE);
  const code = `axe.run(${JSON.stringify(part)}).then(({ violations }) => violations)`;
  const found = await page.evaluate<readonly Finding[]>(code);
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${where}: ${id}: ${html.slice(0, 160)} ${failureSummary}`),
    );
}

/** Checks that the page is not wider than the window, and on a phone that no list is wider than the page. */
export async function assertFits(page: Page, where: string): Promise<void> {
  const isPhone = (page.viewportSize()?.width ?? 0) < LEAST_WIDE_PX;
  const wide = await page.evaluate<readonly string[]>(
    `[...document.querySelectorAll(${JSON.stringify(isPhone ? "main, main .scroll" : "main")})]
      .filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => one.ariaLabel ?? "the page")`,
  );
  assert.deepEqual(wide, [], `${where}: wider than its place`);
}
