/** Panes, the sections of a page: with values by name, or with a table that can be searched and saved as a file. */
import type { ComponentChildren } from "preact";
import type { Denied } from "./denied.ts";
import { DeniedText } from "./denied-text.tsx";

interface Props {
  readonly title: string;
  readonly class?: string;
  readonly note?: ComponentChildren;
  readonly tools?: ComponentChildren;
  readonly denied?: Denied | null;
  readonly children: ComponentChildren;
}

export function Pane({ title, note, tools, denied = null, children, class: name = "" }: Props) {
  return (
    <section class={`pane ${name}`} aria-label={title}>
      <header class="pane-head">
        <h2>{title}</h2>
        {note !== undefined && <span class="muted">{note}</span>}
        <div class="rest">{tools}</div>
      </header>
      {denied !== null && (
        <div class="pane-denied">
          <DeniedText denied={denied} />
        </div>
      )}
      {children}
    </section>
  );
}

/** Values by the names of which they are. */
export function Facts({ rows }: { rows: Readonly<Record<string, ComponentChildren>> }) {
  return (
    <dl class="facts wide">
      {Object.entries(rows).map(([name, value]) => (
        <div key={name} class="fact">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
