/** Questions to history, apart from how they wait for their entry. */
import type { History } from "../port.ts";

/** The questions of the port, without the entry that they wait for. */
export type QuestionName = Exclude<keyof History, "seq">;
export type Arguments<Name extends QuestionName> =
  Parameters<History[Name]> extends [number, ...infer Rest] ? Rest : never;
export type Answer<Name extends QuestionName> = Awaited<ReturnType<History[Name]>>;
export type Queries = { readonly [Name in QuestionName]: (...args: Arguments<Name>) => Answer<Name> };
