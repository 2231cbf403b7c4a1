/**
 * Shapes of answers, as the interface writes them: each field by name and type, no field missing and
 * none too many. A name that ends in `?` may be absent.
 */
import assert from "node:assert/strict";

export type Shape =
  | "string"
  | "integer"
  /** Milliseconds: an integer after 2001. */
  | "time"
  | "number"
  | "boolean"
  /** A string with exactly 8 decimals. */
  | "decimal"
  /** A string with a decimal number in it, of any number of places. */
  | "numeric"
  | "any"
  | Words
  | readonly [Shape]
  | Fields;

export interface Fields {
  readonly [name: string]: Shape;
}

/** One of these values. */
export class Words {
  readonly words: readonly unknown[];

  constructor(words: readonly unknown[]) {
    this.words = words;
  }
}
export const words = (...allowed: readonly unknown[]): Words => new Words(allowed);

const CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  any: () => true,
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  number: (value) => typeof value === "number" && Number.isFinite(value),
  integer: (value) => Number.isSafeInteger(value),
  time: (value) => Number.isSafeInteger(value) && Number(value) > 1e12,
  decimal: (value) => typeof value === "string" && /^-?\d+\.\d{8}$/.test(value),
  numeric: (value) => typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value),
};

/** What is wrong with a value, by path; empty when it has the shape. */
export function misfits(value: unknown, shape: Shape, path = "$"): string[] {
  const found = `${path}: ${JSON.stringify(value)?.slice(0, 80)}`;
  if (typeof shape === "string") return CHECKS[shape]?.(value) ? [] : [`${found} is no ${shape}`];
  if (shape instanceof Words)
    return shape.words.includes(value) ? [] : [`${found} is none of ${shape.words.join(", ")}`];
  if (isList(shape)) {
    if (!Array.isArray(value)) return [`${found} is no list`];
    return value.flatMap((item, i) => misfits(item, shape[0], `${path}[${i}]`));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [`${found} is no object`];
  return fieldMisfits(value as Record<string, unknown>, shape, path);
}

function isList(shape: object): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function fieldMisfits(value: Record<string, unknown>, shape: Fields, path: string): string[] {
  const left = new Set(Object.keys(value));
  const wrong: string[] = [];
  for (const [key, expected] of Object.entries(shape)) {
    const name = key.replace(/\?$/, "");
    if (left.delete(name)) wrong.push(...misfits(value[name], expected, `${path}.${name}`));
    else if (name === key) wrong.push(`${path}.${name} is missing`);
  }
  return [...wrong, ...[...left].map((name) => `${path}.${name} is not in the interface`)];
}

export function assertShape(value: unknown, shape: Shape): void {
  assert.deepEqual(misfits(value, shape), []);
}
