/** The websites of a node's REST port and admin port. */
import type { VenueInterfaceName } from "@pricetime/protocol";
import { ACCOUNT_FILES, CONSOLE_FILES, isAsset, TERMINAL_FILES } from "./assets.ts";
import { BRANDING_FILES, type Branding } from "./branding.ts";
import { escaped, htmlFile, type PageParts, START_PATH } from "./html.ts";
import { type Visitor, type Web, type WebFile, webFile } from "./file.ts";
import { PageStore, type RenderedPages } from "./page-store.ts";
import { NO_SUCH_DOCUMENT } from "./documents.ts";
import { MAX_SYMBOLS_SHOWN, type PublicAccount, referencePage, type SiteFacts, startPage } from "./pages.ts";

// The admin port: the console if it has been built, the API reference, and their files.

const ADMIN_REFERENCE = "/docs";

export class AdminSite implements Web {
  readonly version: string;
  readonly #shelf: PageStore;
  /** The API reference in two versions: with and without a link to the console. */
  readonly #besideConsole: WebFile;
  readonly #alone: WebFile;

  constructor(version: string, shelf: PageStore) {
    this.version = version;
    this.#shelf = shelf;
    this.#besideConsole = adminReferencePage(version, [["Console", "/"], LINK]);
    this.#alone = adminReferencePage(version, [LINK]);
  }

  find(path: string, { accept = "" }: Visitor): WebFile | Promise<WebFile> | undefined {
    if (path === ADMIN_REFERENCE || path === `${ADMIN_REFERENCE}/`)
      return this.#shelf.with((pages) => this.#reference(pages));
    if (path.startsWith(BRANDING_FILES)) return this.#shelf.branding.files.get(path) ?? NO_SUCH_FILE;
    if (path.startsWith(CONSOLE_FILES))
      return this.#shelf.with((pages) => pages.console?.files.get(path) ?? NO_SUCH_FILE);
    if (isAsset(path)) return this.#shelf.with((pages) => pages.files.get(path) ?? this.#reference(pages));
    // Browsers get the console. Other programs get the API's response, which requires the token.
    const isPage = path === "/" && accept.includes("text/html");
    return isPage ? this.#shelf.with((pages) => pages.console?.page ?? this.#reference(pages)) : undefined;
  }

  #reference({ console }: RenderedPages): WebFile {
    return console === null ? this.#alone : this.#besideConsole;
  }
}

const LINK = ["Admin API", ADMIN_REFERENCE] as const;

const NO_SUCH_FILE = htmlFile({
  status: 404,
  title: "File not found · Pricetime",
  description: "File not found",
  links: [LINK],
  body: '<main id="content" class="plain"><h1>File not found</h1></main>',
});

function adminReferencePage(version: string, links: NonNullable<PageParts["links"]>): WebFile {
  return htmlFile({
    title: "Admin API · Pricetime",
    description: "The API for operators of this node.",
    links,
    here: ADMIN_REFERENCE,
    styles: ["/assets/swagger-ui.css", "/assets/reference.css"],
    libraries: ["/assets/swagger-ui-bundle.js"],
    scripts: ["/assets/admin-reference.js"],
    hasInlineStyles: true,
    headers: ["Cross-Origin-Opener-Policy", "same-origin"],
    body: `<main id="content" class="reference">
<h1>Admin API <span class="tag">${escaped(version)}</span></h1>
<p>Generated from <a href="/openapi.json">openapi.json</a>, which the node generates from its routes. The command
<code>npx pricetime</code> offers the same from a shell.</p>
<section class="card try" aria-labelledby="try-heading"><h2 id="try-heading">Try it</h2>
<p>Paste the admin token from <code>admin.json</code> in the data folder. The page does not store the token and sends it only
to this node. Requests that you execute here take effect on this node.</p>
<form id="keys" autocomplete="off">
<label>Admin token <input id="token" type="password" autocomplete="off" spellcheck="false"></label>
<label>Name of the operator, recorded in the journal <input id="actor" spellcheck="false" placeholder="admin"></label>
</form></section>
<noscript><p class="note">The list of routes needs JavaScript. It is also in <a href="/openapi.json">openapi.json</a>.</p></noscript>
<div id="reference" data-document="/openapi.json"></div>
</main>`,
  });
}

// The REST port: the terminal, the account pages, the start page, documents, the API reference, and their files.

export interface SiteOptions {
  readonly shelf: PageStore;
  /** The node's current facts. Some are returned only if the visitor may see them. */
  readonly facts: (visitor: Pick<Visitor, "isOnOwnMachine">) => SiteFacts;
}

const DOCS = "/docs";
const REFERENCE = "/docs/api";
const TERMINAL_FACTS = "/terminal.json";
const ACCOUNT = "/account";
const TO_ACCOUNT = redirectTo("account/", "Account");

/** The folder of the terminal's pages for each market. Without a symbol, it leads to the terminal's root. */
const MARKETS = "/trade";
const MARKET_PAGE = /^\/trade\/[^/]+$/;
const TO_TERMINAL = redirectTo("./", "Terminal");
const UP_TO_TERMINAL = redirectTo("../", "Terminal");

