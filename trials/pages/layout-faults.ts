/**
 * Finds faults of a page's layout at the window's present size: cut text, boxes that overlap, columns without a
 * heading, and pages that scroll sideways.
 */
import type { Page } from "playwright-core";

/** The system's font instead of the bundled one: the widest that users have. */
const FONTS = { bundled: "", system: "system-ui, sans-serif" } as const;

/**
 * Looks at the page, and at what each of its tabs shows. Each fault is a text that names the font and the tab. A dialog
 * that is open is looked at instead of the page. `drawnMs`: the time in which scripts draw the page after a change.
 */
export function layoutFaults(page: Page, drawnMs = 0): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(${LOOK})(${JSON.stringify({ drawnMs, fonts: FONTS })})`);
}

/** Runs in the page, whose types this program does not know. */
const LOOK = `async ({ drawnMs, fonts }) => {
  const found = new Set();
  const root = document.documentElement;
  const PHONE_PX = 768;
  const CONTROLS = "a[href], button, input, select, textarea, [role=tab], [role=slider]";
  const BOXES = "button, a.button, th, td, .tag, .card, .figure, .pane-head, .choices, legend, label";
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
  const named = (one) => {
    const name = typeof one.className === "string" ? one.className.trim().replaceAll(/\\s+/g, ".") : "";
    const text = (one.ariaLabel ?? one.textContent ?? "").trim().replaceAll(/\\s+/g, " ").slice(0, 40);
    return one.tagName.toLowerCase() + (name === "" ? "" : "." + name) + (text === "" ? "" : " '" + text + "'");
  };
  const pen = document.createElement("canvas").getContext("2d");
  const widthOf = (text, style) => {
    pen.font = style.fontWeight + " " + style.fontSize + " " + style.fontFamily;
    return pen.measureText(text).width;
  };
  /** A tooltip has the whole text, or a click shows it. */
  const isTold = (one) => one.closest("[title], [aria-expanded]") !== null;
  /** A shortened hint is enough in a field that has a name. */
  const isNamedHint = (one) => one.value === "" && one.ariaLabel && getComputedStyle(one, "::placeholder").textOverflow === "ellipsis";

  /** Reports the faults of the page as it is shown now. */
  function look(where) {
    const add = (kind, detail) => found.add(where + kind + ": " + detail);
    const shown = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
    const windowBox = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    // A page that is longer than the window can be scrolled, unless it says otherwise.
    const pageBox = getComputedStyle(document.body).overflowY === "hidden" ? windowBox : { ...windowBox, top: -Infinity, bottom: Infinity };
    const texts = [];
    const controls = [];

    if (root.scrollWidth > innerWidth + 1) add("sideways", "the page is " + root.scrollWidth + " px wide");
    for (const one of shown.querySelectorAll(innerWidth < PHONE_PX ? "main, .scroll" : "main"))
      if (one.scrollWidth > one.clientWidth + 1) add("sideways", named(one).slice(0, 60) + " " + one.scrollWidth + " in " + one.clientWidth);

    function cutBy(text, parent, cut, seen) {
      if (text.right <= seen.left || text.left >= seen.right || text.bottom <= seen.top || text.top >= seen.bottom) return;
      const isCut = text.left < cut.left - 1 || text.right > cut.right + 1;
      const isLow = text.top < cut.top - 4 || text.bottom > cut.bottom + 4;
      if ((isCut || isLow) && !(cut.shortens && isTold(parent)))
        add(cut.shortens ? "shortened without a title" : "cut", named(parent));
    }
    const within = (box, edge) => ({
      left: Math.max(box.left, edge.left), right: Math.min(box.right, edge.right),
      top: Math.max(box.top, edge.top), bottom: Math.min(box.bottom, edge.bottom),
    });

    /** cut: what hides a text for good; seen: what hides it until the user scrolls. */
    function walk(one, cut, seen, fixed) {
      if (one.nodeType === Node.TEXT_NODE) {
        if (one.data.trim() === "") return;
        const range = document.createRange();
        range.selectNodeContents(one);
        for (const box of range.getClientRects()) {
          if (box.width < 2 || box.height < 2) continue;
          cutBy(box, one.parentElement, cut, seen);
          texts.push({ one: one.parentElement, fixed, ...within(box, within(cut, seen)) });
        }
        return;
      }
      if (one.nodeType !== Node.ELEMENT_NODE || ["SCRIPT", "STYLE", "OPTION", "NOSCRIPT"].includes(one.tagName)) return;
      if (one.tagName === "DIALOG" && one !== shown) return;
      if (!one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) {
        if (getComputedStyle(one).display !== "contents") return;
      }
      const style = getComputedStyle(one);
      const box = one.getBoundingClientRect();
      if (style.clipPath !== "none") return;
      if (style.position === "fixed" || one === shown) {
        fixed = one;
        [cut, seen] = one === document.body ? [pageBox, pageBox] : [windowBox, windowBox];
      }
      if (style.position === "sticky") fixed = one;
      if (one.matches(CONTROLS)) {
        const place = within(box, within(cut, seen));
        if (place.right - place.left > 2 && place.bottom - place.top > 2) controls.push({ one, fixed, ...place });
        const text = one.tagName === "SELECT" ? (one.selectedOptions[0]?.text ?? "") : one.tagName === "INPUT" && !["checkbox", "radio", "range", "file", "submit"].includes(one.type) ? one.value || one.placeholder : "";
        const inside = one.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight) - (one.tagName === "SELECT" ? 12 : 0);
        if (text !== "" && inside > 0 && !one.readOnly && !isNamedHint(one) && widthOf(text, style) > inside + 1) add("cut", named(one) + " '" + text + "' in " + Math.round(inside) + " px");
      }
      if (one.matches(BOXES) && style.display !== "inline" && style.overflowX === "visible" && one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1)
        add("sticks out", named(one) + " " + one.scrollWidth + " in " + one.clientWidth);
      if (style.overflowX !== "visible") {
        const [x, y] = [/auto|scroll/.test(style.overflowX), /auto|scroll/.test(style.overflowY)];
        seen = within(seen, box);
        if (x) cut = { ...cut, left: -Infinity, right: Infinity, shortens: false };
        else cut = { ...cut, left: Math.max(cut.left, box.left), right: Math.min(cut.right, box.right), shortens: style.textOverflow === "ellipsis" };
        if (y) cut = { ...cut, top: -Infinity, bottom: Infinity };
        else cut = { ...cut, top: Math.max(cut.top, box.top), bottom: Math.min(cut.bottom, box.bottom) };
      }
      for (const child of one.childNodes) walk(child, cut, seen, fixed);
    }
    walk(shown, pageBox, pageBox, null);

    const overlap = (a, b) => [
      Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top),
    ];
    // A part that stays in its place covers what is scrolled below it.
    const areBeside = (a, b) => a.fixed === b.fixed && !a.one.contains(b.one) && !b.one.contains(a.one);
    function pairs(boxes, leastX, leastY, report) {
      const sorted = boxes.filter(({ left, right, top, bottom }) => right > left && bottom > top).sort((a, b) => a.top - b.top);
      for (const [at, a] of sorted.entries())
        for (let next = at + 1; next < sorted.length && sorted[next].top < a.bottom; next++) {
          const b = sorted[next];
          const [x, y] = overlap(a, b);
          if (x > leastX && y > leastY && areBeside(a, b)) report(a.one, b.one);
        }
    }
    pairs(controls, 1.5, 1.5, (a, b) => add("overlap", named(a) + " and " + named(b)));
    pairs(texts, 3, 5, (a, b) => add("texts overlap", named(a) + " and " + named(b)));
    for (const { one, left, right, top, bottom } of controls) {
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
      const hit = document.elementFromPoint(x, y);
      if (hit === null || one.contains(hit) || hit.contains(one) || hit.closest(".notices, .chart-note") !== null) continue;
      if (hit.closest("label")?.contains(one) === true || getComputedStyle(hit.closest("td, dialog, .foot") ?? hit).position === "sticky") continue;
      add("covered", named(one) + " by " + named(hit));
    }

    for (const table of shown.querySelectorAll("table")) {
      if (!table.checkVisibility()) continue;
      const heads = [...table.querySelectorAll("thead th")];
      const areHeadsShown = heads[0]?.getBoundingClientRect().height > 1 && getComputedStyle(table.tHead).clipPath === "none";
      if (areHeadsShown) {
        for (const head of heads) if ((head.textContent || head.ariaLabel || "").trim() === "") add("no heading", named(table).slice(0, 60));
        continue;
      }
      for (const cell of table.querySelectorAll("tbody tr:first-child td:not(.acts, :empty, [colspan])"))
        if (cell.checkVisibility() && /^(none|"")$/.test(getComputedStyle(cell, "::before").content) && !cell.matches(".card-head")) add("no heading", named(cell));
    }
  }

  // Styles alone need no frame.
  function lookInFonts(where) {
    for (const [font, family] of Object.entries(fonts)) {
      if (family === "") root.style.removeProperty("--sans");
      else root.style.setProperty("--sans", family);
      look(where + font + " font, ");
    }
    root.style.removeProperty("--sans");
  }

  await frame();
  if (drawnMs > 0) await new Promise((resolve) => setTimeout(resolve, drawnMs));
  lookInFonts("");
  const all = () => [...([...document.querySelectorAll("dialog[open]")].at(-1) ?? document).querySelectorAll("[role=tab]")]
    .filter((one) => one.checkVisibility());
  const key = (one) => one.closest("[role=tablist]").ariaLabel + "/" + one.firstChild?.textContent;
  const seen = new Set();
  const next = () => {
    for (const one of all()) if (one.ariaSelected === "true") seen.add(key(one));
    return all().find((one) => !seen.has(key(one)));
  };
  for (let tab = next(); tab !== undefined; tab = next()) {
    const name = key(tab);
    seen.add(name);
    tab.click();
    await frame();
    lookInFonts(name + ", ");
  }
  return [...found];
}`;
