/** Renders the repository's documents as pages, with a search index. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { webFile, type WebFile } from "./file.ts";
import { escaped, htmlFile } from "./html.ts";
import { type Heading, renderMarkdown } from "./markdown.ts";

interface DocumentFile {
  /** The document's path in the documentation folder, with forward slashes: `guides/first-bot.md`. */
  readonly file: string;
  /** The URL path: `/docs/guides/first-bot`. */
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

interface Section {
  /** The name of the folder, such as `guides`; "" for documents outside folders. */
  readonly name: string;
  readonly title: string;
  readonly what: string;
  readonly path: string;
  /** The folder's README.md or index.md. */
  readonly index: DocumentFile | undefined;
  readonly documents: readonly DocumentFile[];
}

interface Tree {
  readonly index: DocumentFile | undefined;
  readonly sections: readonly Section[];
  readonly readers: readonly Reader[];
  /** Other files, such as sample settings, by their path in the documentation folder. */
  readonly files: ReadonlySet<string>;
}

/** Folders in the order in which the pages list them. Folders that are not in the list follow by name. */
const KNOWN: readonly (readonly [name: string, title: string, what: string])[] = [
  ["guides", "Guides", "Step-by-step instructions."],
  ["concepts", "Concepts", "How orders, streams, candles and the wallet work."],
  ["interface", "Interface", "The contract with clients, in numbered sections."],
  ["operate", "Operations", "Settings, commands, metrics, failures and networks, for operators."],
  ["internals", "Internals", "How the exchange works inside, and what it costs."],
  ["decisions", "Decisions", "Why the exchange is built as it is."],
];

export interface Reader {
  readonly title: string;
  readonly what: string;
  /** The documents of the section in reading order. */
  readonly documents: readonly DocumentFile[];
}

/**
 * The guides in reading order for each kind of reader. A guide may be in several lists; `site.test.ts` reports guides
 * that are in none.
 */
export const READERS: readonly (readonly [title: string, what: string, files: readonly string[]])[] = [
  [
    "Bot developers",
    "Write a first bot, test it, run it.",
    [
      ...["guides/first-bot-javascript", "guides/first-bot-python", "guides/other-clients", "concepts/order-types"],
      ...["concepts/rest", "concepts/streams", "concepts/user-streams", "concepts/websocket-api"],
      ...["guides/testing-a-bot", "guides/lab-in-tests", "guides/lab-in-ci", "guides/lab-faults"],
      ...["guides/exchange-info-for-clients", "guides/differences-from-binance-today", "guides/todays-interface"],
      "interface/README",
    ],
  ],
  ["Traders", "Trade and manage an account in the browser.", ["guides/terminal", "guides/accounts", "concepts/wallet"]],
  [
    "Operators",
    "Run an exchange for customers.",
    [
      ...["guides/running-a-venue", "guides/console", "operate/accounts", "operate/operators", "operate/wallet"],
      ...["guides/backup-and-restore", "guides/upgrade", "guides/proof-of-liabilities", "operate/cluster"],
      ...["operate/settings", "operate/command-line", "operate/metrics", "operate/faults", "operate/damage"],
    ],
  ],
  [
    "Researchers",
    "Simulate markets and study their data.",
    [
      ...["guides/lab", "guides/lab-markets", "guides/lab-agents", "guides/lab-replay", "guides/lab-scenarios"],
      ...["guides/lab-determinism", "guides/export", "concepts/demo-market", "concepts/market-figures"],
    ],
  ],
  [
    "Contributors",
    "Change the code.",
    [
      ...[
        "internals/finding-code",
        "internals/request-paths",
        "internals/checkpoint-state",
        "internals/adding-a-field",
      ],
      ...["internals/simulator", "internals/costs", "dependencies", "glossary"],
    ],
  ],
];
const INDEX = /^(?:README|index)\.md$/i;
const TEXT_FILES = /\.(?:ya?ml|json|txt|conf|toml)$/;

