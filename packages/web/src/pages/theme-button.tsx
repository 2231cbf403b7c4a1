/** Dark or light: the other one of what is shown, whoever chose that. */
import type { Preferences } from "../preferences.ts";
import { pagesSay } from "../words/words.ts";

export function ThemeButton({ preferences: { theme } }: { preferences: Pick<Preferences, "theme"> }) {
  return (
    <button
      type="button"
      class="quiet"
      aria-label={pagesSay.theme}
      onClick={() => {
        // As it is shown now: the system's own choice changes without a word to the page.
        theme.value = document.documentElement.dataset["theme"] === "light" ? "dark" : "light";
      }}
    >
      <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
        <path d="M8 2.500a5.500 5.500 0 1 0 0 11z M8 2.500a5.500 5.500 0 0 1 0 11" />
      </svg>
    </button>
  );
}
