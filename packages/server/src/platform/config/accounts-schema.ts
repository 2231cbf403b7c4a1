/** How customers come to accounts of their own, and sign in. */
import { DAY_MS, HOUR_MS, MAX_ADDRESS_WAIT_MS, MINUTE_MS } from "@pricetime/engine";
import { z } from "zod";

/** The journal holds no session, and no link, that lives longer. */
const MAX_SESSION_LIFE_DAYS = 30;
const MAX_INVITATION_LIFE_DAYS = 30;
const MAX_RECOVERY_DAYS = 7;

export const accountsSchema = z.strictObject({
  signUp: z.enum(["open", "invitation"]).default("invitation"),
  sessionLifeMs: z
    .int()
    .min(MINUTE_MS)
    .max(MAX_SESSION_LIFE_DAYS * DAY_MS)
    .default(604_800_000),
  invitationLifeMs: z
    .int()
    .min(MINUTE_MS)
    .max(MAX_INVITATION_LIFE_DAYS * DAY_MS)
    .default(604_800_000),
  recoveryDelayMs: z
    .int()
    .min(0)
    .max(MAX_RECOVERY_DAYS * DAY_MS)
    .default(86_400_000),
  /** How long a new withdrawal address waits, and the end of the rule that there are no others. */
  addressWaitMs: z.int().min(0).max(MAX_ADDRESS_WAIT_MS).default(86_400_000),
  recoveryLifeMs: z
    .int()
    .min(HOUR_MS)
    .max(MAX_RECOVERY_DAYS * DAY_MS)
    .default(172_800_000),
});
