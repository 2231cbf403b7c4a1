/** The reference of the interface: the browser makes it from /openapi.json, and signs and sends requests. */
import { escaped, htmlFile } from "./html.ts";
import type { WebFile } from "./port.ts";
import type { PublicAccount, SiteFacts } from "./start-page.ts";

/** `prose` is the markup of what holds for all endpoints. */
export function referencePage({ version, demoAccounts, symbols }: SiteFacts, prose: string): WebFile {
  const example = symbols.includes("BTCUSDT") ? "BTCUSDT" : (symbols[0] ?? "");
  return htmlFile({
    title: "API reference · Pricetime",
    description: "Every endpoint of this exchange, with requests signed and sent from the page.",
    here: "/docs/api",
    styles: ["/assets/swagger-ui.css", "/assets/reference.css"],
    libraries: ["/assets/swagger-ui-bundle.js"],
    scripts: ["/assets/reference.js"],
    hasInlineStyles: true,
    body: `<main id="content" class="reference">
<h1>API reference <span class="tag">${escaped(version)}</span></h1>
<p>Made from <a href="/openapi.json">openapi.json</a>. What the contract leaves open stands in the <a href="/docs">documents</a>.</p>
${SIGNING}
<details class="card"><summary>What holds for all endpoints; streams and the WebSocket API</summary>${prose}</details>
${keyPanel(demoAccounts)}
<noscript><p class="note">The list of endpoints needs JavaScript. For programs it stands in <a href="/openapi.json">openapi.json</a>.</p></noscript>
<div id="reference" data-document="/openapi.json" data-symbol="${escaped(example)}"></div>
</main>`,
  });
}

const SIGNING = `<details class="card"><summary>How a request is signed</summary>
<ol>
<li>Write the parameters as a query string, <code>timestamp</code> (milliseconds) among them: <code>symbol=BTCUSDT&amp;side=BUY&amp;…&amp;timestamp=1700000000000</code></li>
<li>Take its HMAC SHA-256 with your secret key, in hexadecimal. Parameters in a form body are signed likewise: query and body, with nothing between.
An Ed25519 key signs the same text, in Base64.</li>
<li>Put it last, as <code>signature</code>, and send your API key in the header <code>X-MBX-APIKEY</code>.</li>
</ol>
<p>The exchange takes a request for <code>recvWindow</code> milliseconds (5000, at most 60000) from its timestamp. The same as a script:
the order at the <a href="/start">start page</a>.</p></details>`;

function keyPanel(accounts: readonly PublicAccount[] | null): string {
  const choices = (accounts ?? []).map(
    ({ name, apiKey, secretKey }) =>
      `<option data-key="${escaped(apiKey)}" data-secret="${escaped(secretKey)}">${escaped(name)} (demo)</option>`,
  );
  const chooser =
    choices.length === 0
      ? ""
      : `<label>Account <select id="account">${choices.join("")}<option data-key="" data-secret="">another key</option></select></label>`;
  const [first] = accounts ?? [];
  return `<section class="card try" aria-labelledby="try-heading"><h2 id="try-heading">Try it</h2>
<p>Open an endpoint below and press <b>Execute</b>: the request is signed here, in your browser, with this key.
The secret stays in this page: it is not sent, not stored, and gone with the page.</p>
<form id="keys" autocomplete="off">${chooser}
<label>API key <input id="api-key" spellcheck="false" value="${escaped(first?.apiKey ?? "")}"></label>
<label>Secret key <input id="secret-key" type="password" autocomplete="off" spellcheck="false" value="${escaped(first?.secretKey ?? "")}"></label>
</form>
<div id="signed" hidden><p>Signed last:</p><pre tabindex="0"><code id="signed-text"></code></pre><p>HMAC SHA-256: <code id="signature"></code></p></div>
</section>`;
}
