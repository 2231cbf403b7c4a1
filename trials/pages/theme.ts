/** Tests the theme button of a page that was opened in the dark theme. */
import type { Page } from "playwright-core";

const shows = (page: Page, theme: "dark" | "light"): Promise<unknown> =>
  page.locator(`html[data-theme=${theme}]`).waitFor({ state: "attached" });

export async function assertTurnsTheme(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Switch between dark and light" });
  await shows(page, "dark");
  await page.emulateMedia({ colorScheme: "light" });
  await shows(page, "light");
  await button.click();
  await shows(page, "dark");
  await button.click();
  await shows(page, "light");
  // The choice is stored, whatever the system's theme is.
  await page.emulateMedia({ colorScheme: "dark" });
  await page.reload();
  await shows(page, "light");
}
