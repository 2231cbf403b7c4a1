/** The pages of the REST port: the start page, documents, the reference, and the files that these load. */
import { isAsset } from "./assets.ts";
import { NO_SUCH_DOCUMENT } from "./docs/documents.ts";
import type { Web, WebFile } from "./port.ts";
import { referencePage } from "./reference-page.ts";
import type { Shelf, Shelved } from "./shelf.ts";
import { type StartFacts, startPage } from "./start-page.ts";

export interface SiteOptions {
  readonly shelf: Shelf;
  /** Returns the node's present facts for pages. */
  readonly facts: () => StartFacts;
}

const DOCS = "/docs";
const REFERENCE = "/docs/api";

export class Site implements Web {
  readonly #shelf: Shelf;
  readonly #facts: () => StartFacts;
  /** Pages that show facts of the node, with these facts: made anew when they change. */
  readonly #made = new Map<string, { readonly of: string; readonly file: WebFile }>();

  constructor({ shelf, facts }: SiteOptions) {
    this.#shelf = shelf;
    this.#facts = facts;
  }

  get version(): string {
    return this.#facts().version;
  }

  find(path: string, accept: string | undefined): WebFile | Promise<WebFile> | undefined {
    const bare = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
    if (path === "/") return wantsPage(accept) ? this.#shelf.with((pages) => this.#start(pages)) : undefined;
    if (bare === REFERENCE)
      return this.#shelf.with(({ prose }) => this.#of(REFERENCE, (facts) => referencePage(facts, prose)));
    if (bare !== DOCS && !bare.startsWith(`${DOCS}/`) && !isAsset(path)) return undefined;
    return this.#shelf.with(({ files }) => files.get(bare) ?? NO_SUCH_DOCUMENT);
  }

  #start({ guides }: Shelved): WebFile {
    return this.#of("/", (facts) => startPage(facts, guides));
  }

  #of(path: string, make: (facts: StartFacts) => WebFile): WebFile {
    const facts = this.#facts();
    const of = JSON.stringify(facts);
    let made = this.#made.get(path);
    if (made?.of !== of) {
      made = { of, file: make(facts) };
      this.#made.set(path, made);
    }
    return made.file;
  }
}

/**
 * At `/` browsers and people with curl get the page. A client that asks for JSON, or does not say what it accepts, is a
 * program of the API, and gets the answer for every address outside the API.
 */
function wantsPage(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  return accept.includes("text/html") || (accept.includes("*/*") && !accept.includes("json"));
}
