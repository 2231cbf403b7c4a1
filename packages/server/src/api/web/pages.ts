/** The generated pages: the start page and the API reference. */
import type { VenueInterfaceName } from "@pricetime/protocol";
import { escaped, htmlFile, START_PATH } from "./html.ts";
import type { WebFile } from "./file.ts";
import type { RenderedPages } from "./page-store.ts";

// The start page: URLs, markets, documentation, and a sample order to paste into a shell.

export interface PublicAccount {
  readonly name: string;
  readonly email: string;
  /** The password for the account pages. */
  readonly password: string;
  readonly apiKey: string;
  readonly secretKey: string;
}

/** Information about the node that pages show. */
export interface SiteFacts {
  readonly version: string;
  /**
   * The node's REST URL, such as `http://127.0.0.1:8080`. In browsers, pages show the URL that the browser used
   * instead.
   */
  readonly rest: string;
  readonly symbols: readonly string[];
  /** Number of further symbols that the page does not list. */
  readonly moreSymbols: number;
  readonly isDemo: boolean;
  /** The demo's accounts; null outside a demo, or if the visitor is not on the node's own machine. */
  readonly demoAccounts: readonly PublicAccount[] | null;
  /** Whether rate limits are enforced. */
  readonly ratesLimited: boolean;
  /** Default: that of 2019. */
  readonly venueInterface?: VenueInterfaceName | undefined;
  /**
   * The token with which the terminal controls the lab; null outside a lab, or if the visitor is not on the node's own
   * machine.
   */
  readonly labToken: string | null;
}

/** The other data that the start page shows. */
interface Surroundings {
  readonly guides: RenderedPages["guides"];
  readonly isTerminalBuilt: boolean;
}

/** Maximum number of symbols listed on the page. An exchange may have thousands. */
export const MAX_SYMBOLS_SHOWN = 60;

/** Maximum number of guides linked from the page. */
const MAX_LINKS = 6;

export function startPage(facts: SiteFacts, { guides, isTerminalBuilt }: Surroundings): WebFile {
  const { version, isDemo } = facts;
  return htmlFile({
    title: "Pricetime",
    description: "A self-hosted spot exchange for the client libraries that you already use.",
    here: START_PATH,
    scripts: ["/assets/start.js"],
    headers: ["Vary", "Accept"],
    body: `<main id="content" class="start">
<div class="hero"><h1>Pricetime <span class="tag">${escaped(version)}</span>${isDemo ? '<span class="tag demo">demo</span>' : ""}</h1>
<p>A spot exchange that runs on this node. It has the REST and stream interface of Binance's public spot API of
${facts.venueInterface === "today" ? "today" : "2019"}:
ccxt, <code>@binance/connector</code> and other clients work when you change their base URL.</p>
${isTerminalBuilt ? '<p><a href="/">Open the terminal</a> to watch the markets and trade in your browser.</p>' : NO_TERMINAL}</div>
<div class="columns">
<section><h2>Markets</h2>${marketTable(facts)}</section>
<div>
<section><h2>Endpoints</h2>${addressTable(facts.rest)}</section>
<section><h2>Documentation</h2>${documentLinks(guides)}</section>
</div>
</div>
<section><h2>Place a first order</h2>
<p>Paste these lines into a shell, or <a href="/docs/api#/Orders/order.place">place an order from your browser</a>.</p>
<div class="code" data-language="sh"><pre tabindex="0"><code>${orderToPaste(facts)}</code></pre></div></section>
${keys(facts)}
</main>
<footer><p>Pricetime ${escaped(version)}. Licensed under Apache-2.0. The pages of this node load nothing from other hosts.</p></footer>`,
  });
}

function marketTable({ symbols, moreSymbols }: SiteFacts): string {
  if (symbols.length === 0) {
    return "<p>This exchange has no markets yet. To add one, see <code>npx pricetime symbol add --help</code>.</p>";
  }
  const rows = symbols.map(
    (symbol) =>
      `<tr data-symbol="${escaped(symbol)}"><th scope="row">${escaped(symbol)}</th>` +
      '<td class="number price">—</td><td class="number change">—</td></tr>',
  );
  const more =
    moreSymbols === 0
      ? ""
      : `<p class="note">And ${moreSymbols} more, see <a href="/api/v3/exchangeInfo">exchangeInfo</a>.</p>`;
  return (
    '<noscript><p class="note">Live prices need JavaScript. See <a href="/api/v3/ticker/price">ticker/price</a> instead.</p></noscript>' +
    '<table class="markets"><thead><tr><th scope="col">Symbol</th><th scope="col" class="number">Last price</th>' +
    `<th scope="col" class="number">24h change</th></tr></thead><tbody>${rows.join("")}</tbody></table>${more}`
  );
}

