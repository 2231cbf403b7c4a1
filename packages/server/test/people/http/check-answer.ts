/** Holds the answers that tests receive against the shapes that their routes describe. */
import assert from "node:assert/strict";
import { z } from "zod";
import type { Described } from "../../../src/people/http/route.ts";
import type { RouteTable } from "../../../src/people/http/route-table.ts";

type Mounted = Described & Pick<Described, "answer">;

/** Fails where an answer of the route does not have its shape. `old`: names of fields that documents do not show. */
export function checkAnswer(
  table: RouteTable<Mounted>,
  { method, path, body }: { readonly method: string; readonly path: string; readonly body: unknown },
  old: ReadonlySet<string> = new Set(),
): void {
  const found = table.find(method, path.split("?", 1)[0] ?? "");
  if (typeof found === "string" || found.route.answer === undefined) return;
  const fault = faultOf(found.route.answer, body, old);
  assert.equal(fault, undefined, `${method} ${path}: ${fault}`);
}

function faultOf(shape: z.ZodType, value: unknown, old: ReadonlySet<string>): string | undefined {
  const parsed = shape.safeParse(value);
  if (!parsed.success) return z.prettifyError(parsed.error);
  return unknownField(value, parsed.data, "", old);
}

/** Parsing has removed the fields that the shape lacks. */
function unknownField(value: unknown, known: unknown, at: string, old: ReadonlySet<string>): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const place = `${at}.${name}`;
    if (old.has(name)) continue;
    if (!Object.hasOwn(known as object, name)) return `unknown field ${place}`;
    const found = unknownField(inner, (known as Readonly<Record<string, unknown>>)[name], place, old);
    if (found !== undefined) return found;
  }
  return undefined;
}
