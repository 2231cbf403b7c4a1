/** What one question about a statement may cost the reading thread, which others wait for. */
export const STATEMENT_PAGE = {
  /** Entries that are looked through: some ten milliseconds. */
  scanned: 20_000,
  /** Entries of the account that are returned. */
  found: 200,
} as const;
