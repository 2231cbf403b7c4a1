/** The version of all that is released together, as every `package.json` has it: `test/tidy/version.test.ts` compares. */
export const VERSION = "0.2.0";
