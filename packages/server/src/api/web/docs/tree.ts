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
  readonly readers: readonly Reader[];
  /** Other files, such as settings, by path from the folder of documents. */
  readonly files: ReadonlySet<string>;
}

/** The folders in the order in which the pages list them; other folders follow by name. */
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
  /** In the order in which the reader needs them. */
  readonly documents: readonly DocumentFile[];
}

/** The reading order for each kind of reader. A guide may be in several; `site.test.ts` finds guides that are in none. */
export const READERS: readonly (readonly [title: string, what: string, files: readonly string[]])[] = [
  [
    "Bot developers",
    "Write a first bot, test it, run it.",
    [
      ...["guides/first-bot-javascript", "guides/first-bot-python", "guides/other-clients", "concepts/order-types"],
      ...["concepts/rest", "concepts/streams", "concepts/user-streams", "concepts/websocket-api"],
      ...["guides/testing-a-bot", "guides/lab-in-tests", "guides/lab-in-ci", "guides/lab-faults"],
      ...["guides/exchange-info-for-clients", "guides/differences-from-binance-today", "interface/README"],
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

/** Reads the whole folder; a missing one, as in a minimal image, counts as empty. Throws errors of the disk. */
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

/** Guides stand in the order of `READERS`; other documents by title, with numbers by value: 4 before 4.1, and 9 before 10. */
const READING_ORDER = READERS.flatMap(([, , files]) => files.map((file) => `${file}.md`));
const BY_TITLE = new Intl.Collator("en", { numeric: true });

function inOrder(a: DocumentFile, b: DocumentFile): number {
  const place = ({ file }: DocumentFile): number => {
    const at = isGuide(file) ? READING_ORDER.indexOf(file) : -1;
    return at === -1 ? READING_ORDER.length : at;
  };
  return place(a) - place(b) || BY_TITLE.compare(a.title, b.title);
}

/** Documents that are missing, as in a minimal image, are left out, and so are readers without any. */
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
export function pathOf(file: string): string {
  const bare = isIndex(file) ? file.slice(0, Math.max(0, file.lastIndexOf("/"))) : file.slice(0, -".md".length);
  return bare === "" ? "/docs" : `/docs/${bare}`;
}
