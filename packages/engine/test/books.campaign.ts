/** Runs `books.test.ts` with six thousand calls. */
process.env["BOOK_STEPS"] ??= "6000";
await import("./books.test.ts");
