/** The search of the documentation: finds pages and headings in an index from the node. The query is not sent. */

export const MOST_RESULTS = 12;
/** A match at the start of a word counts more than one inside a word. */
const AT_START = 2;
const INSIDE = 1;
/** A matching page comes before matching headings of other pages. */
const PAGE_BONUS = 3;

/**
 * Returns matching pages and headings, best first. Each word of the query must occur in the title of the page or in the
 * heading. `pages` is the index: `path`, `title`, `section` and `headings` as pairs of id and text.
 */
export function search(pages, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found = [];
  for (const { path, title, section, headings } of pages) {
    const inTitle = words.map((word) => rankOf(title, word));
    if (inTitle.every((rank) => rank > 0)) {
      found.push({ path, title, context: section, rank: sum(inTitle) + PAGE_BONUS + wholeBonus(title, query) });
    }
    for (const [id, text] of headings) {
      const inHeading = words.map((word) => rankOf(text, word));
      const isMatch = inHeading.every((rank, at) => rank > 0 || inTitle[at] > 0) && inHeading.some((rank) => rank > 0);
      if (!isMatch) continue;
      found.push({ path: `${path}#${id}`, title: text, context: title, rank: sum(inHeading) + wholeBonus(text, query) });
    }
  }
  return found.sort((a, b) => b.rank - a.rank || a.title.length - b.title.length).slice(0, MOST_RESULTS);
}

const sum = (ranks) => ranks.reduce((total, rank) => total + rank, 0);

function rankOf(text, word) {
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(lower[at - 1])) return AT_START;
  }
  return lower.includes(word) ? INSIDE : 0;
}

function wholeBonus(text, query) {
  const [whole, wanted] = [text.toLowerCase(), query.trim().toLowerCase()];
  return whole === wanted ? 2 * PAGE_BONUS : whole.startsWith(wanted) ? 1 : 0;
}

/** Loaded once, with the first search. Rejects if the node does not answer; the next search then tries again. */
let loading;
function loadPages() {
  loading ??= fetch("/docs/search.json")
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(`HTTP ${answer.status}`))))
    .catch((error) => {
      loading = undefined;
      throw error;
    });
  return loading;
}

function openSearch(box) {
  const input = box.querySelector("input");
  const results = box.querySelector("#docs-results");
  const close = () => (results.hidden = true);
  const links = () => [...results.querySelectorAll("a")];
  input.addEventListener("input", () => void show(input, results));
  input.addEventListener("focus", () => void show(input, results));
  document.addEventListener("click", ({ target }) => box.contains(target) || close());
  box.addEventListener("focusout", ({ relatedTarget }) => relatedTarget === null || box.contains(relatedTarget) || close());
  box.addEventListener("keydown", (event) => {
    const [all, at] = [links(), links().indexOf(document.activeElement)];
    if (event.key === "Escape") {
      close();
      input.focus();
      close();
    } else if (event.key === "ArrowDown") all[Math.min(at + 1, all.length - 1)]?.focus();
    else if (event.key === "ArrowUp") (all[at - 1] ?? input).focus();
    else if (event.key === "Enter" && at === -1 && !results.hidden) all[0]?.click();
    else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input, textarea, select") !== null;
    if (event.key !== "/" || isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    input.focus();
  });
  box.hidden = false;
}

/** Never rejects. */
async function show(input, results) {
  const [status, list] = [results.querySelector("p"), results.querySelector("ol")];
  const query = input.value;
  results.hidden = query.trim() === "";
  if (results.hidden) return;
  try {
    const found = search(await loadPages(), query);
    // The query may have changed while the index was loading.
    if (input.value !== query) return;
    list.replaceChildren(...found.map(resultOf));
    status.textContent = found.length === 0 ? "No results. Try another word." : "";
  } catch {
    list.replaceChildren();
    status.textContent = "The search index could not be loaded. Try again.";
  }
}

function resultOf({ path, title, context }) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = path;
  link.textContent = title;
  if (context !== "") {
    const small = document.createElement("small");
    small.textContent = context;
    link.append(small);
  }
  item.append(link);
  return item;
}

if (globalThis.document !== undefined) {
  for (const box of document.querySelectorAll(".docs-search")) openSearch(box);
}
