/** The command palette: opens any page, action or object by typing a part of its name. */
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { bind, Window } from "../../panels/controls.tsx";
import { consoleWords as words } from "../../words/words.ts";
import { type Context, mayDo } from "../context.ts";
import { DeniedText } from "../../pages/pane.tsx";
import { goTo } from "../place.ts";
import { type Entry, fixedEntries, hitEntry, matching } from "./palette-entries.ts";
import { useFound } from "./search.ts";

const LIST = "palette-list";
const idOf = (place: number): string => `palette-${place}`;

export function Palette({ context, onClose }: { context: Context; onClose: () => void }) {
  const typed = useSignal("");
  const chosen = useSignal({ of: "", place: 0 });
  const text = typed.value.trim();
  const found = useFound(context, text);
  const fixed = matching(
    fixedEntries((key) => mayDo(context, key)),
    text,
  );
  const entries = [...fixed, ...(found.hits ?? []).map(hitEntry)];
  // Another text begins with its first entry again.
  const place = chosen.value.of === text ? Math.min(chosen.value.place, entries.length - 1) : 0;
  const choose = (next: number): void => {
    chosen.value = { of: text, place: (next + entries.length) % Math.max(entries.length, 1) };
  };
  const open = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    onClose();
    goTo(entry.to);
    if (entry.opens !== undefined) context.openForm.value = { key: entry.opens, given: {} };
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by !== 0) choose(place + by);
    else if (event.key === "Enter") open(entries[place]);
    else return;
    event.preventDefault();
  };
  const isSearching = text !== "" && found.hits === null && found.denied === null;
  return (
    <Window title={words.palette} class="palette" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label={words.paletteLabel}
        aria-expanded={entries.length > 0}
        aria-controls={LIST}
        aria-autocomplete="list"
        aria-activedescendant={entries.length === 0 ? undefined : idOf(place)}
        placeholder={words.paletteHint}
        autocomplete="off"
        spellcheck={false}
        maxLength={256}
        onKeyDown={onKeyDown}
        {...bind(typed)}
      />
      <div id={LIST} class="options" role="listbox" aria-label={words.paletteLabel}>
        {entries.map((entry, at) => (
          <Option key={entry.id} entry={entry} id={idOf(at)} isChosen={at === place} onOpen={() => open(entry)} />
        ))}
      </div>
      {found.denied !== null && <DeniedText denied={found.denied} />}
      <p class="muted" role="status">
        {isSearching
          ? words.searching
          : entries.length === 0
            ? words.nothingFound(text)
            : found.isCut
              ? words.searchCut
              : words.paletteKeys}
      </p>
    </Window>
  );
}

interface OptionProps {
  readonly entry: Entry;
  readonly id: string;
  readonly isChosen: boolean;
  readonly onOpen: () => void;
}

/** The focus stays in the text field, so the chosen option is only scrolled into view. */
function Option({ entry: { kind, label, note }, id, isChosen, onOpen }: OptionProps) {
  const option = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isChosen) option.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are handled by the combobox
    <div ref={option} id={id} role="option" aria-selected={isChosen} tabIndex={-1} onClick={onOpen}>
      <span class="hit-id">{label}</span>
      <span class="muted">{note}</span>
      <span class="tag">{kind}</span>
    </div>
  );
}
