/** Every bound of the engine, by name. Reaching a bound is an ordinary refusal. */

/** Open orders on the whole exchange. */
export const MAX_OPEN_ORDERS = 1 << 22;
/** Slices of one iceberg, whatever ICEBERG_PARTS allows: one taker may have to trade with each of them. */
export const MAX_ICEBERG_PARTS = 1000;
/** Orders above this many lots are checked against MAX_LEVEL_LOTS; smaller ones cannot overflow a level. */
export const LARGE_ORDER_LOTS = 2 ** 30;
/** Lots to which large orders may fill one price of a book: half of what a safe integer holds. */
export const MAX_LEVEL_LOTS = 2 ** 52;
export const MAX_ACCOUNTS = 10_000_000;
export const MAX_ASSETS = 10_000;
export const MAX_SYMBOLS = 20_000;
export const MAX_API_KEYS_PER_ACCOUNT = 100;
/** Longest averaging window of a filter. */
export const MAX_AVERAGE_PRICE_MINS = 1440;
/** Decimals of an asset's smallest unit, as many as the wire shows. */
export const MAX_PRECISION = 8;
/** Basis points in a whole. */
export const BPS_IN_WHOLE = 10_000n;
/**
 * One unit of a symbol's quote asset, in basis points of the smallest trade: above the first an operator is warned, above
 * the second the symbol is rejected unless the operator accepts it.
 */
export const ROUNDING_WARNING_BPS = 1n;
export const MAX_ROUNDING_BPS = 5n;
/** Rates are basis points of the amount received. */
export const MAX_FEE_BPS = 10_000;
/** Amount of one deposit or debit, in units of the asset. */
export const MAX_MOVE_UNITS = 10n ** 30n;
/** A user stream lives this long after it was opened or kept alive. Interface 4.4. */
export const LISTEN_KEY_LIFE_MS = 60 * 60 * 1000;
/** Text that an operator sends: names, labels, references, mail addresses. */
export const MAX_TEXT_LENGTH = 256;
/** Withdrawals are counted by the hour of their request (decision 72). */
export const WITHDRAWAL_BUCKET_MS = 60 * 60 * 1000;
/** Limits that accounts have instead of those of an asset. */
export const MAX_ACCOUNT_WITHDRAWAL_LIMITS = 100_000;
/** Open withdrawals of one account. */
export const MAX_OPEN_WITHDRAWALS = 100;
/** Addresses on the list of one account. */
export const MAX_ALLOWED_ADDRESSES = 100;
/** Longest time that an address waits on a list, and that a list holds after somebody has ended it. */
export const MAX_ADDRESS_WAIT_MS = 30 * 24 * 60 * 60 * 1000;
export const MAX_SUB_ACCOUNTS = 1000;
export const MAX_NETWORKS_PER_ASSET = 20;
/** Clients' own ids of transfers that are remembered of one master account: the newest. */
export const MAX_TRANSFER_IDS = 1000;
/** Holders that one distribution pays. */
export const MAX_DIVIDEND_HOLDERS = 1_000_000;
export const MAX_DUST_ASSETS = 100;
/** Life of a mailed confirmation link; the withdrawal is cancelled when it ends. */
export const CONFIRMATION_LIFE_MS = 30 * 60 * 1000;
/** Duration of the first, the second, ... lock of API trading within a day. Interface 3.8. */
export const API_LOCK_MS: readonly number[] = [5, 15, 60, 360, 1440, 4320].map((minutes) => minutes * 60_000);
/** A transaction in the form that a chain accepts, in characters. */
export const MAX_SIGNED_TX_LENGTH = 8192;
/** Addresses, tags, transaction ids and hashes of chains, in characters. */
export const MAX_CHAIN_TEXT_LENGTH = 128;
/** A client's own id of a withdrawal. */
export const MAX_WITHDRAW_ORDER_ID_LENGTH = 64;
/** A secret that the node has sealed. */
export const MAX_SEALED_LENGTH = 1024;
/** Signed transactions of one withdrawal: the same payment, at a higher price each time. */
export const MAX_SIGNATURES = 100;
/** Deposits on their way, on the whole exchange. */
export const MAX_OPEN_DEPOSITS = 1 << 20;
export const MAX_CONFIRMATIONS = 100_000;
/** Networks that a node reads. */
export const MAX_NETWORKS = 1000;
export const MAX_STATUS_OBJS = 20;
/** An order list counts as two orders in the limits on orders. Interface S.17. */
export const ORDERS_OF_A_LIST = 2;
/** Limits on orders, each with windows of its own. */
export const MAX_ORDER_LIMITS = 20;
/** Settings that nodes have alike, and the length of one as JSON. */
export const MAX_SHARED_SETTINGS = 100;
export const MAX_SETTING_LENGTH = 16_384;
/** The longest window of a limit on orders: 1000 days. */
export const MAX_ORDER_WINDOW_MS = 1000 * 24 * 60 * 60 * 1000;
/** Names of nodes that a journal has known, those long gone among them. */
export const MAX_NODES = 1000;
export const MAX_NODE_NAME_LENGTH = 64;
/** The name of a release, in characters. */
export const MAX_RELEASE_LENGTH = 64;
/** Roles of which one node at a time is the holder: one for each network, and few others. */
export const MAX_ROLES = MAX_NETWORKS + 24;
/** Names of roles end in those of networks. */
export const MAX_ROLE_LENGTH = MAX_TEXT_LENGTH + 16;
/** Longest pause that an operator may set between two conversions of dust. */
export const MAX_DUST_PAUSE_MS = 366 * 24 * 60 * 60 * 1000;
/** Recorded candles in one command: some milliseconds of work. */
export const MAX_CANDLES_A_COMMAND = 500;
/** Trades of a recorded candle: the sum over a month of minutes is still exact. */
export const MAX_TRADES_A_CANDLE = 1_000_000_000;
/** Digits before the point of an amount in a recorded candle: a month of minutes stays a valid wire amount. */
export const MAX_CANDLE_AMOUNT_DIGITS = 15;
/** Largest daily move of an asset in a generated past. */
export const MAX_DAY_MOVE_BPS = 2000;
/** Trades a day in a generated past. */
export const MAX_DAY_TRADES = 1_000_000_000;
/** The time over which locks of API trading are counted. Interface 3.8. */
export const API_LOCK_WINDOW_MS = 24 * 60 * 60 * 1000;
/** Operators, those who left among them: the journal names them for ever. */
export const MAX_OPERATORS = 1000;
export const MAX_OPERATOR_NAME_LENGTH = 32;
/** Sessions of one holder; one more ends the oldest, so nobody is locked out by sessions of others. */
export const MAX_SESSIONS_A_HOLDER = 20;
/** Longest life of a session. */
export const MAX_SESSION_LIFE_MS = 30 * 24 * 60 * 60 * 1000;
/** What a browser calls itself, and the address that it comes from. */
export const MAX_CLIENT_LENGTH = 256;
/** Invitations that nobody has accepted. */
export const MAX_INVITATIONS = 100_000;
/**
 * From so many on, another sign-up ends the oldest invitation of a sign-up: strangers keep nobody from signing up, and
 * leave the rest for those whom operators invite.
 */