/** Reads the whole folder. A missing folder, as in a minimal image, counts as empty. Throws disk errors. */
export function readTree(folder: string): Tree {
  if (!existsSync(folder)) return { index: undefined, sections: [], readers: [], files: new Set() };
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
  const documents = names
    .filter((name) => name.endsWith(".md"))
    .map((file) => readDocument(folder, file))
    .toSorted(inOrder);
  const folders = [...new Set(documents.map(({ file }) => folderOf(file)))].toSorted();
  const order = [...KNOWN.map(([name]) => name), ...folders.filter((name) => name !== "" && !isKnown(name)), ""];
  return {
    index: documents.find(({ file }) => INDEX.test(file)),
    sections: order.filter((name) => folders.includes(name)).map((name) => sectionOf(name, documents)),
    readers: readersOf(documents),
    files: new Set(names.filter((name) => TEXT_FILES.test(name))),
  };
}

/**
 * Guides are in the order of `READERS`. Other documents are sorted by title, with numbers compared by value: 4 before
 * 4.1, and 9 before 10.
 */
const READING_ORDER = READERS.flatMap(([, , files]) => files.map((file) => `${file}.md`));
const BY_TITLE = new Intl.Collator("en", { numeric: true });

function inOrder(a: DocumentFile, b: DocumentFile): number {
  const place = ({ file }: DocumentFile): number => {
    const at = isGuide(file) ? READING_ORDER.indexOf(file) : -1;
    return at === -1 ? READING_ORDER.length : at;
  };
  return place(a) - place(b) || BY_TITLE.compare(a.title, b.title);
}

/** Omits missing documents, as in a minimal image, and readers without documents. */
function readersOf(documents: readonly DocumentFile[]): readonly Reader[] {
  return READERS.map(([title, what, files]) => ({
    ...{ title, what },
    documents: files.flatMap((name) => documents.find(({ file }) => file === `${name}.md`) ?? []),
  })).filter((reader) => reader.documents.length > 0);
}

const isGuide = (file: string): boolean => file.startsWith("guides/");
const isKnown = (name: string): boolean => KNOWN.some(([known]) => known === name);
const folderOf = (file: string): string => (file.includes("/") ? file.slice(0, file.indexOf("/")) : "");
const isIndex = (file: string): boolean => INDEX.test(file.slice(file.lastIndexOf("/") + 1));

function sectionOf(name: string, documents: readonly DocumentFile[]): Section {
  const [, title, what] = KNOWN.find(([known]) => known === name) ?? ["", titleOf(name), ""];
  const own = documents.filter(({ file }) => folderOf(file) === name);
  return {
    name,
    title,
    what,
    path: `/docs/${name}`,
    index: own.find(({ file }) => isIndex(file)),
    documents: own.filter(({ file }) => !isIndex(file)),
  };
}

function titleOf(name: string): string {
  return name === "" ? "More" : name.charAt(0).toUpperCase() + name.slice(1);
}

function readDocument(folder: string, file: string): DocumentFile {
  const text = readFileSync(join(folder, file), "utf8");
  const title = /^# +(.+?) *#*$/m.exec(text)?.[1]?.replaceAll(/[`*]/g, "") ?? file;
  return { file, path: pathOf(file), title, text };
}

/** Converts `guides/first-bot.md` to `/docs/guides/first-bot`, and `guides/README.md` to `/docs/guides`. */
function pathOf(file: string): string {
  const bare = isIndex(file) ? file.slice(0, Math.max(0, file.lastIndexOf("/"))) : file.slice(0, -".md".length);
  return bare === "" ? "/docs" : `/docs/${bare}`;
}

/**
 * All pages by path: `/docs` and the pages below it. `folder` is the folder from which `tree` was read. Throws disk
 * errors.
 */
