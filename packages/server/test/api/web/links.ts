/** What a page refers to: what a browser fetches for it, and where its links lead. */

export interface References {
  /** Addresses that are fetched for the page: scripts, styles, pictures. */
  readonly loaded: readonly string[];
  /** Where links lead. */
  readonly links: readonly string[];
  /** Names within the page that a link can lead to. */
  readonly ids: ReadonlySet<string>;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

export function referencesOf(html: string): References {
  const loaded: string[] = [];
  const links: string[] = [];
  for (const [, tag = "", attributes = ""] of html.matchAll(/<([a-z][a-z0-9]*)\b([^>]*)>/g)) {
    for (const [, name = "", value = ""] of attributes.matchAll(/\b(src|href|srcset|action|data|poster)="([^"]*)"/g)) {
      const address = value.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
      (tag === "a" && name === "href" ? links : loaded).push(address);
    }
  }
  const ids = new Set([...html.matchAll(/\bid="([^"]*)"/g)].map(([, id = ""]) => id));
  return { loaded, links, ids };
}

/** Addresses that a style sheet fetches. */
export function styleReferences(css: string): string[] {
  const inUrls = [...css.matchAll(/url\(\s*["']?([^"')]*)/g)].map(([, address = ""]) => address);
  return [...inUrls, ...[...css.matchAll(/@import\s+["']([^"']*)/g)].map(([, address = ""]) => address)];
}

/** What a module imports. */
export function importsOf(script: string): string[] {
  return [...script.matchAll(/^import\b[^;"'`]*["'](\.{0,2}\/[^"']+)["']/gm)].map(([, address = ""]) => address);
}
