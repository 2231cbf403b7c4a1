/** The contents of an open form: parameters and body as typed, and the resulting request. */
import { ROUTES } from "../routes.ts";
import type { OpenForm } from "../context.ts";
import type { Sent } from "../admin-client.ts";
import { type Json, type Operation, type Parameter, pathWith, type Schema } from "../openapi.ts";
import { changesOf } from "./differences.ts";
import { type Fault, faultsOf, firstValue, partOf, toSend } from "./schema.ts";
import { CHANGE } from "./approval-request.ts";

export interface Draft {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Json | undefined;
  readonly body: Json | undefined;
}

export interface Ready {
  readonly path: string;
  readonly sent: Sent;
  /** The complete body, even if only its changes are sent. */
  readonly whole: Json | undefined;
  readonly faults: readonly Fault[];
}

/** The schema of an object that contains the query parameters. */
export function querySchema({ parameters }: Operation): Schema | null {
  const queryParameters = parameters.filter((one) => one.in === "query" && one.name !== "format");
  if (queryParameters.length === 0) return null;
  return {
    type: "object",
    properties: Object.fromEntries(queryParameters.map(({ name, schema }) => [name, schema])),
    required: queryParameters.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

export function pathParameters({ parameters }: Operation): Parameter[] {
  return parameters.filter((one) => one.in === "path");
}

export const pathNames = (operation: Operation): string[] => pathParameters(operation).map(({ name }) => name);

const firstOf = ({ schema }: Parameter): string => schema.enum?.[0] ?? "";

/**
 * The operation's schema with the values that the page provides: fixed body fields, and choices for path parameters,
 * and without body fields that do not apply.
 */
export function withKnown(operation: Operation, { fixed, choices, without = [] }: OpenForm): Operation {
  const body = withoutFields(operation.body, without);
  const known = Object.entries(fixed ?? {}).map(([name, value]): [string, Schema] => [name, { const: value }]);
  return {
    ...operation,
    parameters: operation.parameters.map((one) => withChoices(one, choices?.[one.name])),
    body: known.length === 0 ? body : { ...body, properties: { ...body?.properties, ...Object.fromEntries(known) } },
  };
}

function withoutFields(body: Schema | null, names: readonly string[]): Schema | null {
  if (body?.properties === undefined || names.length === 0) return body;
  const properties = Object.entries(body.properties).filter(([name]) => !names.includes(name));
  return { ...body, properties: Object.fromEntries(properties) };
}

function withChoices(parameter: Parameter, choices: readonly string[] | undefined): Parameter {
  return choices === undefined ? parameter : { ...parameter, schema: { type: "string", enum: choices } };
}

/** The name of a body that is a list: the last part of the path, such as `networks`; "" for an object. */
export function bodyName({ path, body }: Operation): string {
  return body?.type === "array" ? (path.split("/").at(-1) ?? "") : "";
}

export function firstDraft(operation: Operation, { given, now, start = now }: OpenForm): Draft {
  const { body } = operation;
  const query = querySchema(operation);
  return {
    path: Object.fromEntries(pathParameters(operation).map((one) => [one.name, given[one.name] ?? firstOf(one)])),
    query: query === null ? undefined : firstValue(query, true),
    body: body === null ? undefined : start === undefined ? firstValue(body, true) : withFixed(body, start as Json),
  };
}

/** The value reduced to the schema's fields, with constants set. */
function withFixed(schema: Schema, value: Json): Json {
  const known = pruned(schema, value);
  const fixed = Object.entries(schema.properties ?? {}).filter(([, property]) => property.const !== undefined);
  if (fixed.length === 0) return known;
  return {
    ...(known as object),
    ...Object.fromEntries(fixed.map(([name, property]) => [name, property.const ?? null])),
  };
}

/** The value reduced to the schema's fields, because the node returns more fields than it accepts. */
function pruned(schema: Schema, value: Json): Json {
  if (schema.properties === undefined || typeof value !== "object" || value === null || Array.isArray(value))
    return value;
  const known = Object.entries(value as Readonly<Record<string, Json>>).filter(
    ([name]) => name in (schema.properties ?? {}),
  );
  return Object.fromEntries(known);
}

/** The current body in the format in which it would be sent, to which changes are compared. */
export function bodyNow({ body }: Operation, { now }: OpenForm): Json | undefined {
  return body === null || now === undefined ? undefined : toSend(body, withFixed(body, now as Json), true);
}

export function readyOf(operation: Operation, openForm: OpenForm, draft: Draft): Ready {
  const { body: schema } = operation;
  const queryShape = querySchema(operation);
  const query = queryShape === null ? undefined : toSend(queryShape, draft.query, true);
  const whole = schema === null ? undefined : toSend(schema, draft.body, true);
  const sendsChanges = ROUTES[openForm.key]?.sendsChanges === true && openForm.now !== undefined;
  const missing = pathNames(operation).filter((name) => (draft.path[name] ?? "").trim() === "");
  return {
    path: pathWith(operation, draft.path),
    sent: {
      ...(query !== undefined && { query: query as NonNullable<Sent["query"]> }),
      ...(whole !== undefined && { body: sendsChanges ? changesOf(bodyNow(operation, openForm), whole) : whole }),
    },
    whole,
    faults: [
      ...missing.flatMap((name) => faultsOf({ type: "string", minLength: 1 }, "", name, true)),
      ...(queryShape === null ? [] : faultsOf(queryShape, query, "", true)),
      ...(schema === null ? [] : faultsOf(schema, whole, bodyName(operation), true)),
    ],
  };
}

// An approval request can contain any action, so the form's fields are derived from the action itself.

/** The operation with a schema for the action in its body, which the OpenAPI document does not describe. */
export function withActionShape(operation: Operation, { key, now }: OpenForm): Operation {
  const action = key === CHANGE ? partOf(now as Json | undefined, "action") : undefined;
  if (action === undefined || operation.body === null) return operation;
  const { properties } = operation.body;
  return { ...operation, body: { ...operation.body, properties: { ...properties, action: shapeOf(action) } } };
}

/** A schema derived from an action's values. Its type and author are fixed; all other values can be edited. */
function shapeOf(value: Json): Schema {
  if (typeof value === "string") return { type: "string" };
  if (typeof value === "number") return { type: "integer" };
  if (typeof value === "boolean") return { type: "boolean" };
  if (value === null || Array.isArray(value)) return {};
  const parts = Object.entries(value as Readonly<Record<string, Json>>);
  return {
    type: "object",
    properties: Object.fromEntries(
      parts.map(([name, part]) => [name, name === "type" || name === "by" ? { const: part } : shapeOf(part)]),
    ),
    required: parts.map(([name]) => name),
  };
}
