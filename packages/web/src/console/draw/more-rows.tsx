/** The button under a list that is fetched a page at a time. */
import { consoleSays } from "../../words/words.ts";

export function MoreRows({ next, more }: { next: string | number | null; more: () => void }) {
  if (next === null) return null;
  return (
    <p class="more">
      <button type="button" class="button" onClick={more}>
        {consoleSays.older}
      </button>
    </p>
  );
}
