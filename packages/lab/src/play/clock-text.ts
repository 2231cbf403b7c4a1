/** Times of a scenario, as people read them. */

const DAY_MS = 86_400_000;

/** Since the start, as `00:10:00`, with milliseconds where there are any. */
export function clockText(ms: number): string {
  const text = new Date(ms).toISOString().slice(11, 23);
  const days = Math.floor(ms / DAY_MS);
  return (days > 0 ? `${days}d ` : "") + (text.endsWith(".000") ? text.slice(0, 8) : text);
}
