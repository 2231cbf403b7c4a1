import type { ExchangeFilterName, FilterName } from "../filters.ts";

/**
 * Why the engine rejects a command. The protocol package has the interface's code and text for each reason
 * (`rejects.ts`, Interface 7.8 and 7.9). A reason is never free text.
 */
export type RejectReason =
  | FilterName
  | ExchangeFilterName
  // Orders.
  | "INVALID_QUANTITY"
  | "MARKET_CLOSED"
  | "CANCEL_ONLY"
  | "INSUFFICIENT_BALANCE"
  | "DUPLICATE_ORDER"
  | "UNKNOWN_ORDER"
  | "CANCEL_IDS_DISAGREE"
  | "CANCEL_RESTRICTED"
  | "AMEND_NOT_SUPPORTED"
  | "AMEND_INCREASES"
  | "AMEND_CHANGES_NOTHING"
  | "AMEND_PENDING_OPO"
  | "UNKNOWN_SYMBOL"
  | "ORDER_TYPE_NOT_SUPPORTED"
  | "ICEBERG_NOT_SUPPORTED"
  | "ICEBERG_EXCEEDS_QUANTITY"
  | "QUOTE_ORDER_QTY_NOT_SUPPORTED"
  | "UNSUPPORTED_COMBINATION"
  | "SELF_TRADE_PREVENTION_NOT_ALLOWED"
  | "WOULD_MATCH_IMMEDIATELY"
  | "WOULD_TRIGGER_IMMEDIATELY"
  | "TRAILING_STOP_NOT_SUPPORTED"
  | "PEG_NOT_SUPPORTED"
  | "PEG_ORDER_TYPE"
  | "PEG_PRICE_TYPE"
  | "PEG_LEVEL_MISSING"
  | "OCO_NOT_SUPPORTED"
  | "OCO_BAD_PRICES"
  | "OTO_NOT_SUPPORTED"
  | "OPO_NOT_SUPPORTED"
  | "ACCOUNT_MAY_NOT_TRADE"
  | "TOO_MANY_OPEN_ORDERS"
  // User streams.
  | "UNKNOWN_LISTEN_KEY"
  | "LISTEN_KEYS_RETIRED"
  // Operator commands.
  | "UNKNOWN_ACCOUNT"
  | "UNKNOWN_ASSET"
  | "UNKNOWN_API_KEY"
  | "ALREADY_EXISTS"
  | "INVALID_VALUE"
  | "TOO_MANY"
  | "ROUNDING_TOO_COARSE"
  // Nodes of a cluster.
  | "STALE_BATCH"
  | "ROLE_TAKEN"
  // Candles from before the first trade.
  | "PAST_OVERLAPS"
  | "PAST_NOT_OVER"
  | "ORDERS_WAIT"
  // The venue.
  | "MAINTENANCE"
  | "API_TRADING_LOCKED"
  | WalletRejectReason;

/** Reasons that the engine gives only for commands of the wallet, of sign-in, and of operators. */
export type WalletRejectReason =
  // Deposits.
  | "UNKNOWN_NETWORK"
  | "UNKNOWN_ADDRESS"
  | "UNKNOWN_DEPOSIT"
  | "WRONG_STATUS"
  | "DEPOSIT_SUSPENDED"
  | "DEPOSIT_BELOW_MINIMUM"
  | "DEPOSIT_NOT_A_MULTIPLE"
  // Withdrawals.
  | "UNKNOWN_WITHDRAWAL"
  | "WITHDRAWAL_SUSPENDED"
  | "ACCOUNT_MAY_NOT_WITHDRAW"
  | "WITHDRAWAL_BELOW_MINIMUM"
  | "WITHDRAWAL_ABOVE_MAXIMUM"
  | "WITHDRAWAL_NOT_A_MULTIPLE"
  | "WITHDRAWAL_BELOW_FEE"
  | "ADDRESS_NOT_ALLOWED"
  | "ADDRESS_IS_OWN"
  | "TOTP_REQUIRED"
  | "TOTP_REUSED"
  | "WRONG_CONFIRMATION"
  | "TOTP_DIFFERS"
  | "TRANSACTION_DIFFERS"
  | "WITHDRAWAL_DIFFERS"
  | "ALREADY_SIGNED"
  // Sub-accounts.
  | "MASTER_ONLY"
  | "NOT_RELATED"
  | "SAME_ACCOUNT"
  // Dust and dividends.
  | "DUST_NOT_OFFERED"
  | "DUST_ASSET_ITSELF"
  | "DUST_TOO_MUCH"
  | "DUST_TOO_LITTLE"
  | "DUST_TOO_SOON"
  | "NO_PRICE"
  | "TREASURY_SHORT"
  | "NO_HOLDERS"
  // Sign-in.
  | "UNKNOWN_INVITATION"
  | "UNKNOWN_SESSION"
  | "UNKNOWN_RECOVERY"
  | "UNKNOWN_LETTER"
  | "PASSWORD_DIFFERS"
  | "TOO_SOON"
  // Operators, and the venue as a whole.
  | "UNKNOWN_OPERATOR"
  | "NOT_PERMITTED"
  | "NEEDS_TWO"
  | "UNKNOWN_PROPOSAL"
  | "PROPOSAL_CHANGED"
  | "OWN_PROPOSAL"
  | "TOO_FEW_OPERATORS"
  | "UNKNOWN_STOP"
  | "STOPPED"
  // Ending orders, and delisting of symbols.
  | "SYMBOL_TRADES"
  | "ORDERS_ARE_ENDING"
  | "DELISTED"
  // A repeated id with other contents, or with contents that cannot be compared because the first ones were not stored.
  | "REPEAT_DIFFERS"
  | "CONTENTS_NOT_KEPT"
  // Two accounts whose email addresses differ only in case.
  | "EMAIL_SHARED";
