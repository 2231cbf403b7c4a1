/** Values that are sent, by their names; and what they change. */
import { grouped } from "../../exact/shown.ts";
import { consoleForms } from "../../words/words.ts";
import type { Json } from "../wire/document.ts";
import { type Difference, leavesOf } from "./differences.ts";

/** Times, amounts and choices as people read them. */
function readable(at: string, text: string): string {
  if (at.endsWith("Ms") && /^\d{13}$/.test(text)) return new Date(Number(text)).toISOString().replace(/\.000Z$/, "Z");
  if (text === "true" || text === "false") return text === "true" ? consoleForms.yes : consoleForms.no;
  return at.endsWith("mount") && /^\d+(?:\.\d+)?$/.test(text) ? grouped(text) : text;
}

/** All that is said, where what it changes is not known. */
export function SentValues({ body }: { body: Json | undefined }) {
  const leaves = leavesOf(body, "");
  if (leaves.length === 0) return null;
  return (
    <dl class="facts boxed">
      {leaves.map(([at, text]) => (
        <div key={at} class="fact">
          <dt>{consoleForms.placeName(at)}</dt>
          <dd>{text === "" ? <span class="muted">{consoleForms.empty}</span> : readable(at, text)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What differs between now and then. */
export function Changes({ rows }: { rows: readonly Difference[] }) {
  if (rows.length === 0) return <p class="warned">{consoleForms.noChange}</p>;
  return (
    <table class="table differences" aria-label={consoleForms.changes}>
      <thead>
        <tr>
          <th scope="col">{consoleForms.field}</th>
          <th scope="col">{consoleForms.before}</th>
          <th scope="col">{consoleForms.after}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ at, before, after }) => (
          <tr key={at}>
            <td>{consoleForms.placeName(at)}</td>
            <td class="before">{before === null ? consoleForms.notSet : readable(at, before)}</td>
            <td class="after">{after === null ? consoleForms.removed : readable(at, after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