export function renderDocuments(folder: string, tree: Tree): Map<string, WebFile> {
  const { index, sections, files } = tree;
  const pages = new Map<string, WebFile>();
  const searched: SearchedPage[] = [{ path: "/docs/api", title: "API reference", section: "", headings: [] }];
  const search = (section: string, title: string, path: string, headings: readonly Heading[] = []): void =>
    void searched.push({
      path,
      title,
      section,
      headings: headings.filter(isListed).map(({ id, text }) => [id, plain(text)]),
    });
  pages.set("/docs", landingPage(tree, index && render(index, tree).html));
  for (const section of sections) {
    if (section.name !== "") {
      const intro = section.index && render(section.index, tree);
      pages.set(section.path, sectionPage(section, intro?.html, tree));
      search("", section.title, section.path, intro?.headings);
    }
    for (const document of section.documents) {
      const { html, headings } = render(document, tree);
      pages.set(
        document.path,
        docsPage(document.title, `<article>${html}</article>${contents(headings)}`, sections, document.path),
      );
      search(section.title, document.title, document.path, headings);
    }
  }
  const json = Buffer.from(JSON.stringify(searched));
  pages.set(SEARCH_INDEX, webFile(json, { contentType: "application/json;charset=UTF-8" }));
  const contentType = "text/plain;charset=UTF-8";
  for (const file of files) pages.set(`/docs/${file}`, webFile(readFileSync(join(folder, file)), { contentType }));
  return pages;
}

/**
 * The scripts of the pages and the search box. The box is hidden until its script makes it visible, because search
 * needs JavaScript.
 */
const TOOLS = {
  scripts: ["/assets/docs-search.js", "/assets/docs-tabs.js"],
  tools:
    '<div class="docs-search" role="search" hidden><input type="search" placeholder="Search (/)" ' +
    'aria-label="Search the documentation" aria-controls="docs-results" autocomplete="off" spellcheck="false">' +
    '<div id="docs-results" hidden><p role="status"></p><ol></ol></div></div>',
} as const;

/** The path from which `docs-search.js` loads the index. */
const SEARCH_INDEX = "/docs/search.json";

/** A page in the search index. */
interface SearchedPage {
  readonly path: string;
  readonly title: string;
  /** The title of the page's section; "" if the page is a section itself. */
  readonly section: string;
  readonly headings: readonly (readonly [id: string, text: string])[];
}

/** Whether tables of contents and the search include a heading: level 2 or 3, but neither page titles nor details. */
const isListed = ({ level }: Heading): boolean => level === 2 || level === 3;

/** Undoes HTML escaping, because the search shows plain text. */
function plain(html: string): string {
  const signs: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
  return html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => signs[name] ?? "");
}

function sectionPage({ title, what, path, documents }: Section, intro: string | undefined, tree: Tree): WebFile {
  const start = intro ?? `<h1>${escaped(title)}</h1><p>${escaped(what)}</p>`;
  return docsPage(title, `<article>${start}${listOf(documents)}</article>`, tree.sections, path);
}

function render({ file, text }: DocumentFile, tree: Tree): ReturnType<typeof renderMarkdown> {
  return renderMarkdown(text, (target) => leadsTo(target, file, tree));
}

