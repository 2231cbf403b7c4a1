/** How many audits of a node are under way or wait; whoever comes beyond is told to ask again. */
export const AUDIT_LIMITS = {
  /** Those that replay the journal: one may take minutes. */
  replays: 1,
  /** Those that read what is kept, which take milliseconds. */
  reads: 64,
};
