/** Two hundred local books instead of forty. */
process.env["BOOK_ROUNDS"] ??= "10";
await import("./local-book.test.ts");
