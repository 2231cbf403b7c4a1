/** The pages of the admin port: its reference, and the files that this page loads. */
import { isAsset } from "./assets.ts";
import { escaped, htmlFile } from "./html.ts";
import type { Visitor, Web, WebFile } from "./port.ts";
import type { Shelf } from "./shelf.ts";

export class AdminSite implements Web {
  readonly version: string;
  readonly #shelf: Shelf;
  readonly #page: WebFile;

  constructor(version: string, shelf: Shelf) {
    this.version = version;
    this.#shelf = shelf;
    this.#page = adminPage(version);
  }

  find(path: string, { accept = "" }: Visitor): WebFile | Promise<WebFile> | undefined {
    if (path === "/docs" || path === "/docs/") return this.#page;
    // People follow the address in the banner to this page.
    if (path === "/" && accept.includes("text/html")) return this.#page;
    return isAsset(path) ? this.#shelf.with(({ files }) => files.get(path) ?? this.#page) : undefined;
  }
}

function adminPage(version: string): WebFile {
  return htmlFile({
    title: "Admin API · Pricetime",
    description: "What operators can ask of this node.",
    links: [["Admin API", "/docs"]],
    here: "/docs",
    styles: ["/assets/swagger-ui.css", "/assets/reference.css"],
    libraries: ["/assets/swagger-ui-bundle.js"],
    scripts: ["/assets/admin-reference.js"],
    hasInlineStyles: true,
    body: `<main id="content" class="reference">
<h1>Admin API <span class="tag">${escaped(version)}</span></h1>
<p>Made from <a href="/openapi.json">openapi.json</a>, and that from the routes themselves. The command <code>npx pricetime</code>
does the same from a terminal.</p>
<section class="card try" aria-labelledby="try-heading"><h2 id="try-heading">Try it</h2>
<p>The token stands in <code>admin.json</code> in the data folder. It stays in this page, and goes to this node alone.
What you execute here happens: this is the node itself.</p>
<form id="keys" autocomplete="off">
<label>Admin token <input id="token" type="password" autocomplete="off" spellcheck="false"></label>
<label>Who acts, as the journal shows it <input id="actor" spellcheck="false" placeholder="admin"></label>
</form></section>
<noscript><p class="note">The list of routes needs JavaScript. For programs it stands in <a href="/openapi.json">openapi.json</a>.</p></noscript>
<div id="reference" data-document="/openapi.json"></div>
</main>`,
  });
}
