/** Bounds of the faults of a lab. */
import { DAY_MS } from "@pricetime/engine";

/** Faults in the list at a time; further ones are refused. */
export const MAX_FAULTS = 200;
/** A fault tells so many of what it struck: the first, and the latest. All are counted. */
export const MAX_STRUCK_TOLD = 100;
/** Characters that are told of a request or a message. */
export const MAX_TOLD_CHARS = 500;
/** The longest wait of one request or message. */
export const MAX_WAIT_MS = DAY_MS;
/** The greatest sigma of waits that are drawn: e^(3 sigma) times the median is common. */
export const MAX_SIGMA = 3;
/** The greatest skew of a clock, to either side. */
export const MAX_SKEW_MS = DAY_MS;
/** The greatest `count`, `skip` and `every`. */
export const MAX_COUNT = 1_000_000_000;
export const MAX_CHUNKS = 1000;
export const MAX_KBPS = 1_000_000;
export const MAX_TRUNCATE_BYTES = 1_000_000_000;
/** The longest body of `reply`. */
export const MAX_REPLY_CHARS = 64 * 1024;
export const MAX_REPLY_HEADERS = 20;
export const MAX_HEADER_CHARS = 1000;
export const MAX_MESSAGE_CHARS = 1000;
/** Copies of a message besides the message itself. */
export const MAX_COPIES = 10;
/** Messages that are held at a time; beyond it the one that was held first on its stream leaves early. */
export const MAX_HELD_MESSAGES = 100_000;
/** Deposits that one fault keeps stuck at a time; further ones go their way. */
export const MAX_STUCK_DEPOSITS = 1000;
/** How often a slow connection takes bytes. */
export const BANDWIDTH_SLICE_MS = 100;
