/** The search box, which finds IDs, addresses, transactions, email addresses and client order IDs. */
import { useSignal } from "@preact/signals";
import { useCallback, useEffect, useRef } from "preact/hooks";
import { consoleWords as words } from "../../words/words.ts";
import type { Context } from "../context.ts";
import { DeniedText } from "../../pages/pane.tsx";
import { goTo, hashOf } from "../place.ts";
import { type Found, placeOfHit, useFound } from "./search.ts";

export function SearchBox({ context }: { context: Context }) {
  const text = useSignal("");
  const isOpen = useSignal(false);
  const box = useRef<HTMLInputElement>(null);
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
    const focus = (event: KeyboardEvent): void => {
      if (event.key !== "/" || isTyping(event.target)) return;
      event.preventDefault();
      box.current?.focus();
    };
    window.addEventListener("keydown", focus);
    return () => window.removeEventListener("keydown", focus);
  }, []);
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
      {isOpen.value && searchText !== "" && <Hits searchText={searchText} found={found} leave={leave} />}
    </div>
  );
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input, textarea, select, dialog") !== null;

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
