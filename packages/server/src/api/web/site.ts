/** The pages of the REST port: the terminal, the customers' pages, the start page, documents, the reference, and the files that these load. */
import { isAsset } from "./assets.ts";
import { ACCOUNT_FILES, TERMINAL_FILES } from "./built-page.ts";
import { NO_SUCH_DOCUMENT } from "./docs/documents.ts";
import { webFile } from "./file.ts";
import { htmlFile, START_PATH } from "./html.ts";
import type { Visitor, Web, WebFile } from "./port.ts";
import { referencePage } from "./reference-page.ts";
import type { Shelf, Shelved } from "./shelf.ts";
import { type SiteFacts, startPage } from "./start-page.ts";

export interface SiteOptions {
  readonly shelf: Shelf;
  /** Returns the node's present facts, as far as this visitor may see them. */
  readonly facts: (visitor: Pick<Visitor, "isOnOwnMachine">) => SiteFacts;
}

const DOCS = "/docs";
const REFERENCE = "/docs/api";
const TERMINAL_FACTS = "/terminal.json";
const ACCOUNT = "/account";
/** The files of the page are named beside it. What it says of the address is relative: a proxy may have put a path before it. */
const TO_ACCOUNT = htmlFile({
  status: 308,
  title: "Account · Pricetime",
  description: "Your account",
  headers: ["Location", "account/"],
  body: '<main id="content" class="plain"><h1><a href="/account/">Your account</a></h1></main>',
});

export class Site implements Web {
  readonly #shelf: Shelf;
  readonly #facts: SiteOptions["facts"];
  /** Pages that show facts of the node, with these facts: made anew when they change. */
  readonly #made = new Map<string, { readonly of: string; readonly file: WebFile }>();

  constructor({ shelf, facts }: SiteOptions) {
    this.#shelf = shelf;
    this.#facts = facts;
  }

  get version(): string {
    return this.#facts({ isOnOwnMachine: false }).version;
  }

  find(path: string, visitor: Visitor): WebFile | Promise<WebFile> | undefined {
    const bare = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
    if (path === "/") return this.#root(visitor);
    if (bare === START_PATH) return this.#shelf.with((pages) => this.#start(pages, visitor));
    if (path === ACCOUNT) return TO_ACCOUNT;
    if (path === `${ACCOUNT}/`) return this.#shelf.with(({ account }) => account ?? NO_SUCH_DOCUMENT);
    if (path === TERMINAL_FACTS) return terminalFacts(this.#facts(visitor));
    if (bare === REFERENCE)
      return this.#shelf.with(({ prose }) => this.#of(REFERENCE, visitor, (facts) => referencePage(facts, prose)));
    const isBuilt = path.startsWith(TERMINAL_FILES) || path.startsWith(ACCOUNT_FILES);
    const isShelved = bare === DOCS || bare.startsWith(`${DOCS}/`) || isBuilt || isAsset(path);
    return isShelved ? this.#shelf.with(({ files }) => files.get(bare) ?? NO_SUCH_DOCUMENT) : undefined;
  }

  /** Browsers get the terminal; people with curl read the start page, as do browsers where no terminal was built. */
  #root(visitor: Visitor): WebFile | Promise<WebFile> | undefined {
    const { accept } = visitor;
    if (!wantsPage(accept)) return undefined;
    return this.#shelf.with((pages) =>
      pages.terminal !== null && isBrowser(accept) ? pages.terminal : this.#start(pages, visitor),
    );
  }

  #start({ guides, terminal }: Shelved, visitor: Visitor): WebFile {
    const isTerminalBuilt = terminal !== null;
    return this.#of(START_PATH, visitor, (facts) => startPage(facts, { guides, isTerminalBuilt }));
  }

  #of(path: string, { isOnOwnMachine }: Visitor, make: (facts: SiteFacts) => WebFile): WebFile {
    const facts = this.#facts({ isOnOwnMachine });
    const of = JSON.stringify(facts);
    const place = `${isOnOwnMachine ? "own" : "other"} ${path}`;
    let made = this.#made.get(place);
    if (made?.of !== of) {
      made = { of, file: make(facts) };
      this.#made.set(place, made);
    }
    return made.file;
  }
}

/** What the terminal asks of its node before all else. Nobody keeps it: it may hold a demo's keys and a lab's token. */
function terminalFacts({ version, isDemo, demoAccounts, ratesLimited, labToken }: SiteFacts): WebFile {
  const accounts = (demoAccounts ?? []).map(({ name, email, password, apiKey, secretKey }) => {
    return { name, email, password, apiKey, secretKey };
  });
  const lab = labToken === null ? {} : { lab: { token: labToken } };
  const told = { version, demo: isDemo, accounts, ratesLimited, ...lab };
  return webFile(Buffer.from(JSON.stringify(told)), {
    contentType: "application/json;charset=UTF-8",
    keeping: "not at all",
  });
}

/**
 * At `/` browsers and people with curl get the page. A client that asks for JSON, or does not say what it accepts, is a
 * program of the API, and gets the answer for every address outside the API.
 */
function wantsPage(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  return isBrowser(accept) || (accept.includes("*/*") && !accept.includes("json"));
}

function isBrowser(accept = ""): boolean {
  return accept.includes("text/html");
}
