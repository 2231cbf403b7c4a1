/**
 * Planted bugs, each of a kind that an exchange must not have. They are inserted at the seams of the simulated node, or
 * by replacing methods of a class during a run, never in the program itself. The auditor must find every one.
 */
import type { Seams } from "../world/node.ts";
import { NO_BUG } from "./seams.ts";

export interface Mutation {
  readonly name: string;
  readonly seams: Seams;
  /** Returns a function that removes the bug. */
  plant(): () => void;
}

export function atSeams(name: string, seams: Partial<Seams>): Mutation {
  return { name, seams: { ...NO_BUG, ...seams }, plant: () => () => {} };
}

/** Replaces a method of a class: every instance has the bug, as if it were in the source. */
export function inClass<T extends object>(
  name: string,
  prototype: T,
  method: Extract<keyof T, string>,
  bug: (this: T, real: (this: T, ...args: never[]) => unknown, args: never[]) => unknown,
): Mutation {
  const methods = prototype as Record<string, (this: T, ...args: never[]) => unknown>;
  const plant = (): (() => void) => {
    const real = methods[method];
    if (real === undefined) throw new Error(`${name}: there is no ${method}`);
    methods[method] = function (...args) {
      return bug.call(this, real, args);
    };
    return () => {
      methods[method] = real;
    };
  };
  return { name, seams: NO_BUG, plant };
}
