/** What one question about a statement may cost the reading thread, which others wait for. */
export const STATEMENT_PAGE = {
  /** Entries whose blocks are looked through: some ten milliseconds. */
  passed: 500_000,
  /** Entries that are looked through where there are no blocks yet: as long. */
  scanned: 20_000,
  /** Entries of the account that are returned. */
  found: 200,
} as const;
