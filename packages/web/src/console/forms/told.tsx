/** What the node told, as names and values, whatever it is. Texts are texts: nothing of them becomes markup. */
import type { Json } from "../wire/document.ts";
import { consoleForms } from "../../words/words.ts";

const MOST_ROWS = 200;

export function Told({ value }: { value: Json | undefined }) {
  if (value === undefined || value === null) return <span class="muted">{consoleForms.none}</span>;
  if (Array.isArray(value)) return <ToldList rows={value as readonly Json[]} />;
  if (typeof value !== "object") return <span class="told">{String(value)}</span>;
  const parts = Object.entries(value as Readonly<Record<string, Json>>);
  if (parts.length === 0) return <span class="muted">{consoleForms.none}</span>;
  return (
    <dl class="facts told">
      {parts.map(([name, part]) => (
        <div key={name} class="fact">
          <dt>{consoleForms.fieldName(name)}</dt>
          <dd>
            <Told value={part} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function ToldList({ rows }: { rows: readonly Json[] }) {
  if (rows.length === 0) return <span class="muted">{consoleForms.none}</span>;
  const shown = rows.slice(0, MOST_ROWS);
  const isPlain = shown.every((one) => typeof one !== "object" || one === null);
  if (isPlain) return <span class="told">{shown.map(String).join(", ")}</span>;
  return (
    <ol class="told-list">
      {shown.map((one, place) => (
        // Nothing is known of them but their order.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={place}>
          <Told value={one} />
        </li>
      ))}
      {rows.length > shown.length && <li class="muted">{consoleForms.more(rows.length - shown.length)}</li>}
    </ol>
  );
}
