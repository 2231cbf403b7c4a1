/** Shorthands for the schemas of answers. Amounts and prices are decimal strings. */
import { z } from "zod";

export const text = z.string();
export const flag = z.boolean();
/** A time in milliseconds, an ID or a count. */
export const count = z.number();

type Fields<Name extends string, Kind> = { readonly [N in Name]: Kind };

const fields = <Name extends string, Kind>(names: readonly Name[], kind: Kind): Fields<Name, Kind> =>
  Object.fromEntries(names.map((name) => [name, kind])) as Fields<Name, Kind>;

export const texts = <Name extends string>(...names: Name[]): Fields<Name, typeof text> => fields(names, text);
export const counts = <Name extends string>(...names: Name[]): Fields<Name, typeof count> => fields(names, count);
export const flags = <Name extends string>(...names: Name[]): Fields<Name, typeof flag> => fields(names, flag);
