/** Two hundred local books instead of a hundred. */
process.env["BOOK_ROUNDS"] ??= "10";
await import("./local-book.test.ts");
