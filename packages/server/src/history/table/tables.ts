/**
 * Tables of history other than those of trading (`schema.ts`): access commands, operators' records, funds movements
 * other than trades, and trading conduct.
 */

/**
 * Funds movements other than trades, and trading conduct; part of version 1 of the schema (`schema.ts`). An account's
 * list can be filtered by asset and status. Each filter has its own index, so every page costs the same.
 */
export const WALLET_TABLES = `
  -- Pending, credited and final ones: a row goes when the chain takes its coin back.
  CREATE TABLE deposits (
    deposit_id     INTEGER PRIMARY KEY,
    account_id     INTEGER NOT NULL,
    asset_id       INTEGER NOT NULL,
    amount         ANY NOT NULL,
    network        TEXT NOT NULL,
    tx_id          TEXT NOT NULL,
    output         INTEGER NOT NULL,
    address        TEXT NOT NULL,
    tag            TEXT NOT NULL,
    status         INTEGER NOT NULL,
    insert_time_ms INTEGER NOT NULL,
    update_time_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX deposits_by_account ON deposits (account_id, insert_time_ms);
  CREATE INDEX deposits_by_asset ON deposits (account_id, asset_id, insert_time_ms);
  CREATE INDEX deposits_by_status ON deposits (account_id, status, insert_time_ms);
  CREATE INDEX deposits_by_asset_and_status ON deposits (account_id, asset_id, status, insert_time_ms);
  CREATE INDEX deposits_by_tx ON deposits (account_id, tx_id, insert_time_ms);

  -- seq: of the entry that requested it.
  CREATE TABLE withdrawals (
    seq               INTEGER PRIMARY KEY,
    withdrawal_id     TEXT NOT NULL UNIQUE,
    account_id        INTEGER NOT NULL,
    withdraw_order_id TEXT NOT NULL,
    asset_id          INTEGER NOT NULL,
    amount            ANY NOT NULL,
    fee               ANY NOT NULL,
    network           TEXT NOT NULL,
    address           TEXT NOT NULL,
    tag               TEXT NOT NULL,
    name              TEXT NOT NULL,
    apply_time_ms     INTEGER NOT NULL,
    status            INTEGER NOT NULL,
    tx_id             TEXT NOT NULL,
    why               TEXT NOT NULL,
    update_time_ms    INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX withdrawals_by_account ON withdrawals (account_id, apply_time_ms);
  CREATE INDEX withdrawals_by_asset ON withdrawals (account_id, asset_id, apply_time_ms);
  CREATE INDEX withdrawals_by_status ON withdrawals (account_id, status, apply_time_ms);
  CREATE INDEX withdrawals_by_asset_and_status ON withdrawals (account_id, asset_id, status, apply_time_ms);
  CREATE INDEX withdrawals_by_order_id ON withdrawals (account_id, withdraw_order_id, apply_time_ms);
  CREATE INDEX withdrawals_by_tx ON withdrawals (account_id, tx_id, apply_time_ms);

  CREATE TABLE transfers (
    tran_id         INTEGER PRIMARY KEY,
    time_ms         INTEGER NOT NULL,
    master_id       INTEGER NOT NULL,
    from_account_id INTEGER NOT NULL,
    to_account_id   INTEGER NOT NULL,
    asset_id        INTEGER NOT NULL,
    amount          ANY NOT NULL
  ) STRICT;
  CREATE INDEX transfers_by_master ON transfers (master_id, time_ms);
  -- Each transfer twice: for the account it came from and the one it went to.
  CREATE TABLE account_transfers (
    account_id INTEGER NOT NULL,
    time_ms    INTEGER NOT NULL,
    tran_id    INTEGER NOT NULL,
    PRIMARY KEY (account_id, time_ms, tran_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE dust_conversions (
    tran_id       INTEGER NOT NULL,
    account_id    INTEGER NOT NULL,
    asset_id      INTEGER NOT NULL,
    amount        ANY NOT NULL,
    dust_asset_id INTEGER NOT NULL,
    received      ANY NOT NULL,
    charge        ANY NOT NULL,
    time_ms       INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX dust_conversions_by_account ON dust_conversions (account_id, time_ms);

  CREATE TABLE dividends (
    account_id INTEGER NOT NULL,
    tran_id    INTEGER NOT NULL,
    asset_id   INTEGER NOT NULL,
    amount     ANY NOT NULL,
    info       TEXT NOT NULL,
    time_ms    INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX dividends_by_account ON dividends (account_id, time_ms);
  CREATE INDEX dividends_by_asset ON dividends (account_id, asset_id, time_ms);

  -- What a customer had when a day (UTC, counted from 1970) was over; only of days on which it changed.
  CREATE TABLE day_balances (
    account_id INTEGER NOT NULL,
    asset_id   INTEGER NOT NULL,
    day        INTEGER NOT NULL,
    free       ANY NOT NULL,
    locked     ANY NOT NULL,
    PRIMARY KEY (account_id, asset_id, day)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE api_trading_locks (
    seq        INTEGER PRIMARY KEY,
    time_ms    INTEGER NOT NULL,
    account_id INTEGER NOT NULL,
    until_ms   INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX api_trading_locks_by_account ON api_trading_locks (account_id);

  -- What the rules of API trading count (Interface 3.8): orders placed in half minutes of the last ten
  -- minutes, apart by the last lock before them. Values are ticks times lots.
  CREATE TABLE conduct (
    account_id             INTEGER NOT NULL,
    symbol_id              INTEGER NOT NULL,
    period                 INTEGER NOT NULL,
    lock_seq               INTEGER NOT NULL,
    orders                 INTEGER NOT NULL,
    submitted              ANY NOT NULL,
    filled                 ANY NOT NULL,
    immediate              INTEGER NOT NULL,
    immediate_expired      INTEGER NOT NULL,
    good_till_cancel       INTEGER NOT NULL,
    good_till_cancel_quick INTEGER NOT NULL,
    PRIMARY KEY (account_id, symbol_id, period, lock_seq)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX conduct_by_period ON conduct (period);
`;

