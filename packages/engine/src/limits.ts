/** The limits of the engine. A command that exceeds a limit is rejected like any other invalid command. */

/** Maximum number of open orders on the whole exchange. */
export const MAX_OPEN_ORDERS = 1 << 22;
/**
 * Maximum number of slices of one iceberg, even if ICEBERG_PARTS allows more, because one taker may trade with every
 * slice.
 */
export const MAX_ICEBERG_PARTS = 1000;
/** Orders of more lots than this are checked against MAX_LEVEL_LOTS. Smaller orders cannot overflow a price level. */
export const LARGE_ORDER_LOTS = 2 ** 30;
/** Maximum number of lots at one price of a book after a large order is added: half of the largest safe integer. */
export const MAX_LEVEL_LOTS = 2 ** 52;
export const MAX_ACCOUNTS = 10_000_000;
export const MAX_ASSETS = 10_000;
export const MAX_SYMBOLS = 20_000;
export const MAX_API_KEYS_PER_ACCOUNT = 100;
/** Maximum averaging window of a filter, in minutes. */
export const MAX_AVERAGE_PRICE_MINS = 1440;
/** Maximum number of decimals of an asset: as many as the wire format has. */
export const MAX_PRECISION = 8;
/** 100 % in basis points. */
export const BPS_IN_WHOLE = 10_000n;
/**
 * Limits for one unit of a symbol's quote asset, in basis points of the smallest trade. Above the first limit,
 * operators get a warning; above the second, the symbol is rejected unless the operator accepts the rounding.
 */
export const ROUNDING_WARNING_BPS = 1n;
export const MAX_ROUNDING_BPS = 5n;
/** Maximum commission rate, in basis points of the amount received. */
export const MAX_FEE_BPS = 10_000;
/** The largest part of a commission that a discount in another asset leaves: anything below 100 %. */
export const MAX_DISCOUNT_FACTOR_BPS = MAX_FEE_BPS - 1;
/** Maximum number of symbols that are excluded from the discount on commission. */
export const MAX_EXCLUDED_SYMBOLS = 1000;
/** Maximum amount of one deposit or debit, in units of the asset. */
export const MAX_MOVE_UNITS = 10n ** 30n;
/** A user stream expires this long after it was opened or extended. Interface 4.4. */
export const LISTEN_KEY_LIFE_MS = 60 * 60 * 1000;
/** Maximum length of texts from operators: names, labels, references, email addresses. */
export const MAX_TEXT_LENGTH = 256;
/** Withdrawals are summed by the hour of their request (decision 72). */
export const WITHDRAWAL_BUCKET_MS = 60 * 60 * 1000;
/** Maximum number of accounts with their own withdrawal limits. */
export const MAX_ACCOUNT_WITHDRAWAL_LIMITS = 100_000;
/** Maximum number of open withdrawals of one account. */
export const MAX_OPEN_WITHDRAWALS = 100;
/** Maximum number of addresses on the allowlist of one account. */
export const MAX_ALLOWED_ADDRESSES = 100;
/**
 * Maximum waiting time of a new address on an allowlist, and maximum time for which an allowlist stays in force after
 * it is switched off.
 */
export const MAX_ADDRESS_WAIT_MS = 30 * 24 * 60 * 60 * 1000;
export const MAX_SUB_ACCOUNTS = 1000;
export const MAX_NETWORKS_PER_ASSET = 20;
/** Maximum number of client transfer ids that are stored for each master account. Older ones are removed. */
export const MAX_TRANSFER_IDS = 1000;
/** Maximum number of accounts that one dividend distribution pays. */
export const MAX_DIVIDEND_HOLDERS = 1_000_000;
export const MAX_DUST_ASSETS = 100;
/** How long an emailed confirmation link is valid. The withdrawal is cancelled when the link expires. */
export const CONFIRMATION_LIFE_MS = 30 * 60 * 1000;
/** Duration of the first, the second, ... lock of API trading within a day. Interface 3.8. */
export const API_LOCK_MS: readonly number[] = [300_000, 900_000, 3_600_000, 21_600_000, 86_400_000, 259_200_000];
/** Maximum length of a signed transaction as the chain accepts it, in characters. */
export const MAX_SIGNED_TX_LENGTH = 8192;
/** Maximum length of addresses, tags, transaction ids and hashes of chains, in characters. */
export const MAX_CHAIN_TEXT_LENGTH = 128;
/** Maximum length of `withdrawOrderId`, a client's own id for a withdrawal. */
export const MAX_WITHDRAW_ORDER_ID_LENGTH = 64;
/** Maximum length of a secret that the node has sealed. */
export const MAX_SEALED_LENGTH = 1024;
/** Maximum number of signed transactions of one withdrawal: the same payment, with a higher gas price each time. */
export const MAX_SIGNATURES = 100;
/** Maximum number of open deposits on the whole exchange. */
export const MAX_OPEN_DEPOSITS = 1 << 20;
export const MAX_CONFIRMATIONS = 100_000;
/** Maximum number of blockchain networks that a node watches. */
export const MAX_NETWORKS = 1000;
export const MAX_STATUS_OBJS = 20;
/** Maximum number of orders that a fill takes off the counts of the order rate limits. */
export const MAX_FILL_CREDIT = 1000;
/** Maximum number of buckets of a reference price, which each order on the symbol may read, and bounds of their width. */
export const MAX_BUCKETS = 100;
export const MIN_BUCKET_WIDTH_MS = 100;
export const MAX_BUCKET_WIDTH_MS = 24 * 60 * 60 * 1000;
/** Maximum number of order rate limits, each with its own window. */
export const MAX_ORDER_LIMITS = 20;
/** Maximum number of settings that all nodes share, and maximum length of one as JSON. */
export const MAX_SHARED_SETTINGS = 100;
export const MAX_SETTING_LENGTH = 16_384;
/** Maximum window of an order rate limit: 1000 days. */
export const MAX_ORDER_WINDOW_MS = 1000 * 24 * 60 * 60 * 1000;
/** Maximum number of node names in a journal, including nodes that no longer exist. */
export const MAX_NODES = 1000;
export const MAX_NODE_NAME_LENGTH = 64;
/** Maximum length of the name of a release, in characters. */
export const MAX_RELEASE_LENGTH = 64;
/** Maximum number of cluster tasks, each of which one node at a time owns: one per network, and a few others. */
export const MAX_ROLES = MAX_NETWORKS + 24;
/** Maximum length of a task name, which may end with the name of a network. */
export const MAX_ROLE_LENGTH = MAX_TEXT_LENGTH + 16;
/** Maximum pause between two dust conversions that an operator may set. */
export const MAX_DUST_PAUSE_MS = 366 * 24 * 60 * 60 * 1000;
/** Maximum number of recorded candles in one command. A command of this size takes a few milliseconds. */
export const MAX_CANDLES_A_COMMAND = 500;
/** Maximum number of trades in a recorded candle, so that the sum over all minutes of a month is still exact. */
export const MAX_TRADES_A_CANDLE = 1_000_000_000;
/**
 * Maximum number of digits before the decimal point of an amount in a recorded candle, so that the sum over all minutes
 * of a month is still a valid wire amount.
 */
