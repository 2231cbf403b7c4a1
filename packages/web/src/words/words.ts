/**
 * All texts of the terminal, the console and the account pages. Other modules import them only from here. `language.ts`
 * replaces those of the account pages with another language.
 */
export * from "./chart-en.ts";
export * from "./console-customers-en.ts";
export * from "./console-dashboard-en.ts";
export * from "./console-en.ts";
export * from "./console-forms-en.ts";
export * from "./console-list-asset-en.ts";
export * from "./console-list-market-en.ts";
export * from "./console-tasks-en.ts";
export * from "./console-venue-en.ts";
export * from "./customer-en.ts";
export * from "./lab-en.ts";
export * from "./language.ts";
export * from "./order-lists-en.ts";
export * from "./pages-en.ts";
export * from "./portfolio-en.ts";
export * from "./proof-en.ts";
export * from "./terminal-en.ts";
export * from "./translated.ts";
