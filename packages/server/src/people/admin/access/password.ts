/** The form of passwords that operators choose. */
import { z } from "zod";
import { isFitPassword } from "../../sign-in/passwords.ts";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../sign-in/limits.ts";

/** One that is sent to be compared: anything, at no more than what one can be long. */
export const saidPassword = z
  .string()
  .min(1)
  .max(2 * MAX_PASSWORD_LENGTH);

export const newPassword = z
  .string()
  .max(2 * MAX_PASSWORD_LENGTH)
  .refine(isFitPassword, `must be ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`);

export const code = z.string().regex(/^[0-9]{6}$/, "must be six digits");
