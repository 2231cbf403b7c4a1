/** A row of tabs: arrows walk it, the chosen one alone stands in the order of the Tab key. */
import type { ComponentChildren } from "preact";

export interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly count?: number;
}

interface Props<Name extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly chosen: Name;
  /** The id of what a tab shows. */
  readonly controls?: string;
  readonly class?: string;
  readonly children?: ComponentChildren;
  readonly onChoose: (name: Name) => void;
}

export function Tabs<Name extends string>(props: Props<Name>) {
  const { tabs, chosen } = props;

  function walk(event: KeyboardEvent): void {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const at = tabs.findIndex(({ name }) => name === chosen);
    const next = tabs[(at + by + tabs.length) % tabs.length];
    if (next === undefined) return;
    props.onChoose(next.name);
    const list = (event.currentTarget as HTMLElement).parentElement;
    list?.querySelectorAll<HTMLElement>('[role="tab"]').item(tabs.indexOf(next)).focus();
  }

  return (
    <div class={`tabs ${props.class ?? ""}`}>
      <div class="tab-list" role="tablist" aria-label={props.label}>
        {tabs.map(({ name, label, count }) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={name === chosen}
            aria-controls={props.controls}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => props.onChoose(name)}
            onKeyDown={walk}
          >
            {label}
            {count !== undefined && <span class="count">{count}</span>}
          </button>
        ))}
      </div>
      {props.children !== undefined && <div class="rest">{props.children}</div>}
    </div>
  );
}
