/** Every limit of the engine, by name. Exceeding a limit is an ordinary rejection. */

/** Maximum number of open orders on the whole exchange. */
export const MAX_OPEN_ORDERS = 1 << 22;
/**
 * Maximum number of slices of one iceberg, whatever ICEBERG_PARTS allows, because one taker may have to trade with each
 * of them.
 */
export const MAX_ICEBERG_PARTS = 1000;
/** Orders above this many lots are checked against MAX_LEVEL_LOTS; smaller ones cannot overflow a level. */
export const LARGE_ORDER_LOTS = 2 ** 30;
/** Maximum number of lots to which large orders may fill one price of a book: half of what a safe integer holds. */
export const MAX_LEVEL_LOTS = 2 ** 52;
export const MAX_ACCOUNTS = 10_000_000;
export const MAX_ASSETS = 10_000;
export const MAX_SYMBOLS = 20_000;
export const MAX_API_KEYS_PER_ACCOUNT = 100;
/** The longest averaging window of a filter. */
export const MAX_AVERAGE_PRICE_MINS = 1440;
/** Maximum number of decimals of an asset's smallest unit, which is what the wire format shows. */
export const MAX_PRECISION = 8;
/** 100 % in basis points. */
export const BPS_IN_WHOLE = 10_000n;
/**
 * One unit of a symbol's quote asset, in basis points of the smallest trade: above the first value an operator is
 * warned, above the second the symbol is rejected unless the operator accepts the rounding.
 */
export const ROUNDING_WARNING_BPS = 1n;
export const MAX_ROUNDING_BPS = 5n;
/** Rates are basis points of the amount received. */
export const MAX_FEE_BPS = 10_000;
/** The maximum amount of one deposit or debit, in units of the asset. */
export const MAX_MOVE_UNITS = 10n ** 30n;
/** A user stream expires this long after it was opened or extended. Interface 4.4. */
export const LISTEN_KEY_LIFE_MS = 60 * 60 * 1000;
/** Maximum length of texts from operators: names, labels, references, email addresses. */
export const MAX_TEXT_LENGTH = 256;
/** Withdrawals are counted by the hour of their request (decision 72). */
export const WITHDRAWAL_BUCKET_MS = 60 * 60 * 1000;
/** Maximum number of accounts with their own withdrawal limits. */
export const MAX_ACCOUNT_WITHDRAWAL_LIMITS = 100_000;
/** Maximum number of open withdrawals of one account. */
export const MAX_OPEN_WITHDRAWALS = 100;
/** Maximum number of addresses on the allowlist of one account. */
export const MAX_ALLOWED_ADDRESSES = 100;
/**
 * The longest time that an address waits on an allowlist, and that an allowlist stays in force after it was switched
 * off.
 */
export const MAX_ADDRESS_WAIT_MS = 30 * 24 * 60 * 60 * 1000;
export const MAX_SUB_ACCOUNTS = 1000;
export const MAX_NETWORKS_PER_ASSET = 20;
/** Maximum number of client ids of transfers that are stored for one master account: the newest ones. */
export const MAX_TRANSFER_IDS = 1000;
/** Maximum number of holders that one distribution pays. */
export const MAX_DIVIDEND_HOLDERS = 1_000_000;
export const MAX_DUST_ASSETS = 100;
/** The validity of an emailed confirmation link. The withdrawal is cancelled when it expires. */
export const CONFIRMATION_LIFE_MS = 30 * 60 * 1000;
/** Duration of the first, the second, ... lock of API trading within a day. Interface 3.8. */
export const API_LOCK_MS: readonly number[] = [300_000, 900_000, 3_600_000, 21_600_000, 86_400_000, 259_200_000];
/** Maximum length of a transaction in the form that a chain accepts, in characters. */
export const MAX_SIGNED_TX_LENGTH = 8192;
/** Maximum length of addresses, tags, transaction ids and hashes of chains, in characters. */
export const MAX_CHAIN_TEXT_LENGTH = 128;
/** Maximum length of a client's own id of a withdrawal. */
export const MAX_WITHDRAW_ORDER_ID_LENGTH = 64;
/** Maximum length of a secret that the node has sealed. */
export const MAX_SEALED_LENGTH = 1024;
/** Maximum number of signed transactions of one withdrawal: the same payment, with a higher gas price each time. */
export const MAX_SIGNATURES = 100;
/** Maximum number of open deposits on the whole exchange. */
export const MAX_OPEN_DEPOSITS = 1 << 20;
export const MAX_CONFIRMATIONS = 100_000;
/** Maximum number of networks that a node reads. */
export const MAX_NETWORKS = 1000;
export const MAX_STATUS_OBJS = 20;
/** An order list counts as two orders in the limits on orders. Interface S.17. */
export const ORDERS_OF_A_LIST = 2;
/** Maximum number of limits on orders, each with its own windows. */
export const MAX_ORDER_LIMITS = 20;
/** Maximum number of settings that all nodes share, and maximum length of one as JSON. */
export const MAX_SHARED_SETTINGS = 100;
export const MAX_SETTING_LENGTH = 16_384;
/** The longest window of a limit on orders: 1000 days. */
export const MAX_ORDER_WINDOW_MS = 1000 * 24 * 60 * 60 * 1000;
/** Maximum number of node names in a journal, including nodes that no longer exist. */
export const MAX_NODES = 1000;
export const MAX_NODE_NAME_LENGTH = 64;
/** Maximum length of the name of a release, in characters. */
export const MAX_RELEASE_LENGTH = 64;
/** Maximum number of tasks of which one node at a time is the owner: one for each network, and a few others. */
export const MAX_ROLES = MAX_NETWORKS + 24;
/** Task names end with the name of a network. */
export const MAX_ROLE_LENGTH = MAX_TEXT_LENGTH + 16;
/** The longest pause that an operator may set between two conversions of dust. */
export const MAX_DUST_PAUSE_MS = 366 * 24 * 60 * 60 * 1000;
/** Maximum number of recorded candles in one command, which take some milliseconds to process. */
export const MAX_CANDLES_A_COMMAND = 500;
/** Maximum number of trades of a recorded candle. The sum over a month of minutes is still exact. */
export const MAX_TRADES_A_CANDLE = 1_000_000_000;
/**
 * Maximum number of digits before the point of an amount in a recorded candle. A month of minutes is still a valid wire
 * amount.
 */
