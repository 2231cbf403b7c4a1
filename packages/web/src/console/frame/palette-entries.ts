/** The entries of the command palette: pages, actions that need no object, and results of the search. */
import type { Hit } from "@pricetime/server/answers";
import { consoleButtons, consolePages, consoleWords as words } from "../../words/words.ts";
import type { Wanted } from "../place.ts";
import { PAGES, ROUTES } from "../routes.ts";
import { placeOfHit } from "./search.ts";

export interface Entry {
  readonly id: string;
  /** The kind of the entry, shown beside it. */
  readonly kind: string;
  readonly label: string;
  /** More about the entry: the page of an action, the account of an order. */
  readonly note: string;
  readonly to: Wanted;
  /** The route whose form opens on the page; absent if the entry only leads to the page. */
  readonly opens?: string;
}

/**
 * All pages, and the actions that the operator may carry out and that need no object. Forms that replace a current
 * value need it, so those entries lead to the page that has it.
 */
export function fixedEntries(mayDo: (key: string) => boolean): Entry[] {
  const pages = PAGES.map((page) => ({
    ...{ id: `page ${page}`, kind: words.palettePage, label: consolePages[page], note: "", to: { page } },
  }));
  const actions = Object.entries(ROUTES)
    .filter(([key, { how, on }]) => on === "list" && (how === "act" || how === "view") && mayDo(key))
    .map(([key, { page }]) => ({
      ...{ id: key, kind: words.paletteAction, label: consoleButtons[key] ?? key, note: consolePages[page] },
      to: { page },
      ...(key.startsWith("POST ") && { opens: key }),
    }));
  return [...pages, ...actions];
}

/** The entries that contain every typed word, first those whose label begins with the typed text. */
export function matching(entries: readonly Entry[], typed: string): Entry[] {
  const text = typed.trim().toLowerCase();
  const wanted = text.split(/\s+/);
  const found = entries.filter(({ label, note }) => {
    const all = `${label} ${note}`.toLowerCase();
    return wanted.every((word) => all.includes(word));
  });
  const isFirst = ({ label }: Entry): boolean => label.toLowerCase().startsWith(text);
  return [...found.filter(isFirst), ...found.filter((one) => !isFirst(one))];
}

export function hitEntry(hit: Hit): Entry {
  const { kind, id, accountId, symbol = "", label, email, status } = hit;
  return {
    ...{ id: `hit ${kind} ${id} ${symbol} ${accountId ?? ""}`, kind: words.hitKinds[kind] ?? kind, label: id },
    note: [label, email, status].filter(Boolean).join(" · "),
    to: placeOfHit(hit),
  };
}