/** `to` is relative, because a proxy may have added a path prefix. */
function redirectTo(to: string, title: string): WebFile {
  return htmlFile({
    status: 308,
    title: `${title} · Pricetime`,
    description: title,
    headers: ["Location", to],
    body: `<main id="content" class="plain"><h1><a href="${to}">${title}</a></h1></main>`,
  });
}

export class Site implements Web {
  readonly #shelf: PageStore;
  readonly #facts: SiteOptions["facts"];
  /** Rendered pages with the facts they show. A page is rendered again when its facts have changed. */
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
    if (path === MARKETS) return TO_TERMINAL;
    if (path === `${MARKETS}/`) return UP_TO_TERMINAL;
    if (MARKET_PAGE.test(path)) return this.#shelf.with(({ market }) => market ?? NO_SUCH_DOCUMENT);
    if (path.startsWith(BRANDING_FILES)) return this.#shelf.branding.files.get(path) ?? NO_SUCH_DOCUMENT;
    if (path === TERMINAL_FACTS) return terminalFacts(this.#facts(visitor));
    if (bare === REFERENCE)
      return this.#shelf.with(({ prose }) =>
        this.#of(REFERENCE, visitor, (facts) => referencePage(facts, prose[facts.venueInterface ?? "2019"])),
      );
    const isBuilt = path.startsWith(TERMINAL_FILES) || path.startsWith(ACCOUNT_FILES);
    const isShelved = bare === DOCS || bare.startsWith(`${DOCS}/`) || isBuilt || isAsset(path);
    return isShelved ? this.#shelf.with(({ files }) => files.get(bare) ?? NO_SUCH_DOCUMENT) : undefined;
  }

  /**
   * Browsers get the terminal, or the start page if the terminal has not been built. Users with curl get the start
   * page.
   */
  #root(visitor: Visitor): WebFile | Promise<WebFile> | undefined {
    const { accept } = visitor;
    if (!wantsPage(accept)) return undefined;
    return this.#shelf.with((pages) =>
      pages.terminal !== null && isBrowser(accept) ? pages.terminal : this.#start(pages, visitor),
    );
  }

  #start({ guides, terminal }: RenderedPages, visitor: Visitor): WebFile {
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

/** The first data that the terminal loads. It is not cached, because it may contain a demo's keys and a lab's token. */
function terminalFacts(facts: SiteFacts): WebFile {
  const { version, venueInterface, isDemo, demoAccounts, ratesLimited, labToken } = facts;
  const accounts = (demoAccounts ?? []).map(({ name, email, password, apiKey, secretKey }) => {
    return { name, email, password, apiKey, secretKey };
  });
  const lab = labToken === null ? {} : { lab: { token: labToken } };
  const told = { version, interface: venueInterface, demo: isDemo, accounts, ratesLimited, ...lab };
  return webFile(Buffer.from(JSON.stringify(told)), {
    contentType: "application/json;charset=UTF-8",
    keeping: "not at all",
  });
}

/**
 * Whether the client at `/` gets a page, as browsers and users with curl do. A client that requests JSON or sends no
 * Accept header is a program and gets the API's response for paths without an endpoint.
 */
function wantsPage(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  return isBrowser(accept) || (accept.includes("*/*") && !accept.includes("json"));
}

function isBrowser(accept = ""): boolean {
  return accept.includes("text/html");
}

export interface Sites {
  /** The pages of the REST port. */
  readonly main: Web;
  /** The pages for operators. */
  readonly admin: Web;
}

/** Information about the node. The functions are called for each page. */
export interface SiteSources {
  readonly version: string;
  /** The URL that pages show as the API's URL. */
  readonly publicUrl: () => string;
  /** The names of all listed symbols. */
  readonly symbols: () => readonly string[];
  /** The demo's accounts; null outside a demo. */
  readonly demoAccounts: readonly PublicAccount[] | null;
  /** Whether the operator has configured a public URL. If so, requests from this machine may come from a proxy. */
  readonly isPublic: boolean;
  /** Whether rate limits are enforced. */
  readonly ratesLimited: boolean;
  /** Default: that of 2019. */
  readonly venueInterface?: VenueInterfaceName | undefined;
  /** The token with which the terminal controls the lab; null outside a lab. */
  readonly labToken: string | null;
  /** Default: none. */
  readonly branding?: Branding;
}

/** Opens the websites. Nothing is read from disk before the first page is requested. */
export function openSites(sources: SiteSources): Sites {
  const shelf = new PageStore(undefined, sources.branding);
  const facts = (visitor: Pick<Visitor, "isOnOwnMachine">): SiteFacts => factsOf(sources, visitor);
  return { main: new Site({ shelf, facts }), admin: new AdminSite(sources.version, shelf) };
}

function factsOf(
  { version, publicUrl, symbols, demoAccounts, isPublic, ratesLimited, venueInterface, labToken }: SiteSources,
  { isOnOwnMachine }: Pick<Visitor, "isOnOwnMachine">,
): SiteFacts {
  const all = symbols();
  return {
    version,
    rest: publicUrl(),
    symbols: all.slice(0, MAX_SYMBOLS_SHOWN),
    moreSymbols: Math.max(0, all.length - MAX_SYMBOLS_SHOWN),
    isDemo: demoAccounts !== null,
    demoAccounts: isOnOwnMachine && !isPublic ? demoAccounts : null,
    ratesLimited,
    venueInterface,
    labToken: isOnOwnMachine && !isPublic ? labToken : null,
  };
}
