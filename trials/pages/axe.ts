/** A screen reader's rules (axe-core) over a page, and whether a page is wider than its place. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What keeps somebody out, in words. The page must have been opened without its policy. */
export async function findingsOf(page: Page, where: string, part = "body"): Promise<string[]> {
  // The page may have been loaded anew since the last time.
  if (await page.evaluate<boolean>("!('axe' in window)")) await page.addScriptTag({ content: AXE });
  const code = `axe.run(${JSON.stringify(part)}).then(({ violations }) => violations)`;
  const found = await page.evaluate<readonly Finding[]>(code);
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${where}: ${id}: ${html.slice(0, 160)} ${failureSummary}`),
    );
}

/** Lists scroll within themselves; a page as a whole is as wide as its place. */
export async function assertFits(page: Page, where: string): Promise<void> {
  const isWide = await page.evaluate<boolean>(
    "document.querySelector('main').scrollWidth > document.querySelector('main').clientWidth + 1",
  );
  assert.ok(!isWide, `${where} is wider than its place`);
}
