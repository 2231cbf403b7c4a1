/** Types of answers of the account and admin APIs, for the pages that show them. */
export type * from "../../people/customer/answers.ts";
export type * from "../../people/admin/answers.ts";
export type * from "../../people/admin/report-answers.ts";
export type { AccountErrorWord } from "../../people/customer/rejections.ts";
export type { AccountLimitRow, KeyRow, PendingTotp } from "../../people/http/shapes.ts";
