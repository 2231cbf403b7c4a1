/** All limits of signing in and sessions. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@pricetime/engine";

/** Minimum and maximum length of a password, in characters. */
export const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 256;

/**
 * The cost of argon2id (RFC 9106), above OWASP's minimum of 19 MiB and two passes. Each hash contains its own cost, so
 * this can be changed.
 */
export const HASH_COST = { memoryKiB: 32 * 1024, passes: 2, parallelism: 1 } as const;
/** Maximum cost accepted in a stored hash. */
export const MAX_HASH_COST = { memoryKiB: 256 * 1024, passes: 10, parallelism: 4 } as const;

export interface HashLimits {
  /**
   * Maximum number of concurrent hashes. Each occupies one of the four threads of Node's pool, which also serve files
   * and compression.
   */
  readonly maxAtATime: number;
  /** Maximum number of waiting hashes per queue; further ones are rejected. */
  readonly maxWaiting: number;
  /** Maximum number of waiting and running hashes per sender in a queue. */
  readonly maxOfAddress: number;
}
export const HASH_LIMITS: HashLimits = { maxAtATime: 2, maxWaiting: 64, maxOfAddress: 6 };

export interface GuessLimits {
  /** Number of failed attempts of one sender for one holder before the first pause. */
  readonly freeTries: number;
  /** The first pause. It doubles with each further failed attempt. */
  readonly firstPauseMs: number;
  /** The maximum pause. */
  readonly longestPauseMs: number;
  /** Counts are reset after this time without a failed attempt. */
  readonly forgetAfterMs: number;
  /**
   * Number of failed attempts of all unfamiliar senders together for one holder, before they share one attempt per
   * pause.
   */
  readonly freeTriesOfStrangers: number;
  /** The pause between attempts of unfamiliar senders above `freeTriesOfStrangers`. */
  readonly strangersPauseMs: number;
  /** Maximum number of senders and holders that are counted. Above it, the longest idle one is dropped. */
  readonly maxTracked: number;
  /** Zero bits of each piece of a proof of work at the first pause. Each further failed attempt adds one bit. */
  readonly firstWorkBits: number;
  /** Maximum number of zero bits for customers. */
  readonly mostWorkBits: number;
  /** Maximum number of zero bits for operators, who may all have the same address. */
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

/**
 * Number of pieces of a proof of work. With many small pieces, the total time varies less, and a page can show
 * progress.
 */
export const WORK_PIECES = 16;
/** How long a challenge is valid. A slow phone needs a minute for the hardest one. */
export const WORK_LIFE_MS = 10 * MINUTE_MS;
/** Maximum number of used challenges that are stored. Above it, the oldest could be used again. */
export const MAX_USED_WORK = 100_000;

/** A session's secret is renewed when it is older than this. */
export const RENEW_AFTER_MS = HOUR_MS;
/** How long the previous secret stays valid, because requests with it may be in progress. */
export const OLD_SECRET_LIFE_MS = MINUTE_MS;

/** How long a WebSocket ticket is valid. */
export const TICKET_LIFE_MS = 30 * SECOND_MS;
/** Maximum number of unused tickets. Above it, the oldest is dropped. */
export const MAX_TICKETS = 100_000;

export interface LetterLimits {
  readonly windowMs: number;
  /** Maximum number of emails of one kind to one recipient per window; further ones are not sent. */
  readonly toMail: number;
  /** Maximum number of requests of one IP address per window; further ones are rejected. */
  readonly ofAddress: number;
  /** Maximum number of windows. Above it, the oldest is dropped. */
  readonly maxTracked: number;
}
export const EMAIL_LIMITS: LetterLimits = { windowMs: HOUR_MS, toMail: 3, ofAddress: 20, maxTracked: 100_000 };

/** Lifetime of a browser's mark: the maximum that browsers allow for cookies. */
export const MARK_LIFE_MS = 400 * DAY_MS;
/** A customer's two-factor secret must be confirmed within this time. */
export const PENDING_TOTP_LIFE_MS = 15 * MINUTE_MS;

/** Lifetime of an operator's session: about one shift. */
export const OPERATOR_SESSION_MS = 12 * HOUR_MS;
/** An operator's session without requests ends after this time. */
export const OPERATOR_IDLE_MS = 30 * MINUTE_MS;
/** Maximum number of operators' sessions whose last use is stored: enough for a thousand operators. */
export const MAX_USED_SESSIONS = 20_000;
/** An operator's two-factor secret must be confirmed within this time. */
export const TOTP_PENDING_MS = 10 * MINUTE_MS;
