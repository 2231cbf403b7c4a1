/** The table of how people came in; version 4 of the schema. */
export const ACCESS_TABLES = `
  -- Commands of signed-in customers, which name no operator; the others are in operator_acts.
  CREATE TABLE access_acts (
    seq        INTEGER PRIMARY KEY,
    time_ms    INTEGER NOT NULL,
    type       TEXT NOT NULL,
    account_id INTEGER NOT NULL,
    outcome    TEXT NOT NULL,
    details    TEXT NOT NULL
  ) STRICT;
  CREATE INDEX access_acts_by_account ON access_acts (account_id);
`;
