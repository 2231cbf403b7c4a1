/** The values of parsed requests as numbers and lists. */
import type { Endpoint } from "./endpoint.ts";

type Values = ReadonlyMap<string, string>;

/** Undefined when not sent; an integer above the safe ones becomes the largest of them. */
export function integerOf(values: Values, name: string): number | undefined {
  const text = values.get(name);
  return text === undefined ? undefined : Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

/** The limit of a list: as sent, at most the endpoint's maximum; or its default. */
export function limitOf(endpoint: Endpoint, values: Values): number {
  const parameter = endpoint.parameters.find(({ name }) => name === "limit");
  if (parameter === undefined) throw new Error(`${endpoint.id} has no limit`);
  const max = parameter.max ?? Number.MAX_SAFE_INTEGER;
  return Math.min(max, Number(values.get(parameter.name) ?? parameter.default ?? max));
}

/** The symbols of a `symbols` parameter that was parsed. */
export function symbolsOf(text: string): readonly string[] {
  return text === "[]" ? [] : text.slice(2, -2).split('","');
}
