/** Lists the documents: the folder `docs` of the repository. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface DocumentFile {
  /** The path from the folder of documents, with forward slashes: `guides/first-bot.md`. */
  readonly file: string;
  /** The address: `/docs/guides/first-bot`. */
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

export interface Section {
  /** The name of the folder, such as `guides`; "" for documents outside folders. */
  readonly name: string;
  readonly title: string;
  readonly what: string;
  readonly path: string;
  /** The folder's README.md or index.md. */
  readonly index: DocumentFile | undefined;
  readonly documents: readonly DocumentFile[];
}

export interface Tree {
  readonly index: DocumentFile | undefined;
  readonly sections: readonly Section[];
  /** Other files, such as settings, by path from the folder of documents. */
  readonly files: ReadonlySet<string>;
}

/** Folders in the order in which they are shown; others follow by name. */
const KNOWN: readonly (readonly [name: string, title: string, what: string])[] = [
  ["guides", "Guides", "Step by step: a first bot, testing it, running a venue."],
  ["interface", "Interface", "The contract with clients, section by section."],
  ["concepts", "Concepts", "Orders, streams, the wallet: what each does."],
  ["operate", "Operating", "For those who run a node: settings, faults, networks."],
  ["internals", "Internals", "How it works inside, and what it costs."],
  ["decisions", "Decisions", "Why it is as it is."],
];
const INDEX = /^(?:README|index)\.md$/i;
const TEXT_FILES = /\.(?:ya?ml|json|txt|conf|toml)$/;

/** Reads the whole folder; a missing one, as in a minimal image, counts as empty. Throws errors of the disk. */
export function readTree(folder: string): Tree {
  if (!existsSync(folder)) return { index: undefined, sections: [], files: new Set() };
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
    files: new Set(names.filter((name) => TEXT_FILES.test(name))),
  };
}

/** First bots come before all; the others are sorted by title, with numbers by value: 4 before 4.1, and 9 before 10. */
const FIRST = ["guides/first-bot-javascript.md", "guides/first-bot-python.md", "guides/other-clients.md"];
const BY_TITLE = new Intl.Collator("en", { numeric: true });

function inOrder(a: DocumentFile, b: DocumentFile): number {
  const place = ({ file }: DocumentFile): number => (FIRST.includes(file) ? FIRST.indexOf(file) : FIRST.length);
  return place(a) - place(b) || BY_TITLE.compare(a.title, b.title);
}

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
export function pathOf(file: string): string {
  const bare = isIndex(file) ? file.slice(0, Math.max(0, file.lastIndexOf("/"))) : file.slice(0, -".md".length);
  return bare === "" ? "/docs" : `/docs/${bare}`;
}
