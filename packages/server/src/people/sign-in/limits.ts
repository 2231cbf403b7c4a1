/** Every bound of signing in. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@pricetime/engine";

/** Characters of a password. Longer ones cost a sender nothing, and a hash takes what it is given. */
export const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 256;

/**
 * What a guess costs whoever has stolen hashes and the master key: argon2id (RFC 9106), above OWASP's least, which is
 * 19 MiB and two passes. A hash names its own cost, so that another one may follow.
 */
export const HASH_COST = { memoryKiB: 32 * 1024, passes: 2, parallelism: 1 } as const;
/** The highest cost that a stored hash may name. */
export const MAX_HASH_COST = { memoryKiB: 256 * 1024, passes: 10, parallelism: 4 } as const;

export interface HashLimits {
  /** Each takes a thread of Node's pool, which has four and also serves files and compression, and `memoryKiB`. */
  readonly maxAtATime: number;
  /** Those of each line that wait for their turn: see `HashPlace`. Further ones are refused. */
  readonly maxWaiting: number;
  /** Those of one sender in a line that wait or are made, so that nobody fills it alone. */
  readonly maxOfAddress: number;
}
export const HASH_LIMITS: HashLimits = { maxAtATime: 2, maxWaiting: 64, maxOfAddress: 6 };

export interface GuessLimits {
  /** Wrong tries of one sender for one holder before the first pause, */
  readonly freeTries: number;
  /** which is this long, and twice as long after each further one, */
  readonly firstPauseMs: number;
  /** up to this: whoever has the password waits no longer than that, even at an address from which others guess. */
  readonly longestPauseMs: number;
  /** After this long without a wrong try everything is forgotten. */
  readonly forgetAfterMs: number;
  /** Wrong tries of all strangers together for one holder, before strangers take turns. */
  readonly freeTriesOfStrangers: number;
  /** Above `freeTriesOfStrangers`, strangers have one try in so long between them. Familiar senders are not strangers. */
  readonly strangersPauseMs: number;
  /** Senders and holders remembered; beyond this the one that was idle longest is forgotten. */
  readonly maxTracked: number;
  /** Zero bits of each piece of a proof of work that opens a try at the first pause; each further wrong try adds one, */
  readonly firstWorkBits: number;
  /** up to this for customers, whose senders have pauses besides, */
  readonly mostWorkBits: number;
  /** and to this for operators, who may all have one address. */
  readonly mostWorkBitsAtSharedAddress: number;
}
export const GUESS_LIMITS: GuessLimits = {
  freeTries: 5,
  firstPauseMs: 2 * SECOND_MS,
  longestPauseMs: 15 * MINUTE_MS,
  forgetAfterMs: DAY_MS,
  freeTriesOfStrangers: 100,
  strangersPauseMs: MINUTE_MS,
  maxTracked: 100_000,
  firstWorkBits: 12,
  mostWorkBits: 18,
  mostWorkBitsAtSharedAddress: 20,
};

/** Pieces of a proof of work: many small ones take about as long each time, and show how far it is. */
export const WORK_PIECES = 16;
/** A challenge is good for so long: a slow phone takes a minute for the hardest one. */
export const WORK_LIFE_MS = 10 * MINUTE_MS;
/** Used challenges that are remembered; beyond this the one that was used first could be used again. */
export const MAX_USED_WORK = 100_000;

/** A session's secret is renewed when it is older than this, */
export const RENEW_AFTER_MS = HOUR_MS;
/** and the one before it stays good for so long, because requests with it may be under way. */
export const OLD_SECRET_LIFE_MS = MINUTE_MS;

/** A ticket opens one socket within this time. */
export const TICKET_LIFE_MS = 30 * SECOND_MS;
/** Tickets that were not used yet; beyond this the oldest is void. */
export const MAX_TICKETS = 100_000;

export interface LetterLimits {
  readonly windowMs: number;
  /** Letters of a kind that strangers set off to one mail address in a window; more are not sent. */
  readonly toMail: number;
  /** What one address may ask for in a window; more is refused. */
  readonly ofAddress: number;
  /** Names remembered; beyond this the oldest is forgotten. */
  readonly maxTracked: number;
}
export const LETTER_LIMITS: LetterLimits = { windowMs: HOUR_MS, toMail: 3, ofAddress: 20, maxTracked: 100_000 };

/** A browser keeps its mark for so long: as long as browsers keep anything. */
export const MARK_LIFE_MS = 400 * DAY_MS;
/** A two-factor secret that was shown is confirmed within this time. */
export const PENDING_TOTP_LIFE_MS = 15 * MINUTE_MS;

// Every bound of operators' sessions.

/** A session of an operator ends after this, however much it is used: a shift. */
export const OPERATOR_SESSION_MS = 12 * HOUR_MS;
/** One that is not used for so long ends before. */
export const OPERATOR_IDLE_MS = 30 * MINUTE_MS;
/** Sessions whose last use is remembered: all that a thousand operators may have. */
export const MAX_USED_SESSIONS = 20_000;
/** A two-factor secret that was shown must be confirmed within this. */
export const TOTP_PENDING_MS = 10 * MINUTE_MS;
