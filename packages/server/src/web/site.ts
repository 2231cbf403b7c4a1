/** The pages of the REST port: the start page, the documents, the reference, and the files that these load. */
import { readAsset } from "./assets.ts";
import { Documents } from "./docs/documents.ts";
import type { Web, WebFile } from "./port.ts";
import { referencePage } from "./reference-page.ts";
import { type StartFacts, startPage } from "./start-page.ts";

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css;charset=UTF-8",
  js: "text/javascript;charset=UTF-8",
  svg: "image/svg+xml",
  ico: "image/x-icon",
};

export interface SiteOptions {
  /** What the start page tells, as of now. */
  readonly facts: () => StartFacts;
}

/** Each page is made when it is first asked for, and kept: what is asked for again costs a look into a map. */
export class Site implements Web {
  readonly #facts: () => StartFacts;
  readonly #documents = new Documents();
  readonly #kept = new Map<string, WebFile | undefined>();
  #start: { readonly of: string; readonly page: WebFile } | undefined;

  constructor({ facts }: SiteOptions) {
    this.#facts = facts;
  }

  get version(): string {
    return this.#facts().version;
  }

  find(path: string, accept: string | undefined): WebFile | undefined {
    if (path === "/") return wantsPage(accept) ? this.#startPage() : undefined;
    if (path === "/docs/api" || path === "/docs/api/")
      return this.#keep("/docs/api", () => referencePage(this.#facts()));
    if (path === "/docs" || path.startsWith("/docs/")) return this.#documents.find(path);
    return assetFile(this.#kept, path);
  }

  #keep(path: string, make: () => WebFile): WebFile {
    let file = this.#kept.get(path);
    if (file === undefined) {
      file = make();
      this.#kept.set(path, file);
    }
    return file;
  }

  /** Symbols come and go: it is made anew when what it tells has changed. */
  #startPage(): WebFile {
    const facts = this.#facts();
    const of = JSON.stringify(facts);
    if (this.#start?.of !== of) this.#start = { of, page: startPage(facts, this.#documents.sections) };
    return this.#start.page;
  }
}

/** A file that pages load, from `kept` when it has been asked for before; undefined when there is none. */
export function assetFile(kept: Map<string, WebFile | undefined>, path: string): WebFile | undefined {
  const known = kept.get(path);
  if (known !== undefined) return known;
  const bytes = readAsset(path);
  if (bytes === undefined) return undefined;
  const contentType = TYPES[path.slice(path.lastIndexOf(".") + 1)] ?? "application/octet-stream";
  const file: WebFile = { status: 200, contentType, headers: [], bytes };
  kept.set(path, file);
  return file;
}

/**
 * At `/` browsers and people with curl are given the page. Who asks for JSON, or does not say what it takes, is a
 * program of the API, and is told what it is told at every address that is none of the API's.
 */
function wantsPage(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  return accept.includes("text/html") || (accept.includes("*/*") && !accept.includes("json"));
}
