/** Text in a page, and parts of one that are markup already. */

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

type Part = string | number | Html | readonly Html[];

/** Markup, in which every value that is no markup itself is text. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const [first = "", ...rest] = texts;
  return new Html(first + rest.map((text, index) => shown(parts[index] ?? "") + text).join(""));
}

function shown(part: Part): string {
  if (part instanceof Html) return part.toString();
  if (Array.isArray(part)) return part.join("");
  return String(part).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? "");
}