function addressTable(rest: string): string {
  const ws = rest.replace(/^http/, "ws");
  const rows: readonly (readonly [name: string, scheme: "http" | "ws", path: string, base: string])[] = [
    ["REST", "http", "", rest],
    ["Streams", "ws", "/stream", ws],
    ["WebSocket API", "ws", "/ws-api/v3", ws],
    ["OpenAPI", "http", "/openapi.json", rest],
  ];
  return `<dl class="addresses">${rows
    .map(
      ([name, scheme, path, base]) =>
        `<dt>${name}</dt><dd><code data-scheme="${scheme}" data-path="${path}">${escaped(base + path)}</code></dd>`,
    )
    .join("")}</dl>`;
}

function documentLinks(guides: RenderedPages["guides"]): string {
  const shown = guides.slice(0, MAX_LINKS).map(({ path, title }) => `<li><a href="${path}">${escaped(title)}</a></li>`);
  return (
    '<ul class="pages"><li><a href="/docs/api">API reference</a>: sign and send requests from the page</li>' +
    `${shown.join("")}<li><a href="/docs">All documentation</a></li></ul>`
  );
}

/** The markup of an order for a shell with curl and openssl. */
function orderToPaste({ rest, symbols, demoAccounts }: SiteFacts): string {
  const { apiKey = "…", secretKey = "…" } = demoAccounts?.[0] ?? {};
  const symbol = symbols.includes("BTCUSDT") ? "BTCUSDT" : (symbols[0] ?? "BTCUSDT");
  const price = symbol === "BTCUSDT" ? "20000" : "1";
  const order = "/api/v3/order";
  const lines = [
    `KEY=${apiKey}`,
    `SECRET=${secretKey}`,
    `ORDER="symbol=${symbol}&side=BUY&type=LIMIT&timeInForce=GTC&quantity=0.01&price=${price}&timestamp=$(date +%s000)"`,
    `SIGNATURE=$(printf %s "$ORDER" | openssl dgst -sha256 -hmac "$SECRET" | sed 's/.* //')`,
    'curl -X POST -H "X-MBX-APIKEY: $KEY" -d "$ORDER&signature=$SIGNATURE" ',
  ];
  return `${escaped(lines.join("\n"))}<span data-scheme="http" data-path="${order}">${escaped(rest + order)}</span>\n`;
}

const NO_TERMINAL =
  '<p class="note">The terminal has not been built. In a clone of the repository, run <code>npm run build:web</code>, ' +
  "then restart the node.</p>";

function keys({ isDemo, demoAccounts }: SiteFacts): string {
  if (demoAccounts !== null) return demoKeys(demoAccounts);
  return isDemo ? KEYS_ELSEWHERE : NO_KEYS;
}

const KEYS_ELSEWHERE =
  "<section><h2>Demo API keys</h2><p>To see the keys here, open this page on the node's own machine, at <code>127.0.0.1</code> or " +
  "<code>localhost</code>. The node also prints one key at startup, and stores all of them in <code>demo.json</code> in its data folder.</p></section>";

const NO_KEYS =
  "<section><h2>API keys</h2><p>An operator opens accounts and creates API keys. See <code>npx pricetime account open --help</code> " +
  "and <code>npx pricetime key create --help</code>.</p></section>";

function demoKeys(accounts: readonly PublicAccount[]): string {
  const rows = accounts.map(
    ({ name, apiKey, secretKey }) =>
      `<tr><th scope="row">${escaped(name)}</th><td><code>${escaped(apiKey)}</code></td><td><code>${escaped(secretKey)}</code></td></tr>`,
  );
  return (
    "<section><h2>Demo API keys</h2><p>These keys are public and the same in every demo. Other exchanges do not accept them. Each account has funds.</p>" +
    '<div class="wide" tabindex="0"><table class="keys"><thead><tr><th scope="col">Account</th><th scope="col">API key</th>' +
    `<th scope="col">Secret key</th></tr></thead><tbody>${rows.join("")}</tbody></table></div></section>`
  );
}

// The API reference. A script generates it in the browser from /openapi.json, and signs and sends requests.

/** `prose` is the HTML of the rules that apply to all endpoints. */
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