/** Operators' records other than trading: adjustments, notes, unattributed deposits. Version 3 of the schema. */
export const OPERATOR_TABLES = `
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

/** Access commands. Version 4 of the schema. */
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

/** Sums by day (UTC, counted from 1970) for the dashboard of the business. Version 8 of the schema. */
export const DAY_TABLES = `
  -- Both sides of each trade by account; account 0 has the whole venue, with each trade once.
  -- quote and quote_fees are in the quote asset, base_fees in the base asset.
  CREATE TABLE trading_days (
    day        INTEGER NOT NULL,
    account_id INTEGER NOT NULL,
    symbol_id  INTEGER NOT NULL,
    trades     INTEGER NOT NULL,
    quote      ANY NOT NULL,
    base_fees  ANY NOT NULL,
    quote_fees ANY NOT NULL,
    PRIMARY KEY (day, account_id, symbol_id)
  ) STRICT, WITHOUT ROWID;
  -- trading_days contains the trades before this time. No row without trades.
  CREATE TABLE trading_days_end (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    time_ms INTEGER NOT NULL
  ) STRICT;

  -- Money from and to outside, and fees other than those of trades. deposits: less those that the chain took back.
  CREATE TABLE funds_days (
    day         INTEGER NOT NULL,
    account_id  INTEGER NOT NULL,
    asset_id    INTEGER NOT NULL,
    deposits    ANY NOT NULL,
    withdrawals ANY NOT NULL,
    fees        ANY NOT NULL,
    PRIMARY KEY (day, account_id, asset_id)
  ) STRICT, WITHOUT ROWID;
`;

/** The additions of rules version 5. Version 9 of the schema. */
export const TODAY_TABLES = `
  ALTER TABLE orders ADD COLUMN self_trade_prevention INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE orders ADD COLUMN strategy_id INTEGER NOT NULL DEFAULT -1;
  ALTER TABLE orders ADD COLUMN strategy_type INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE orders ADD COLUMN prevented_lots INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE orders ADD COLUMN prevented_match_id INTEGER NOT NULL DEFAULT -1;
  ALTER TABLE orders ADD COLUMN worked_ms INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE orders ADD COLUMN expiry_reason INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE orders ADD COLUMN trailing_delta INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE orders ADD COLUMN trailing_ms INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE orders ADD COLUMN peg_to INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE orders ADD COLUMN peg_level INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE orders ADD COLUMN pegged_ticks INTEGER NOT NULL DEFAULT 0;

  -- The asset of a commission that was not paid in the asset received; otherwise NULL.
  ALTER TABLE trades ADD COLUMN taker_commission_asset_id INTEGER;
  ALTER TABLE trades ADD COLUMN maker_commission_asset_id INTEGER;

  -- Fees as in trading_days that were not paid in the asset received.
  CREATE TABLE discount_fee_days (
    day        INTEGER NOT NULL,
    account_id INTEGER NOT NULL,
    symbol_id  INTEGER NOT NULL,
    asset_id   INTEGER NOT NULL,
    fees       ANY NOT NULL,
    PRIMARY KEY (day, account_id, symbol_id, asset_id)
  ) STRICT, WITHOUT ROWID;

  -- kind: 0 is OCO. working_order_id: 0 for OCO. stop_order_id: for OTO and OPO, the pending order; limit_order_id is 0.
  ALTER TABLE order_lists ADD COLUMN kind INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE order_lists ADD COLUMN working_order_id INTEGER NOT NULL DEFAULT 0;

  -- The quantity of an open order was reduced.
  CREATE TABLE amendments (
    order_id             INTEGER NOT NULL,
    execution_id         INTEGER NOT NULL,
    time_ms              INTEGER NOT NULL,
    orig_client_order_id TEXT NOT NULL,
    new_client_order_id  TEXT NOT NULL,
    orig_lots            INTEGER NOT NULL,
    new_lots             INTEGER NOT NULL,
    PRIMARY KEY (order_id, execution_id)
  ) STRICT, WITHOUT ROWID;

  -- Trades that self-trade prevention prevented. trade_group_id: -1 if the accounts belong to no group.
  CREATE TABLE prevented_matches (
    symbol_id          INTEGER NOT NULL,
    prevented_match_id INTEGER NOT NULL,
    time_ms            INTEGER NOT NULL,
    mode               INTEGER NOT NULL,
    trade_group_id     INTEGER NOT NULL,
    price_ticks        INTEGER NOT NULL,
    taker_account_id   INTEGER NOT NULL,
    taker_order_id     INTEGER NOT NULL,
    taker_lots         INTEGER NOT NULL,
    maker_account_id   INTEGER NOT NULL,
    maker_order_id     INTEGER NOT NULL,
    maker_lots         INTEGER NOT NULL,
    PRIMARY KEY (symbol_id, prevented_match_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX prevented_matches_by_taker ON prevented_matches (taker_order_id, prevented_match_id);
  CREATE INDEX prevented_matches_by_maker ON prevented_matches (maker_order_id, prevented_match_id);
`;
