/** Numbers that a page cuts: no digit may be hidden by an edge, at any width. */
import type { Page } from "playwright-core";

/**
 * Amounts, prices and counts, in elements of that selector, of which an ancestor or the window hides a part. What is hidden as a
 * whole (a closed tab, a figure that has no room) is not cut, and neither is what can be scrolled to.
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
