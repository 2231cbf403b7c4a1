/** Converts Markdown to HTML: headings with anchors, links to pages, code blocks with a copy button. */
import { Marked, Parser, type Token, type Tokens } from "marked";
import { codeBlock, escaped } from "./html.ts";

// Groups code blocks of the same example in several languages. The script `docs-tabs.js` displays a group as tabs.

/** Languages that label the code blocks of a group: `**curl**`, or `**Python**: save as …`. */
const LANGUAGES: ReadonlySet<string> = new Set(["curl", "JavaScript", "Python"]);

/** A label with its code block, or with several blocks in the same language that are run one after the other. */
interface Variant {
  readonly language: string;
  /** The label's text after the language. It may be empty. */
  readonly note: readonly Token[];
  readonly blocks: readonly Tokens.Code[];
}

export type Piece = Token | readonly Variant[];

/**
 * Replaces the tokens of each group with the group. A block belongs to a group only if it has a label, because
 * consecutive unlabeled blocks are usually steps, such as a program and the command that runs it.
 */
function groupVariants(tokens: readonly Token[]): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < tokens.length; ) {
    const [variants, end] = variantsFrom(tokens, at);
    const piece = variants.length > 1 ? variants : tokens[at];
    if (piece !== undefined) pieces.push(piece);
    at = variants.length > 1 ? end : at + 1;
  }
  return pieces;
}

/** Without JavaScript, the variants are displayed one below the other, each with its label. */
function variantsHtml(
  variants: readonly Variant[],
  htmlOf: { readonly inline: (tokens: readonly Token[]) => string; readonly block: (token: Token) => string },
): string {
  const sections = variants.map(({ language, note, blocks }) => {
    const more = note.length === 0 ? "" : `: <span>${htmlOf.inline(note)}</span>`;
    return `<div data-variant="${language}"><p><strong>${language}</strong>${more}</p>${blocks.map(htmlOf.block).join("")}</div>`;
  });
  return `<div class="variants">${sections.join("")}</div>\n`;
}

/** The variants in different languages that start at a token, and the index of the token after them. */
function variantsFrom(tokens: readonly Token[], start: number): readonly [readonly Variant[], number] {
  const variants: Variant[] = [];
  for (let at = start; ; ) {
    const label = labelOf(tokens[at]);
    if (label === null || variants.some(({ language }) => language === label.language)) return [variants, at];
    const [blocks, end] = blocksFrom(tokens, at + 1);
    if (blocks.length === 0) return [variants, at];
    variants.push({ ...label, blocks });
    at = end;
  }
}

function blocksFrom(tokens: readonly Token[], start: number): readonly [readonly Tokens.Code[], number] {
  const blocks: Tokens.Code[] = [];
  for (let at = skipComments(tokens, start); ; ) {
    const block = tokens[at];
    if (block?.type !== "code") return [blocks, at];
    if (blocks.some(({ lang }) => lang !== (block as Tokens.Code).lang)) return [blocks, at];
    blocks.push(block as Tokens.Code);
    at = skipComments(tokens, at + 1);
  }
}

function skipComments(tokens: readonly Token[], start: number): number {
  let at = start;
  while (tokens[at]?.type === "space" || (tokens[at]?.type === "html" && tokens[at]?.raw.startsWith("<!--"))) at += 1;
  return at;
}

function labelOf(token: Token | undefined): Omit<Variant, "blocks"> | null {
  if (token?.type !== "paragraph") return null;
  const [name, ...rest] = (token as Tokens.Paragraph).tokens;
  if (name?.type !== "strong" || !LANGUAGES.has((name as Tokens.Strong).text)) return null;
  const [first, ...more] = rest;
  if (first === undefined) return { language: (name as Tokens.Strong).text, note: [] };
  if (first.type !== "text" || !/^:\s/.test(first.raw)) return null;
  const text = (first as Tokens.Text).text.replace(/^:\s+/, "");
  return { language: (name as Tokens.Strong).text, note: [{ ...first, text, raw: text }, ...more] };
}

export interface Heading {
  readonly level: number;
  readonly id: string;
  /** The text of the heading without markup. */
  readonly text: string;
}

export interface Rendered {
  readonly html: string;
  readonly headings: readonly Heading[];
}

/** Resolves a link to a URL, or to null if no page has its target. */
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

/** The table has its own scroll bar, because it may be wider than the page. */
const TABLE_START = '<div class="wide" tabindex="0"><table>';

/** Generates the same ids as GitHub, so that links within a document work in both places. */
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
