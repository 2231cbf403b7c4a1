/** The tables of what operators see to besides trading: adjustments, notes, coins of nobody; version 3 of the schema. */
export const DESK_TABLES = `
  -- seq: of the entry that moved the money. amount: below zero when the account paid.
  CREATE TABLE adjustments (
    seq        INTEGER PRIMARY KEY,
    time_ms    INTEGER NOT NULL,
    account_id INTEGER NOT NULL,
    asset_id   INTEGER NOT NULL,
    amount     ANY NOT NULL,
    house      TEXT NOT NULL,
    category   TEXT NOT NULL,
    why        TEXT NOT NULL,
    reference  TEXT NOT NULL,
    by         TEXT NOT NULL
  ) STRICT;
  -- For the account's time line, and for its list.
  CREATE INDEX adjustments_by_account ON adjustments (account_id, time_ms);
  CREATE INDEX adjustments_by_entry ON adjustments (account_id);

  CREATE TABLE account_notes (
    seq        INTEGER PRIMARY KEY,
    time_ms    INTEGER NOT NULL,
    account_id INTEGER NOT NULL,
    text       TEXT NOT NULL,
    by         TEXT NOT NULL
  ) STRICT;
  CREATE INDEX account_notes_by_account ON account_notes (account_id);

  -- seq: of the entry that noted it. amount is a text as the network says it: its asset may not be known.
  CREATE TABLE unknown_deposits (
    seq            INTEGER PRIMARY KEY,
    seen_ms        INTEGER NOT NULL,
    network        TEXT NOT NULL,
    tx_id          TEXT NOT NULL,
    output         INTEGER NOT NULL,
    address        TEXT NOT NULL,
    tag            TEXT NOT NULL,
    coin           TEXT NOT NULL,
    amount         TEXT NOT NULL,
    reason         TEXT NOT NULL,
    status         TEXT NOT NULL,
    account_id     INTEGER,
    why            TEXT NOT NULL,
    update_time_ms INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX unknown_deposits_by_coin ON unknown_deposits (network, tx_id, output);
  CREATE INDEX unknown_deposits_by_status ON unknown_deposits (status);
`;
