/** A small HTML page. Values are escaped; only this folder writes markup. */
import type { Document } from "../document.ts";

const STYLE =
  "body{font:1rem/1.5 system-ui,sans-serif;margin:3rem auto;max-width:40rem;padding:0 1rem}" +
  "dt{font-weight:600}dd{margin:0 0 .5rem;overflow-wrap:anywhere}button{font:inherit;padding:.5rem 2rem}";

/** The page loads nothing, cannot be framed, and sends no referrer. */
const HEADERS: readonly string[] = [
  "Content-Security-Policy",
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  "Referrer-Policy",
  "no-referrer",
];

/** `parts`: fixed texts, and markup from `rows`. */
export function page(status: number, title: string, parts: readonly string[]): Document {
  return {
    status,
    contentType: "text/html;charset=UTF-8",
    headers: HEADERS,
    body:
      '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
      `<meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head>` +
      `<body><main><h1>${title}</h1>${parts.map((part) => (part.startsWith("<") ? part : `<p>${part}</p>`)).join("")}` +
      "</main></body></html>",
  };
}

export function rows(pairs: readonly (readonly [name: string, value: string])[]): string {
  return `<dl>${pairs.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`).join("")}</dl>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
