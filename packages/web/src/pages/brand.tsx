/** The venue's mark. */
import { say } from "../words/words.ts";

export function Brand() {
  return (
    <span class="brand-mark">
      <svg viewBox="0 0 18 18" aria-hidden="true">
        <path d="M2 15V9M6.700 15V3M11.300 15V6M16 15v-4" stroke="var(--accent)" stroke-width="2.600" fill="none" />
      </svg>
      <span>{say.brand}</span>
    </span>
  );
}
