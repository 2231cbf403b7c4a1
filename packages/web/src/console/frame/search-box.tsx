/** The search box, which finds IDs, addresses, transactions, email addresses and client order IDs. */
import { useSignal } from "@preact/signals";
import { Button } from "../../panels/controls.tsx";
import { useCallback, useEffect, useRef } from "preact/hooks";
import { consoleWords as words } from "../../words/words.ts";
import type { Context } from "../context.ts";
import { DeniedText } from "../../pages/pane.tsx";
import { goTo, hashOf } from "../place.ts";
import { byNeed } from "../by-need.tsx";
import { type Found, placeOfHit, useFound } from "./search.ts";

const Palette = byNeed(() => import("./palette.tsx").then((module) => module.Palette));
const PALETTE_KEY = words.paletteKey(/Mac|iP(?:hone|ad)/.test(navigator.platform));

export function SearchBox({ context }: { context: Context }) {
  const text = useSignal("");
  const isOpen = useSignal(false);
  const box = useRef<HTMLInputElement>(null);
  const isPaletteOpen = useSignal(false);
  const place = useRef<HTMLDivElement>(null);
  const leave = useCallback((): void => {
    isOpen.value = false;
    text.value = "";
  }, [isOpen, text]);
  // Listens to key presses and focus changes in the whole search box.
  useEffect(() => {
    const all = place.current;
    const onKey = (event: KeyboardEvent): void => (event.key === "Escape" ? leave() : walk(event, all));
    const onFocusOut = ({ relatedTarget }: FocusEvent): void => {
      if (!(relatedTarget instanceof Node && all?.contains(relatedTarget) === true)) isOpen.value = false;
    };
    all?.addEventListener("keydown", onKey);
    all?.addEventListener("focusout", onFocusOut);
    return () => {
      all?.removeEventListener("keydown", onKey);
      all?.removeEventListener("focusout", onFocusOut);
    };
  }, [isOpen, leave]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const opensPalette = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey;
      if (opensPalette ? isInDialog(event.target) : event.key !== "/" || isTyping(event.target)) return;
      event.preventDefault();
      if (opensPalette) isPaletteOpen.value = true;
      else box.current?.focus();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [isPaletteOpen]);
  const searchText = text.value.trim();
  const found = useFound(context, searchText);
  const open = (typed: string): void => {
    text.value = typed;
    isOpen.value = true;
  };
  return (
    <div ref={place} class="search" role="search">
      <input
        ref={box}
        type="search"
        aria-label={words.search}
        placeholder={words.searchHint}
        title={words.searchKey}
        value={text.value}
        maxLength={256}
        onFocus={() => open(text.value)}
        onInput={({ currentTarget: { value } }) => open(value)}
        onKeyDown={(event) => {
          const first = found.hits?.[0];
          if (event.key !== "Enter" || first === undefined) return;
          goTo(placeOfHit(first));
          leave();
        }}
      />
      <Button
        class="quiet palette-button"
        title={words.paletteOpen(PALETTE_KEY)}
        aria-label={words.paletteOpen(PALETTE_KEY)}
        onClick={() => (isPaletteOpen.value = true)}
      >
        {PALETTE_KEY}
      </Button>
      {isOpen.value && searchText !== "" && <Hits searchText={searchText} found={found} leave={leave} />}
      {isPaletteOpen.value && <Palette context={context} onClose={() => (isPaletteOpen.value = false)} />}
    </div>
  );
}

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("dialog") !== null;
const isTyping = (target: EventTarget | null): boolean =>
  isInDialog(target) || (target instanceof HTMLElement && target.closest("input, textarea, select") !== null);

function Hits({ searchText, found, leave }: { searchText: string; found: Found; leave: () => void }) {
  const { hits, isCut, denied } = found;
  return (
    <div class="found" role="status">
      {denied !== null && <DeniedText denied={denied} />}
      {hits === null && denied === null && <p class="muted">{words.searching}</p>}
      {hits?.length === 0 && <p class="muted">{words.nothingFound(searchText)}</p>}
      <ul>
        {hits?.map((hit) => (
          <li key={`${hit.kind} ${hit.id} ${hit.symbol ?? hit.accountId ?? ""}`}>
            <a href={hashOf(placeOfHit(hit))} onClick={leave}>
              <span class="tag">{words.hitKinds[hit.kind] ?? hit.kind}</span>
              <span class="hit-id">{hit.id}</span>
              <span class="muted">{[hit.label, hit.email, hit.status].filter(Boolean).join(" · ")}</span>
            </a>
          </li>
        ))}
      </ul>
      {isCut && <p class="muted">{words.searchCut}</p>}
    </div>
  );
}

/** Arrow keys move between results. */
function walk(event: KeyboardEvent, within: HTMLElement | null): void {
  const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (by === 0 || within === null) return;
  const all = [...within.querySelectorAll<HTMLElement>("input, a")];
  const next = all[all.indexOf(document.activeElement as HTMLElement) + by];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
