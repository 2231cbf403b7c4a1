/** Values in the bodies of the account API. */
import { foldedEmail, MAX_TEXT_LENGTH } from "@pricetime/engine";
import { z } from "zod";
import { isFitPassword } from "../sign-in/passwords.ts";
import { CustomerRefused } from "./refused.ts";

/** The longest text of any field. */
const MAX_FIELD_LENGTH = 2048;

/** A mail address as typed: whether somebody has it is another question. */
export const email = z.string().trim().min(1).max(MAX_TEXT_LENGTH);
/** One to which a letter can go. */
export const newEmail = z.email().max(MAX_TEXT_LENGTH).overwrite(foldedEmail);
export const password = z.string().max(MAX_FIELD_LENGTH);
export const code = z.string().regex(/^[0-9]{6}$/, "six digits");
export const id = z.string().regex(/^[0-9a-f]{32}$/, "32 hex digits");
export const secret = z.string().regex(/^[A-Za-z0-9_-]{43}$/, "43 characters of a link");
export const sealed = z.string().max(MAX_FIELD_LENGTH);

/** Throws `CustomerRefused`. */
export function fitPassword(given: string): string {
  if (!isFitPassword(given)) throw new CustomerRefused("UNFIT_PASSWORD");
  return given;
}
