/** The button under a list that is fetched a page at a time. `next` null: there are no older rows. */
import { pagesSay } from "../words/words.ts";

export function MoreRows({ next, more }: { next: unknown; more: () => void }) {
  if (next === null) return null;
  return (
    <p class="more">
      <button type="button" class="button" onClick={more}>
        {pagesSay.older}
      </button>
    </p>
  );
}