export const MAX_CANDLE_AMOUNT_DIGITS = 15;
/** The largest daily move of an asset in generated candles. */
export const MAX_DAY_MOVE_BPS = 2000;
/** Maximum number of trades per day in generated candles. */
export const MAX_DAY_TRADES = 1_000_000_000;
/** The time over which locks of API trading are counted. Interface 3.8. */
export const API_LOCK_WINDOW_MS = 24 * 60 * 60 * 1000;
/** Maximum number of operators, including disabled ones, because the journal refers to them permanently. */
export const MAX_OPERATORS = 1000;
export const MAX_OPERATOR_NAME_LENGTH = 32;
/**
 * Maximum number of sessions of one holder. One more closes the oldest, so that a holder is never locked out by open
 * sessions.
 */
export const MAX_SESSIONS_A_HOLDER = 20;
/** The longest duration of a session. */
export const MAX_SESSION_LIFE_MS = 30 * 24 * 60 * 60 * 1000;
/** Maximum length of a browser's user agent with its address. */
export const MAX_CLIENT_LENGTH = 256;
/** Maximum number of invitations that were not accepted. */
export const MAX_INVITATIONS = 100_000;
/**
 * From this number on, another sign-up ends the oldest invitation of a sign-up, so that visitors cannot block sign-up,
 * and the remaining places are available for invitations by operators.
 */
export const MAX_INVITATIONS_AT_SIGN_UP = 50_000;
export const MAX_INVITATION_LIFE_MS = 30 * 24 * 60 * 60 * 1000;
/** The longest time from the request to the end of a recovery. */
export const MAX_RECOVERY_LIFE_MS = 14 * 24 * 60 * 60 * 1000;
/** After a recovery, withdrawals are held for this long, so that the holder can notice a thief. */
export const RECOVERY_HOLD_MS = 24 * 60 * 60 * 1000;
/** Maximum number of emails that are still to be sent. */
export const MAX_NOTICES = 100_000;
/** Maximum number of suspensions: of the whole exchange, and of single assets and networks. */
export const MAX_STOPS = 1000;
/** Maximum number of open approval requests, and how long one stays open. */
export const MAX_PROPOSALS = 1000;
/** Maximum number of open approval requests of one author, so that no operator can use up the limit for all. */
export const MAX_PROPOSALS_OF_AUTHOR = 100;
export const PROPOSAL_LIFE_MS = 7 * 24 * 60 * 60 * 1000;
export const MAX_APPROVALS = 5;
/** Maximum number of versions of an approval request. */
export const MAX_PROPOSAL_VERSIONS = 100;
/** Maximum number of assets in the approval rules. */
export const MAX_APPROVAL_RULES = 1000;
/**
 * The time from the announcement of an emergency override until it takes effect, in which it can be noticed and
 * cancelled.
 */
export const BREAK_GLASS_DELAY_MS = 24 * 60 * 60 * 1000;
/** Maximum number of open orders of a symbol that end in one entry. The rest follows with the next ticks. */
export const MAX_ENDED_A_STEP = 1000;
/** Maximum number of open unattributed deposits. */
export const MAX_UNKNOWN_DEPOSITS = 100_000;
/** Maximum length of a note on an account, and of an operator's reason, in characters. */
export const MAX_NOTE_LENGTH = 2000;
