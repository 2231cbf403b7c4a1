/** The test of this name with six thousand calls. */
process.env["BOOK_STEPS"] ??= "6000";
await import("./books.test.ts");
