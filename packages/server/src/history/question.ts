/** The questions to the history, apart from waiting for an entry. */
import type { History } from "./port.ts";

/** The questions of the port that wait for an entry. */
export type QuestionName = Exclude<keyof History, "seq">;
export type Arguments<Name extends QuestionName> =
  Parameters<History[Name]> extends [number, ...infer Rest] ? Rest : never;
export type Answer<Name extends QuestionName> = Awaited<ReturnType<History[Name]>>;
export type Queries = { readonly [Name in QuestionName]: (...args: Arguments<Name>) => Answer<Name> };
