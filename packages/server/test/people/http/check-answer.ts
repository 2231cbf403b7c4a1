/** Checks the answers that tests receive against the schemas of their routes. */
import assert from "node:assert/strict";
import { z } from "zod";
import { DEPRECATED_FIELDS } from "../../../src/people/admin/deprecated-names.ts";
import type { AdminNode } from "../../../src/people/admin/node.ts";
import { ADMIN_PORT, adminRoutes } from "../../../src/people/admin/server.ts";
import { ACCOUNT_PORT, ACCOUNT_ROUTES } from "../../../src/people/customer/account-api.ts";
import type { Described } from "../../../src/people/http/route.ts";
import { type Found, RouteTable } from "../../../src/people/http/route-table.ts";

interface Received {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
}

const ADMIN = new RouteTable<Described>(adminRoutes({} as AdminNode), ADMIN_PORT);
const ACCOUNT = new RouteTable<Described>(ACCOUNT_ROUTES, ACCOUNT_PORT);
/** Deprecated names of release 0.2.0, which the documents leave out. */
const OLD_NAMES: ReadonlySet<string> = new Set(Object.values(DEPRECATED_FIELDS));

/** Fails if an answer of the admin or account API does not match its schema. */
export function checkAnswer({ method, path, status, body }: Received): void {
  const [address = ""] = path.split("?", 1);
  const [, below] = /^\/account\/v1(\/.*)$/.exec(address) ?? [];
  const found: Found<Described> | string =
    below === undefined ? ADMIN.find(method, address) : ACCOUNT.find(method, below);
  if (typeof found === "string" || found.route.answer === undefined || status >= 400) return;
  assert.equal(status, found.route.status ?? 200, `${method} ${path}`);
  const fault = faultOf(found.route.answer, body);
  assert.equal(fault, undefined, `${method} ${path}: ${fault}`);
}

function faultOf(shape: z.ZodType, value: unknown): string | undefined {
  const parsed = shape.safeParse(value);
  if (!parsed.success) return z.prettifyError(parsed.error);
  return unknownField(value, parsed.data, "");
}

/** Fields that parsing removed are missing in the schema. */
function unknownField(value: unknown, known: unknown, at: string): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const place = `${at}.${name}`;
    if (OLD_NAMES.has(name)) continue;
    if (!Object.hasOwn(known as object, name)) return `unknown field ${place}`;
    const found = unknownField(inner, (known as Readonly<Record<string, unknown>>)[name], place);
    if (found !== undefined) return found;
  }
  return undefined;
}
