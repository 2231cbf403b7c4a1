/** The type of a translation: the same texts as in English, of which none is missing and none is added. */

/** A text stays a text, and a function keeps its parameters. */
export type Translated<English> = English extends string
  ? string
  : English extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Name in keyof English]: Translated<English[Name]> };
