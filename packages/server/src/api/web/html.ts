/** The HTML frame of all pages. Every text must be escaped with `escaped` before it is inserted. */
import { webFile, type WebFile } from "./file.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

export interface PageParts {
  readonly title: string;
  readonly description: string;
  /** The markup of the page between the top bar and the end. */
  readonly body: string;
  /** Paths of scripts that are not modules. They are loaded before the modules. */
  readonly libraries?: readonly string[];
  /** Paths of modules and style sheets in addition to those that every page loads. */
  readonly scripts?: readonly string[];
  readonly styles?: readonly string[];
  /** Markup in the top bar before its links. */
  readonly tools?: string;
  /** Links of the top bar; `here` is the path of the current one. */
  readonly links?: readonly (readonly [text: string, path: string])[];
  readonly here?: string;
  readonly status?: number;
  /** Allows inline styles. Swagger UI needs them, because it writes styles into its elements. */
  readonly hasInlineStyles?: true;
  readonly headers?: readonly string[];
}

/** The path of the start page. It is also served at `/` if the terminal has not been built. */
export const START_PATH = "/start";

const TOP_LINKS: NonNullable<PageParts["links"]> = [
  ["Terminal", "/"],
  ["Start", START_PATH],
  ["Docs", "/docs"],
  ["API reference", "/docs/api"],
];

/** The Content-Security-Policy: pages load nothing from other hosts, send nothing to them, and cannot be framed. */
function policy({ hasInlineStyles }: Pick<PageParts, "hasInlineStyles">): string {
  return (
    `default-src 'none'; script-src 'self'; style-src 'self'${hasInlineStyles ? " 'unsafe-inline'" : ""}; ` +
    "img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
  );
}

export function htmlFile(parts: PageParts): WebFile {
  const { status = 200, headers = [] } = parts;
  return webFile(Buffer.from(pageText(parts)), {
    status,
    contentType: "text/html;charset=UTF-8",
    headers: ["Content-Security-Policy", policy(parts), "Referrer-Policy", "no-referrer", ...headers],
  });
}

function pageText({ title, description, body, tools = "", links = TOP_LINKS, here, ...loaded }: PageParts): string {
  const bar = links.map(
    ([text, path]) => `<a href="${path}"${path === here ? ' aria-current="page"' : ""}>${escaped(text)}</a>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escaped(description)}">
<title>${escaped(title)}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="icon" href="/favicon.ico" sizes="32x32">
${loadedFiles(loaded)}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="${links[0]?.[1] ?? "/"}"><img src="/favicon.svg" alt="" width="28" height="28">Pricetime</a>
${tools}<nav aria-label="Pages">${bar.join("")}</nav>
</header>
${body}
</body>
</html>
`;
}

function loadedFiles({
  libraries = [],
  scripts = [],
  styles = [],
}: Pick<PageParts, "libraries" | "scripts" | "styles">): string {
  const sheets = ["/assets/style.css", ...styles].map((path) => `<link rel="stylesheet" href="${path}">`);
  const classic = libraries.map((path) => `<script defer src="${path}"></script>`);
  const modules = ["/assets/page.js", ...scripts].map((path) => `<script type="module" src="${path}"></script>`);
  return [...sheets, ...classic, ...modules].join("\n");
}

/** A code block with a copy button. */
export function codeBlock(code: string, language = ""): string {
  const name = /^[a-z0-9+-]+$/i.test(language) ? ` data-language="${language.toLowerCase()}"` : "";
  return `<div class="code"${name}><pre tabindex="0"><code>${escaped(code)}</code></pre></div>\n`;
}
