/** Finds numbers that are cut off: no digit may be hidden by an edge, at any width. */
import type { Page } from "playwright-core";

/**
 * Returns amounts, prices and counts, in elements that match the selector, which an ancestor or the window hides in
 * part. Elements that are hidden completely (a closed tab, a figure without room) do not count, and neither do those
 * that can be scrolled into view.
 */
export function cutNumbers(page: Page, within: string): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(${LOOK})(${JSON.stringify(within)})`);
}

const LOOK = `(within) => {
  const A_NUMBER = /^[≈+−-]?\\s*\\d[\\d,.]*\\s*(?:[%▲▼]|[A-Z]{2,10})?$/;
  const cut = [];
  for (const root of document.querySelectorAll(within)) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (!A_NUMBER.test(node.data.trim())) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const text of range.getClientRects()) {
        if (text.width < 2 || text.height < 2) continue;
        let [left, right] = [-Infinity, Infinity];
        let [isSeen, isScrolled] = [true, false];
        for (let box = node.parentElement; box !== null; box = box.parentElement) {
          const { overflowX, overflowY, visibility, opacity } = getComputedStyle(box);
          const edge = box.getBoundingClientRect();
          if (visibility === "hidden" || opacity === "0" || edge.width <= 1 || edge.height <= 1) isSeen = false;
          if (overflowY !== "visible" && (text.top >= edge.bottom || text.bottom <= edge.top)) isSeen = false;
          if (["auto", "scroll"].includes(overflowX)) isScrolled = true;
          else if (overflowX !== "visible" && !isScrolled)
            [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
        }
        if (!isScrolled) [left, right] = [Math.max(left, 0), Math.min(right, innerWidth)];
        const isCut = text.left < left - 1 || text.right > right + 1;
        if (isSeen && isCut) cut.push(node.data + ": " + [text.left, text.right] + " in " + [left, right]);
      }
    }
  }
  return cut;
}`;
