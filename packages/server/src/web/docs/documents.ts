/** The documents of the repository as pages. Each is rendered when it is first asked for, and kept. */
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { ASSET_FOLDERS } from "../assets.ts";
import { escaped, htmlFile } from "../html.ts";
import type { WebFile } from "../port.ts";
import { type Heading, renderMarkdown } from "./markdown.ts";
import { type DocumentFile, pathOf, readTree, type Section, type Tree } from "./tree.ts";

export class Documents {
  readonly #folder: string;
  readonly #kept = new Map<string, WebFile>();
  #tree: Tree | undefined;

  constructor(folder: string = ASSET_FOLDERS.docs) {
    this.#folder = folder;
  }

  get sections(): readonly Section[] {
    return this.#read().sections;
  }

  /** `path` is `/docs` or below it: the page, or one that says that there is none. */
  find(path: string): WebFile {
    const bare = path.endsWith("/") ? path.slice(0, -1) : path;
    const kept = this.#kept.get(bare);
    if (kept !== undefined) return kept;
    const made = this.#make(bare);
    // Of what is not there nothing is kept: anybody may ask for anything.
    if (made !== undefined) this.#kept.set(bare, made);
    return made ?? NOTHING_THERE;
  }

  #make(path: string): WebFile | undefined {
    const { index, sections, files } = this.#read();
    if (path === "/docs") return landingPage(sections, index && this.#render(index).html);
    const section = sections.find((one) => one.path === path && one.name !== "");
    if (section !== undefined) return this.#sectionPage(section);
    const document = sections.flatMap((one) => one.documents).find((one) => one.path === path);
    if (document !== undefined) return this.#documentPage(document);
    const file = path.slice("/docs/".length);
    return files.has(file) ? textFile(join(this.#folder, file)) : undefined;
  }

  #read(): Tree {
    this.#tree ??= readTree(this.#folder);
    return this.#tree;
  }

  #documentPage(document: DocumentFile): WebFile {
    const { html, headings } = this.#render(document);
    const { sections } = this.#read();
    return docsPage(document.title, `<article>${html}</article>${contents(headings)}`, sections, document.path);
  }

  #sectionPage({ title, what, path, index, documents }: Section): WebFile {
    const intro = index === undefined ? `<h1>${escaped(title)}</h1><p>${escaped(what)}</p>` : this.#render(index).html;
    return docsPage(title, `<article>${intro}${listOf(documents)}</article>`, this.#read().sections, path);
  }

  #render({ file, text }: DocumentFile): ReturnType<typeof renderMarkdown> {
    const { sections, files, index } = this.#read();
    const pages = new Set(sections.flatMap((one) => [one.path, ...one.documents.map(({ path }) => path)]));
    if (index !== undefined) pages.add(index.path);
    return renderMarkdown(text, (target) => {
      if (/^(?:https?:|mailto:|#)/.test(target)) return target;
      // What a node serves: an address of its own.
      if (target.startsWith("/")) return target;
      const [name = "", ...rest] = target.split("#");
      const anchor = rest.length === 0 ? "" : `#${rest.join("#")}`;
      const to = posix.join(posix.dirname(file), name).replace(/\/$/, "");
      const path = to.endsWith(".md") ? pathOf(to) : to === "." ? "/docs" : `/docs/${to}`;
      return pages.has(path) || path === "/docs" || files.has(to) ? path + anchor : null;
    });
  }
}

function textFile(path: string): WebFile {
  return { status: 200, contentType: "text/plain;charset=UTF-8", headers: [], bytes: readFileSync(path) };
}

function docsPage(title: string, body: string, sections: readonly Section[], here: string): WebFile {
  return htmlFile({
    title: `${title} · Pricetime`,
    description: title,
    here: "/docs",
    body: `<div class="docs">${sideBar(sections, here)}<main id="content">${body}</main></div>`,
  });
}

const NOTHING_THERE = htmlFile({
  status: 404,
  title: "No such page · Pricetime",
  description: "No such page",
  here: "/docs",
  body:
    '<main id="content" class="plain"><h1>There is no such page</h1>' +
    '<p>Perhaps it was moved. <a href="/docs">All documents</a> are listed, and so is <a href="/docs/api">the API</a>.</p></main>',
});

function landingPage(sections: readonly Section[], intro: string | undefined): WebFile {
  const cards = sections.map(({ name, title, what, path, documents }) => {
    const heading = name === "" ? escaped(title) : `<a href="${path}">${escaped(title)}</a>`;
    const purpose = what === "" ? "" : `<p>${escaped(what)}</p>`;
    return `<section class="card"><h2>${heading}</h2>${purpose}${listOf(documents)}</section>`;
  });
  const reference =
    '<section class="card"><h2><a href="/docs/api">API reference</a></h2><p>Every endpoint with its parameters, ' +
    "limits and errors. Requests are signed and sent from the page. " +
    'The same as a document for programs: <a href="/openapi.json">openapi.json</a>.</p></section>';
  return htmlFile({
    title: "Documents · Pricetime",
    description: "Guides, concepts and the reference of this exchange.",
    here: "/docs",
    body:
      `<main id="content" class="plain">${intro ?? "<h1>Documents</h1><p>All that is written about this exchange, served by itself.</p>"}` +
      `${reference}<div class="cards">${cards.join("")}</div></main>`,
  });
}

function listOf(documents: readonly DocumentFile[]): string {
  const items = documents.map(({ path, title }) => `<li><a href="${path}">${escaped(title)}</a></li>`);
  return items.length === 0 ? "" : `<ul class="pages">${items.join("")}</ul>`;
}

/** The folder tree; the section that is being read is open. */
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
    '<nav class="side" aria-label="Documents"><a href="/docs">All documents</a><a href="/docs/api">API reference</a>' +
    `${lists.join("")}</nav>`
  );
}

const FEWEST_HEADINGS = 3;

function contents(headings: readonly Heading[]): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < FEWEST_HEADINGS) return "";
  const items = shown.map(({ level, id, text }) => `<li class="level-${level}"><a href="#${id}">${text}</a></li>`);
  return `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${items.join("")}</ul></nav>`;
}
