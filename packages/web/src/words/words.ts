/** All texts of the terminal, the console and the customers' pages. The rest takes them from here: another language is other files like these, chosen here. */
export * from "./chart-en.ts";
export * from "./console-acts-en.ts";
export * from "./console-books-en.ts";
export * from "./console-customers-en.ts";
export * from "./console-desk-en.ts";
export * from "./console-en.ts";
export * from "./console-pages-en.ts";
export * from "./console-people-en.ts";
export * from "./customer-en.ts";
export * from "./en.ts";
export * from "./form-en.ts";
export * from "./lab-en.ts";
export * from "./numbers-en.ts";
export * from "./pages-en.ts";
export * from "./panels-en.ts";
export * from "./proof-en.ts";
export * from "./tables-en.ts";
