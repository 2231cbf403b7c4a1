/** The pages of the admin port: the console if it has been built, the API reference, and their files. */
import { isAsset } from "./assets.ts";
import { CONSOLE_FILES } from "./built-page.ts";
import { escaped, htmlFile, type PageParts } from "./html.ts";
import type { Visitor, Web, WebFile } from "./port.ts";
import type { Shelf, Shelved } from "./shelf.ts";

const REFERENCE = "/docs";

export class AdminSite implements Web {
  readonly version: string;
  readonly #shelf: Shelf;
  /** The reference, with and without a link to the console. */
  readonly #besideConsole: WebFile;
  readonly #alone: WebFile;

  constructor(version: string, shelf: Shelf) {
    this.version = version;
    this.#shelf = shelf;
    this.#besideConsole = referencePage(version, [["Console", "/"], LINK]);
    this.#alone = referencePage(version, [LINK]);
  }

  find(path: string, { accept = "" }: Visitor): WebFile | Promise<WebFile> | undefined {
    if (path === REFERENCE || path === `${REFERENCE}/`) return this.#shelf.with((pages) => this.#reference(pages));
    if (path.startsWith(CONSOLE_FILES))
      return this.#shelf.with((pages) => pages.console?.files.get(path) ?? NO_SUCH_FILE);
    if (isAsset(path)) return this.#shelf.with((pages) => pages.files.get(path) ?? this.#reference(pages));
    // Browsers get the console; other programs get the API's answer, which asks for the token.
    const isPage = path === "/" && accept.includes("text/html");
    return isPage ? this.#shelf.with((pages) => pages.console?.page ?? this.#reference(pages)) : undefined;
  }

  #reference({ console }: Shelved): WebFile {
    return console === null ? this.#alone : this.#besideConsole;
  }
}

const LINK = ["Admin API", REFERENCE] as const;

const NO_SUCH_FILE = htmlFile({
  status: 404,
  title: "File not found · Pricetime",
  description: "File not found",
  links: [LINK],
  body: '<main id="content" class="plain"><h1>File not found</h1></main>',
});

function referencePage(version: string, links: NonNullable<PageParts["links"]>): WebFile {
  return htmlFile({
    title: "Admin API · Pricetime",
    description: "The API for operators of this node.",
    links,
    here: REFERENCE,
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