/** Resolves a link in `file`: to the URL of a page or a served file; null if the target does not exist. */
function leadsTo(target: string, file: string, { sections, files }: Tree): string | null {
  // Links to other sites, within the page, and to paths that a node serves remain unchanged.
  if (/^(?:https?:|mailto:|#|\/)/.test(target)) return target;
  const [name = "", ...rest] = target.split("#");
  const anchor = rest.length === 0 ? "" : `#${rest.join("#")}`;
  const to = posix.join(posix.dirname(file), name).replace(/\/$/, "");
  const path = to.endsWith(".md") ? pathOf(to) : to === "." ? "/docs" : `/docs/${to}`;
  const isPage = path === "/docs" || sections.some((one) => one.name !== "" && one.path === path);
  const isThere = isPage || sections.some(({ documents }) => documents.some((one) => one.path === path));
  return isThere || files.has(to) ? path + anchor : null;
}

function docsPage(title: string, body: string, sections: readonly Section[], here: string): WebFile {
  return htmlFile({
    title: `${title} · Pricetime`,
    description: title,
    here: "/docs",
    ...TOOLS,
    body: `<div class="docs">${sideBar(sections, here)}<main id="content">${body}</main></div>`,
  });
}

/** The page at paths below `/docs` that have no document. */
export const NO_SUCH_DOCUMENT = htmlFile({
  status: 404,
  title: "Page not found · Pricetime",
  description: "Page not found",
  here: "/docs",
  ...TOOLS,
  body:
    '<main id="content" class="plain"><h1>Page not found</h1>' +
    '<p>The page may have moved. See <a href="/docs">all documentation</a> or the <a href="/docs/api">API reference</a>.</p></main>',
});

function landingPage({ readers, sections }: Tree, intro: string | undefined): WebFile {
  const starts = readers.map(({ title, what, documents }) => {
    const items = documents.map(({ path, title: name }) => `<li><a href="${path}">${escaped(name)}</a></li>`);
    return `<section class="card"><h3>${title}</h3><p>${what}</p><ol class="pages">${items.join("")}</ol></section>`;
  });
  const start = starts.length === 0 ? "" : `<h2>Where to start</h2><div class="cards">${starts.join("")}</div>`;
  const cards = sections.map(({ name, title, what, path, documents }) => {
    const heading = name === "" ? escaped(title) : `<a href="${path}">${escaped(title)}</a>`;
    const purpose = what === "" ? "" : `<p>${escaped(what)}</p>`;
    return `<section class="card"><h3>${heading}</h3>${purpose}${listOf(documents)}</section>`;
  });
  const reference =
    '<section class="card"><h3><a href="/docs/api">API reference</a></h3><p>Every endpoint with its parameters, ' +
    "limits and errors. Sign and send requests from the page. " +
    'Programs can read the same in <a href="/openapi.json">openapi.json</a>.</p></section>';
  return htmlFile({
    title: "Documentation · Pricetime",
    description: "Guides, concepts and the reference of this exchange.",
    here: "/docs",
    ...TOOLS,
    body:
      `<main id="content" class="plain">${intro ?? "<h1>Documentation</h1><p>Guides, concepts and the reference of this exchange.</p>"}` +
      `${start}<h2>All pages</h2><div class="cards">${reference}${cards.join("")}</div></main>`,
  });
}

function listOf(documents: readonly DocumentFile[]): string {
  const items = documents.map(({ path, title }) => `<li><a href="${path}">${escaped(title)}</a></li>`);
  return items.length === 0 ? "" : `<ul class="pages">${items.join("")}</ul>`;
}

/** The folder tree with the current section expanded. */
function sideBar(sections: readonly Section[], here: string): string {
  const lists = sections.map((section) => {
    const isOpen = section.path === here || section.documents.some(({ path }) => path === here);
    const items = section.documents.map(
      ({ path, title }) =>
        `<li><a href="${path}"${path === here ? ' aria-current="page"' : ""}>${escaped(title)}</a></li>`,
    );
    return `<details${isOpen ? " open" : ""}><summary>${escaped(section.title)}</summary><ul>${items.join("")}</ul></details>`;
  });
  return (
    '<nav class="side" aria-label="Documentation"><a href="/docs">All documentation</a><a href="/docs/api">API reference</a>' +
    `${lists.join("")}</nav>`
  );
}

const FEWEST_HEADINGS = 3;

function contents(headings: readonly Heading[]): string {
  const shown = headings.filter(isListed);
  if (shown.length < FEWEST_HEADINGS) return "";
  const items = shown.map(({ level, id, text }) => `<li class="level-${level}"><a href="#${id}">${text}</a></li>`);
  return `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${items.join("")}</ul></nav>`;
}
