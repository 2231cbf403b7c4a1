/** What was done and what came of it: shown for some seconds, and spoken. */
import { useSignal } from "@preact/signals";
import { say } from "../words/words.ts";
import type { Desk } from "./desk.ts";
import { Icon } from "./icons.tsx";

/** Bad news stays longer; all of it goes by itself, as a refusal stands in its row and in the form, too. */
const SHOWN_MS = { good: 4_000, plain: 4_000, bad: 12_000 };
const SHOWN_MAX = 4;

export function Notices({ desk }: { desk: Desk }) {
  const dismissed = useSignal<ReadonlySet<number>>(new Set());
  const nowMs = desk.nowMs.value;
  const shown = desk.account.notices.value
    .filter(({ id, tone, timeMs }) => nowMs - timeMs < SHOWN_MS[tone] && !dismissed.value.has(id))
    .slice(0, SHOWN_MAX);
  return (
    <div class="notices" role="log" aria-live="polite" aria-label={say.notices}>
      <p class="unseen">{desk.spoken}</p>
      {shown.map(({ id, tone, text }) => (
        <div key={id} class={`notice ${tone}`}>
          <p>
            {tone === "good" ? "✓ " : tone === "bad" ? "✕ " : ""}
            {text}
          </p>
          <button
            type="button"
            class="quiet"
            aria-label={say.dismiss}
            onClick={() => {
              dismissed.value = new Set([...dismissed.value, id]);
            }}
          >
            <Icon name="cross" />
          </button>
        </div>
      ))}
    </div>
  );
}
