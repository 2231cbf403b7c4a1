/** The reference of the interface: the browser makes it from /openapi.json, and signs and sends requests. */
import { escaped, htmlFile } from "./html.ts";
import type { WebFile } from "./port.ts";
import type { PublicAccount, SiteFacts } from "./start-page.ts";

/** `prose` is the markup of what holds for all endpoints. */
export function referencePage({ version, demoAccounts, symbols }: SiteFacts, prose: string): WebFile {
  const example = symbols.includes("BTCUSDT") ? "BTCUSDT" : (symbols[0] ?? "");
  return htmlFile({
    title: "API reference · Pricetime",
    description: "Every endpoint of this exchange. Sign and send requests from the page.",
    here: "/docs/api",
    styles: ["/assets/swagger-ui.css", "/assets/reference.css"],
    libraries: ["/assets/swagger-ui-bundle.js"],
    scripts: ["/assets/reference.js"],
    hasInlineStyles: true,
    body: `<main id="content" class="reference">
<h1>API reference <span class="tag">${escaped(version)}</span></h1>
<p>Generated from <a href="/openapi.json">openapi.json</a>. For guides and background, see the <a href="/docs">documentation</a>.</p>
${SIGNING}
<details class="card"><summary>Rules for all endpoints, streams and the WebSocket API</summary>${prose}</details>
${keyPanel(demoAccounts)}
<noscript><p class="note">The list of endpoints needs JavaScript. It is also in <a href="/openapi.json">openapi.json</a>.</p></noscript>
<div id="reference" data-document="/openapi.json" data-symbol="${escaped(example)}"></div>
</main>`,
  });
}

const SIGNING = `<details class="card"><summary>How to sign a request</summary>
<ol>
<li>Write the parameters as a query string, including <code>timestamp</code> in milliseconds: <code>symbol=BTCUSDT&amp;side=BUY&amp;…&amp;timestamp=1700000000000</code></li>
<li>Compute the HMAC SHA-256 of this string with your secret key, in hexadecimal. If some parameters are in a form body,
sign the query string followed by the body, with no separator. With an Ed25519 key, sign the same text and encode the signature in Base64.</li>
<li>Append the result as the last parameter, <code>signature</code>, and send your API key in the header <code>X-MBX-APIKEY</code>.</li>
</ol>
<p>The exchange accepts a request until <code>recvWindow</code> milliseconds after its timestamp (default 5000, at most 60000).
The <a href="/start">start page</a> has an order as a shell script.</p></details>`;

function keyPanel(accounts: readonly PublicAccount[] | null): string {
  const choices = (accounts ?? []).map(
    ({ name, apiKey, secretKey }) =>
      `<option data-key="${escaped(apiKey)}" data-secret="${escaped(secretKey)}">${escaped(name)} (demo)</option>`,
  );
  const chooser =
    choices.length === 0
      ? ""
      : `<label>Account <select id="account">${choices.join("")}<option data-key="" data-secret="">Another key</option></select></label>`;
  const [first] = accounts ?? [];
  return `<section class="card try" aria-labelledby="try-heading"><h2 id="try-heading">Try it</h2>
<p>Open an endpoint below and select <b>Execute</b>. Your browser signs the request with this key.
The secret key is not sent or stored. The page discards it when you leave.</p>
<form id="keys" autocomplete="off">${chooser}
<label>API key <input id="api-key" spellcheck="false" value="${escaped(first?.apiKey ?? "")}"></label>
<label>Secret key <input id="secret-key" type="password" autocomplete="off" spellcheck="false" value="${escaped(first?.secretKey ?? "")}"></label>
</form>
<div id="signed" hidden><p>Last signed request:</p><pre tabindex="0"><code id="signed-text"></code></pre><p>HMAC SHA-256: <code id="signature"></code></p></div>
</section>`;
}
