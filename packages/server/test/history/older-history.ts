/** Makes a file of history look like one of an earlier version. */

/** The version of a history that is written today. */
export const NEWEST_VERSION = 9;

/** Reverts the changes after version 7. */
export const WITHOUT_DAY_TABLES = `DROP TABLE trading_days; DROP TABLE trading_days_end; DROP TABLE funds_days;
  ALTER TABLE orders DROP COLUMN self_trade_prevention; ALTER TABLE orders DROP COLUMN strategy_id;
  ALTER TABLE orders DROP COLUMN strategy_type; ALTER TABLE orders DROP COLUMN prevented_lots;
  ALTER TABLE orders DROP COLUMN prevented_match_id; DROP TABLE amendments;
  ALTER TABLE trades DROP COLUMN taker_commission_asset_id; ALTER TABLE trades DROP COLUMN maker_commission_asset_id;
  DROP TABLE discount_fee_days;
  ALTER TABLE order_lists DROP COLUMN kind; ALTER TABLE order_lists DROP COLUMN working_order_id;
  DROP TABLE prevented_matches;
  ALTER TABLE orders DROP COLUMN worked_ms; ALTER TABLE orders DROP COLUMN expiry_reason;
  ALTER TABLE orders DROP COLUMN trailing_delta; ALTER TABLE orders DROP COLUMN trailing_ms;
  ALTER TABLE orders DROP COLUMN peg_to; ALTER TABLE orders DROP COLUMN peg_level;
  ALTER TABLE orders DROP COLUMN pegged_ticks;`;

/** Reverts the changes after version 4. */
export const WITHOUT_LATER_TABLES = `DROP TABLE past_scales; ALTER TABLE transfers DROP COLUMN client_tran_id;
  ${WITHOUT_DAY_TABLES}`;
