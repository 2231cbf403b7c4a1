/** What an open form holds: parameters and body as they were typed, and what would be sent of them. */
import { ROUTES } from "../routes.ts";
import type { Wish } from "../desk.ts";
import type { Sent } from "../wire/admin.ts";
import { type Json, type Operation, pathWith, type Schema } from "../wire/document.ts";
import { changesOf } from "./differences.ts";
import { type Fault, faultsOf, firstValue, toSend } from "./schema-shape.ts";

export interface Draft {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Json | undefined;
  readonly body: Json | undefined;
}

export interface Ready {
  readonly path: string;
  readonly sent: Sent;
  /** The whole body, where less of it is sent. */
  readonly whole: Json | undefined;
  readonly faults: readonly Fault[];
}

/** The parameters of the query, as one object. */
export function querySchema({ parameters }: Operation): Schema | null {
  const asked = parameters.filter((one) => one.in === "query" && one.name !== "format");
  if (asked.length === 0) return null;
  return {
    type: "object",
    properties: Object.fromEntries(asked.map(({ name, schema }) => [name, schema])),
    required: asked.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

export function pathNames({ parameters }: Operation): string[] {
  return parameters.filter((one) => one.in === "path").map(({ name }) => name);
}

/** Bodies that are no object have the name of what they are: `networks`. */
export function bodyName({ path, body }: Operation): string {
  return body?.type === "array" ? (path.split("/").at(-1) ?? "") : "";
}

export function firstDraft(operation: Operation, { given, now, start = now }: Wish): Draft {
  const { body } = operation;
  const query = querySchema(operation);
  return {
    path: Object.fromEntries(pathNames(operation).map((name) => [name, given[name] ?? ""])),
    query: query === null ? undefined : firstValue(query, true),
    body: body === null ? undefined : start === undefined ? firstValue(body, true) : pruned(body, start as Json),
  };
}

/** What the schema knows of a value: nodes show more of a thing than they take. */
function pruned(schema: Schema, value: Json): Json {
  if (schema.properties === undefined || typeof value !== "object" || value === null || Array.isArray(value))
    return value;
  const known = Object.entries(value as Readonly<Record<string, Json>>).filter(
    ([name]) => name in (schema.properties ?? {}),
  );
  return Object.fromEntries(known);
}

/** The first body, as it would be sent: what differs from it is a change. */
export function bodyNow({ body }: Operation, { now }: Wish): Json | undefined {
  return body === null || now === undefined ? undefined : toSend(body, pruned(body, now as Json), true);
}

export function readyOf(operation: Operation, wish: Wish, draft: Draft): Ready {
  const { body: schema } = operation;
  const asked = querySchema(operation);
  const query = asked === null ? undefined : toSend(asked, draft.query, true);
  const whole = schema === null ? undefined : toSend(schema, draft.body, true);
  const sendsChanges = ROUTES[wish.key]?.sendsChanges === true && wish.now !== undefined;
  const missing = pathNames(operation).filter((name) => (draft.path[name] ?? "").trim() === "");
  return {
    path: pathWith(operation, draft.path),
    sent: {
      ...(query !== undefined && { query: query as NonNullable<Sent["query"]> }),
      ...(whole !== undefined && { body: sendsChanges ? changesOf(bodyNow(operation, wish), whole) : whole }),
    },
    whole,
    faults: [
      ...missing.flatMap((name) => faultsOf({ type: "string", minLength: 1 }, "", name, true)),
      ...(asked === null ? [] : faultsOf(asked, query, "", true)),
      ...(schema === null ? [] : faultsOf(schema, whole, bodyName(operation), true)),
    ],
  };
}
