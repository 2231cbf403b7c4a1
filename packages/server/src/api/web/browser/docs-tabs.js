/** Shows examples in several languages as tabs. The choice applies to all groups and to later pages. */

const STORED_AS = "pricetime.docs.language";

/** The index of the tab that a key selects from tab `at` of `count`; -1 for other keys. */
export function tabAfter(key, at, count) {
  if (key === "ArrowRight") return (at + 1) % count;
  if (key === "ArrowLeft") return (at + count - 1) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : -1;
}

/** The language to show: the chosen one if the group has it, otherwise the first. */
export const shownOf = (languages, chosen) => (languages.includes(chosen) ? chosen : languages[0]);

/** Browsers can be configured to disable storage. */
function stored() {
  try {
    return localStorage.getItem(STORED_AS);
  } catch {
    return null;
  }
}

function store(language) {
  try {
    localStorage.setItem(STORED_AS, language);
  } catch {
    // The choice applies to this page only.
  }
}

function openGroup(group, number, choose) {
  const panels = [...group.querySelectorAll("[data-variant]")];
  const bar = document.createElement("div");
  bar.className = "tabs";
  bar.setAttribute("role", "tablist");
  bar.setAttribute("aria-label", "Language of the example");
  const tabs = panels.map((panel, at) => {
    const tab = document.createElement("button");
    tab.type = "button";
    tab.id = `tab-${number}-${at}`;
    tab.textContent = panel.dataset.variant;
    tab.setAttribute("role", "tab");
    panel.id = `panel-${number}-${at}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    tab.setAttribute("aria-controls", panel.id);
    tab.addEventListener("click", () => choose(panel.dataset.variant, bar));
    return tab;
  });
  bar.addEventListener("keydown", (event) => {
    const to = tabAfter(event.key, tabs.indexOf(document.activeElement), tabs.length);
    if (to === -1 || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    tabs[to].focus();
    tabs[to].click();
  });
  for (const panel of panels) {
    // The tab shows the language; the label remains if it adds a note.
    const label = panel.querySelector("p");
    const note = label.querySelector("span");
    if (note === null) label.remove();
    else label.replaceChildren(note);
  }
  bar.append(...tabs);
  group.prepend(bar);
  group.classList.add("tabbed");
  return (chosen) => {
    const language = shownOf(
      panels.map((panel) => panel.dataset.variant),
      chosen,
    );
    for (const [at, panel] of panels.entries()) {
      const isShown = panel.dataset.variant === language;
      panel.hidden = !isShown;
      tabs[at].setAttribute("aria-selected", String(isShown));
      tabs[at].tabIndex = isShown ? 0 : -1;
    }
  };
}

function openTabs(groups) {
  const choose = (language, bar) => {
    // Groups above may change their height, so the page is scrolled to keep the selected tab in place.
    const before = bar.getBoundingClientRect().top;
    for (const show of shows) show(language);
    scrollBy({ top: bar.getBoundingClientRect().top - before, behavior: "instant" });
    store(language);
  };
  const shows = groups.map((group, number) => openGroup(group, number, choose));
  const chosen = stored();
  for (const show of shows) show(chosen);
}

if (globalThis.document !== undefined) {
  const groups = [...document.querySelectorAll(".variants")];
  if (groups.length > 0) openTabs(groups);
}
