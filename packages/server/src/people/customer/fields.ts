/** Values in the bodies of the account API. */
import { foldedEmail, MAX_TEXT_LENGTH } from "@pricetime/engine";
import { z } from "zod";
import { isFitPassword } from "../sign-in/passwords.ts";
import { CustomerRefused } from "./refused.ts";

/** The longest text of any field. */
const MAX_FIELD_LENGTH = 2048;

/** An email address as typed. It may have no account. */
export const email = z.string().trim().min(1).max(MAX_TEXT_LENGTH);
/** An email address that can receive email. */
export const newEmail = z.email().max(MAX_TEXT_LENGTH).overwrite(foldedEmail);
export const password = z.string().max(MAX_FIELD_LENGTH);
export const code = z.string().regex(/^[0-9]{6}$/, "expected six digits");
export const id = z.string().regex(/^[0-9a-f]{32}$/, "expected 32 hex digits");
export const secret = z.string().regex(/^[A-Za-z0-9_-]{43}$/, "expected 43 characters from a link");
export const sealed = z.string().max(MAX_FIELD_LENGTH);

/** Throws `CustomerRefused`. */
export function fitPassword(given: string): string {
  if (!isFitPassword(given)) throw new CustomerRefused("INVALID_PASSWORD");
  return given;
}
