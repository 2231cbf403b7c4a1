/** Converts Markdown to HTML: headings with anchors, links to pages, code that can be copied. */
import { Marked, Parser, type Token, type Tokens } from "marked";
import { codeBlock, escaped } from "../html.ts";
import { groupVariants, variantsHtml } from "./code-tabs.ts";

export interface Heading {
  readonly level: number;
  readonly id: string;
  /** The text without markup. */
  readonly text: string;
}

export interface Rendered {
  readonly html: string;
  readonly headings: readonly Heading[];
}

/** Resolves a link to an address, or to null when no page shows its target. */
export type Resolve = (target: string) => string | null;

export function renderMarkdown(text: string, resolve: Resolve): Rendered {
  const headings: Heading[] = [];
  const ids = new Map<string, number>();
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading): string {
        const html = this.parser.parseInline(tokens);
        const plain = this.parser.parseInline(tokens, this.parser.textRenderer);
        const id = uniqueId(plain, ids);
        headings.push({ level: depth, id, text: plain });
        const anchor = `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
        return `<h${depth} id="${id}">${html}${depth === 1 ? "" : anchor}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        const html = this.parser.parseInline(tokens);
        const to = resolve(href);
        if (to === null) return `<span class="elsewhere" title="${escaped(href)} in the repository">${html}</span>`;
        return `<a href="${escaped(to)}"${/^https?:/.test(to) ? ' rel="noreferrer"' : ""}>${html}</a>`;
      },
      image({ href, text: alt }: Tokens.Image): string {
        const from = resolve(href);
        return from === null || /^https?:/.test(from)
          ? escaped(alt)
          : `<img src="${escaped(from)}" alt="${escaped(alt)}">`;
      },
      code({ text: code, lang = "" }: Tokens.Code): string {
        return codeBlock(code, lang.split(/\s/)[0]);
      },
      html({ text: html }: Tokens.HTML | Tokens.Tag): string {
        return html.startsWith("<!--") ? "" : escaped(html);
      },
    },
  });
  const htmlOf = {
    inline: (tokens: readonly Token[]): string => Parser.parseInline([...tokens], marked.defaults),
    block: (token: Token): string => marked.parser([token]),
  };
  const html = groupVariants(marked.lexer(text))
    .map((piece) => ("type" in piece ? htmlOf.block(piece) : variantsHtml(piece, htmlOf)))
    .join("")
    .replaceAll("<table>", TABLE_START)
    .replaceAll("</table>", "</table></div>");
  return { html, headings };
}

/** A wide table scrolls by itself, not with the page. */
const TABLE_START = '<div class="wide" tabindex="0"><table>';

/** Makes ids as GitHub does, so that links within a document work in both places. */
function uniqueId(text: string, ids: Map<string, number>): string {
  const id = text
    .toLowerCase()
    .replace(/&[a-z]+;|&#\d+;/g, "")
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, "")
    .replaceAll(" ", "-");
  const before = ids.get(id) ?? 0;
  ids.set(id, before + 1);
  return before === 0 ? id : `${id}-${before}`;
}
