/** The documents of the repository as pages. */
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { webFile } from "../file.ts";
import { escaped, htmlFile } from "../html.ts";
import type { WebFile } from "../port.ts";
import { type Heading, renderMarkdown } from "./markdown.ts";
import { type DocumentFile, pathOf, type Section, type Tree } from "./tree.ts";

/** Returns every page by its address, from `/docs` down. `folder` is where `tree` was read. Throws disk errors. */
export function renderDocuments(folder: string, tree: Tree): Map<string, WebFile> {
  const { index, sections, files } = tree;
  const pages = new Map<string, WebFile>();
  pages.set("/docs", landingPage(sections, index && render(index, tree).html));
  for (const section of sections) {
    if (section.name !== "") pages.set(section.path, sectionPage(section, tree));
    for (const document of section.documents) pages.set(document.path, documentPage(document, tree));
  }
  const contentType = "text/plain;charset=UTF-8";
  for (const file of files) pages.set(`/docs/${file}`, webFile(readFileSync(join(folder, file)), { contentType }));
  return pages;
}

function documentPage(document: DocumentFile, tree: Tree): WebFile {
  const { html, headings } = render(document, tree);
  return docsPage(document.title, `<article>${html}</article>${contents(headings)}`, tree.sections, document.path);
}

function sectionPage({ title, what, path, index, documents }: Section, tree: Tree): WebFile {
  const plain = `<h1>${escaped(title)}</h1><p>${escaped(what)}</p>`;
  const intro = index === undefined ? plain : render(index, tree).html;
  return docsPage(title, `<article>${intro}${listOf(documents)}</article>`, tree.sections, path);
}

function render({ file, text }: DocumentFile, tree: Tree): ReturnType<typeof renderMarkdown> {
  return renderMarkdown(text, (target) => leadsTo(target, file, tree));
}

/** Resolves a link of `file`: to another page, to a file that is served, or to nothing (null). */
function leadsTo(target: string, file: string, { sections, files }: Tree): string | null {
  // Links to other sites, within the page, and to addresses that a node serves.
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
    body: `<div class="docs">${sideBar(sections, here)}<main id="content">${body}</main></div>`,
  });
}

/** The page for addresses below `/docs` without a document. */
export const NO_SUCH_DOCUMENT = htmlFile({
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

/** The folder tree, with the current section open. */
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
