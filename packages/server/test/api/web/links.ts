/** The references of a page: the files that a browser loads for it, and its links. */

export interface References {
  /** URLs that are loaded for the page: scripts, styles, images. */
  readonly loaded: readonly string[];
  /** Targets of links. */
  readonly links: readonly string[];
  /** Ids within the page that a link can target. */
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

/** URLs that a style sheet loads. */
export function styleReferences(css: string): string[] {
  const inUrls = [...css.matchAll(/url\(\s*["']?([^"')]*)/g)].map(([, address = ""]) => address);
  return [...inUrls, ...[...css.matchAll(/@import\s+["']([^"']*)/g)].map(([, address = ""]) => address)];
}

/** Imports of a module. */
export function importsOf(script: string): string[] {
  return [...script.matchAll(/^import\b[^;"'`]*["'](\.{0,2}\/[^"']+)["']/gm)].map(([, address = ""]) => address);
}
