/** Every bound of operators' sessions. */
import { HOUR_MS, MINUTE_MS } from "@pricetime/engine";

/** A session of an operator ends after this, however much it is used: a shift. */
export const OPERATOR_SESSION_MS = 12 * HOUR_MS;
/** One that is not used for so long ends before. */
export const OPERATOR_IDLE_MS = 30 * MINUTE_MS;
/** Sessions whose last use is remembered: all that a thousand operators may have. */
export const MAX_USED_SESSIONS = 20_000;
/** A two-factor secret that was shown must be confirmed within this. */
export const TOTP_PENDING_MS = 10 * MINUTE_MS;
