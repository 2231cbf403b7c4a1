/** Email addresses in the one form by which they are compared. */

/**
 * The address in lower case, as sign-up stores it. Only ASCII letters are folded: how other letters fold depends on the
 * version of Unicode, and may make one address of two.
 */
export function foldedEmail(email: string): string {
  return /[A-Z]/.test(email) ? email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : email;
}
