/** The chosen colours, on the root of the page, where the style looks for them. */
import { effect, signal } from "@preact/signals";
import type { Preferences } from "../preferences.ts";

/** Follows the choice and, as long as that is left to it, the system's. */
export function keepTheme({ theme, colours }: Preferences): void {
  const light = matchMedia("(prefers-color-scheme: light)");
  const isLight = signal(light.matches);
  light.addEventListener("change", () => {
    isLight.value = light.matches;
  });
  effect(() => {
    const { dataset } = document.documentElement;
    dataset.theme = theme.value === "system" ? (isLight.value ? "light" : "dark") : theme.value;
    dataset.colours = colours.value;
  });
}
