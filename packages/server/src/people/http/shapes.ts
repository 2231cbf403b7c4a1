/** Fields of answers by their kind, to write the schemas of answers briefly. Amounts and prices are decimal texts. */
import { z } from "zod";

export const text = z.string();
export const flag = z.boolean();
/** A number of milliseconds, an id, a count. */
export const count = z.number();

type Fields<Name extends string, Kind> = { readonly [N in Name]: Kind };

const fields = <Name extends string, Kind>(names: readonly Name[], kind: Kind): Fields<Name, Kind> =>
  Object.fromEntries(names.map((name) => [name, kind])) as Fields<Name, Kind>;

export const texts = <Name extends string>(...names: Name[]): Fields<Name, typeof text> => fields(names, text);
export const counts = <Name extends string>(...names: Name[]): Fields<Name, typeof count> => fields(names, count);
export const flags = <Name extends string>(...names: Name[]): Fields<Name, typeof flag> => fields(names, flag);
