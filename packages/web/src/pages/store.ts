/** Null: the browser forbids it, and what would be kept lasts until the page is left. */
export function storeOf(open: () => Storage): Storage | null {
  try {
    return open();
  } catch {
    return null;
  }
}