export const MAX_CANDLE_AMOUNT_DIGITS = 15;
/** Maximum daily move of an asset in generated candles, in basis points. */
export const MAX_DAY_MOVE_BPS = 2000;
/** Maximum number of trades per day in generated candles. */
export const MAX_DAY_TRADES = 1_000_000_000;
/** Window over which locks of API trading are counted. Interface 3.8. */
export const API_LOCK_WINDOW_MS = 24 * 60 * 60 * 1000;
/** Maximum number of operators, including disabled ones, which are never deleted because the journal refers to them. */
export const MAX_OPERATORS = 1000;
export const MAX_OPERATOR_NAME_LENGTH = 32;
/**
 * Maximum number of sessions per holder. Opening another one closes the oldest, so that open sessions never lock a
 * holder out.
 */
export const MAX_SESSIONS_A_HOLDER = 20;
/** Maximum duration of a session. */
export const MAX_SESSION_LIFE_MS = 30 * 24 * 60 * 60 * 1000;
/** Maximum length of a browser's user agent, in characters. */
export const MAX_CLIENT_LENGTH = 256;
/** Maximum number of open invitations. */
export const MAX_INVITATIONS = 100_000;
/**
 * From this number of open invitations on, each new sign-up revokes the oldest sign-up invitation, so that visitors
 * cannot block sign-up. The remaining places are reserved for operators' invitations.
 */
export const MAX_INVITATIONS_AT_SIGN_UP = 50_000;
export const MAX_INVITATION_LIFE_MS = 30 * 24 * 60 * 60 * 1000;
/** Maximum time from the request for a password recovery until its link expires. */
export const MAX_RECOVERY_LIFE_MS = 14 * 24 * 60 * 60 * 1000;
/** Withdrawals are held for this long after a password recovery, so that the owner can notice a thief. */
export const RECOVERY_HOLD_MS = 24 * 60 * 60 * 1000;
/** Maximum number of queued emails. */
export const MAX_NOTICES = 100_000;
/** Maximum number of suspensions: of the whole exchange, and of single assets and networks. */
export const MAX_STOPS = 1000;
/** Maximum number of open approval requests. */
export const MAX_PROPOSALS = 1000;
/** Maximum number of open approval requests per author, so that no single operator can use up MAX_PROPOSALS. */
export const MAX_PROPOSALS_OF_AUTHOR = 100;
export const PROPOSAL_LIFE_MS = 7 * 24 * 60 * 60 * 1000;
export const MAX_APPROVALS = 5;
/** Maximum number of versions of an approval request. */
export const MAX_PROPOSAL_VERSIONS = 100;
/** Maximum number of assets in the approval rules. */
export const MAX_APPROVAL_RULES = 1000;
/**
 * Delay between the announcement of an emergency override and its start, in which operators can notice and cancel it.
 */
export const BREAK_GLASS_DELAY_MS = 24 * 60 * 60 * 1000;
/** Maximum number of orders that one entry ends when a symbol's open orders are ended. The next ticks end the rest. */
export const MAX_ENDED_A_STEP = 1000;
/** Maximum number of open unattributed deposits. */
export const MAX_UNKNOWN_DEPOSITS = 100_000;
/** Maximum length of a note on an account, and of an operator's reason, in characters. */
export const MAX_NOTE_LENGTH = 2000;
/**
 * Maximum distance of a trailing stop, in basis points, with or without the filter TRAILING_DELTA: a price never falls by
 * 100 %. It also limits the number of queues in which the trailing stops of a symbol wait.
 */
export const MAX_TRAILING_DELTA = 9_999;
/** Maximum number of price levels between the best price and the one of a pegged order. */
export const MAX_PEG_LEVEL = 100;