export const MAX_INVITATIONS_AT_SIGN_UP = 50_000;
export const MAX_INVITATION_LIFE_MS = 30 * 24 * 60 * 60 * 1000;
/** Time from the question to the end of a recovery. */
export const MAX_RECOVERY_LIFE_MS = 14 * 24 * 60 * 60 * 1000;
/** After a recovery nothing may be withdrawn for so long: the holder can notice a thief. */
export const RECOVERY_HOLD_MS = 24 * 60 * 60 * 1000;
/** Letters that are owed and not sent. */
export const MAX_NOTICES = 100_000;
/** Stops at a time: of the venue, and of single coins and networks. */
export const MAX_STOPS = 1000;
/** Proposals at a time, and how long one waits. */
export const MAX_PROPOSALS = 1000;
/** Those of one author, so that no operator takes the places of all others. */
export const MAX_PROPOSALS_OF_AUTHOR = 100;
export const PROPOSAL_LIFE_MS = 7 * 24 * 60 * 60 * 1000;
export const MAX_APPROVALS = 5;
/** Versions of a proposal. */
export const MAX_PROPOSAL_VERSIONS = 100;
/** Assets in the rules of approval. */
export const MAX_APPROVAL_RULES = 1000;
/** From the announcement to the end of the rules: time to see it and to stop it. */
export const BREAK_GLASS_DELAY_MS = 24 * 60 * 60 * 1000;
/** Open orders of a symbol that end in one entry; those left follow with the next ticks. */
export const MAX_ENDED_A_STEP = 1000;
/** Coins of nobody that wait for an operator. */
export const MAX_UNKNOWN_DEPOSITS = 100_000;
/** A note on an account, and an operator's reason, in characters. */
export const MAX_NOTE_LENGTH = 2000;
