/** The version of all packages, which are released together; `test/tidy/version.test.ts` compares them. */
export const VERSION = "0.2.0";
