/** Kinds of form fields for JSON schemas, and the validation of values before they are sent. */
import type { Json, Schema } from "../openapi.ts";
import { consoleForms as words } from "../../words/words.ts";

/**
 * The kind of a field. `line`: a text; `lines`: a list of texts; `whole`: an integer; `choice`: one of several values;
 * `several`: a subset of a fixed set; `yesNo`: a boolean; `group`: an object; `list`: a list of objects; `kinds`: one
 * of several object types; `fixed`: a constant; `json`: any other value.
 */
export type Shape =
  | "line"
  | "lines"
  | "whole"
  | "choice"
  | "several"
  | "yesNo"
  | "group"
  | "list"
  | "kinds"
  | "fixed"
  | "json";

export function shapeOf(schema: Schema): Shape {
  if (schema.oneOf !== undefined) return "kinds";
  if (schema.const !== undefined) return "fixed";
  if (schema.enum !== undefined) return "choice";
  if (schema.anyOf !== undefined) return "line";
  switch (schema.type) {
    case "boolean":
      return "yesNo";
    case "integer":
      return "whole";
    case "string":
      return "line";
    case "object":
      return isOpen(schema) ? "json" : "group";
    case "array":
      return shapeOfList(schema.items);
    default:
      return "json";
  }
}

/** Whether the object may have any fields, so that it must be typed as JSON. */
const isOpen = ({ additionalProperties }: Schema): boolean => typeof additionalProperties === "object";

function shapeOfList(items: Schema | undefined): Shape {
  if (items === undefined || items.prefixItems !== undefined) return "json";
  const shape = shapeOf(items);
  if (shape === "choice") return "several";
  if (shape === "line") return "lines";
  return shape === "group" ? "list" : "json";
}

/** Whether "" is a valid value and does not mean that the value is missing. */
function mayBeEmpty({ anyOf, minLength, pattern, type }: Schema): boolean {
  if (anyOf !== undefined) return anyOf.some((one) => one.const === "");
  return type === "string" && minLength === undefined && pattern === undefined;
}

/** The initial value of a form: required fields whose value is known. */
export function firstValue(schema: Schema, isRequired: boolean): Json | undefined {
  if (schema.const !== undefined) return schema.const;
  if (!isRequired) return undefined;
  if (schema.default !== undefined) return schema.default;
  switch (shapeOf(schema)) {
    case "group":
      return firstGroup(schema);
    case "kinds":
      return firstValue(schema.oneOf?.[0] ?? {}, true);
    case "list":
    case "lines":
    case "several":
      return [];
    case "json":
      return schema.type === "object" ? firstGroup(schema) : [];
    case "yesNo":
      return true;
    case "choice":
      return schema.enum?.[0] ?? "";
    default:
      return "";
  }
}

function firstGroup({ properties = {}, required = [] }: Schema): Json {
  const first: Record<string, Json> = {};
  for (const [name, property] of Object.entries(properties)) {
    const value = firstValue(property, required.includes(name));
    if (value !== undefined) first[name] = value;
  }
  return first;
}

/** Converts a draft to the value to send: typed digits become numbers, and empty optional fields are omitted. */
export function toSend(schema: Schema, draft: Json | undefined, isRequired: boolean): Json | undefined {
  if (draft === undefined) return undefined;
  switch (shapeOf(schema)) {
    case "whole":
      if (draft === "") return isRequired ? "" : undefined;
      return typeof draft === "string" && /^-?\d{1,15}$/.test(draft) ? Number(draft) : draft;
    case "line":
      return draft === "" && !isRequired && !(mayBeEmpty(schema) && schema.default === undefined) ? undefined : draft;
    case "group":
      return groupToSend(schema, draft);
    case "list":
      return Array.isArray(draft) ? draft.map((one: Json) => toSend(schema.items ?? {}, one, true) ?? null) : draft;
    case "kinds":
      return toSend(kindOf(schema, draft), draft, isRequired);
    default:
      return draft;
  }
}

function groupToSend({ properties = {}, required = [] }: Schema, draft: Json): Json {
  const sent: Record<string, Json> = {};
  for (const [name, property] of Object.entries(properties)) {
    const value = toSend(property, partOf(draft, name), required.includes(name));
    if (value !== undefined) sent[name] = value;
  }
  return sent;
}

export function partOf(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return (value as Readonly<Record<string, Json>>)[name];
}

/** The schema in `oneOf` that matches a draft. The schemas differ by a constant. */
export function kindOf({ oneOf = [] }: Schema, draft: Json | undefined): Schema {
  return oneOf.find((one) => constantOf(one) === String(partOf(draft, constantName(one)))) ?? oneOf[0] ?? {};
}

export function constantName({ properties = {} }: Schema): string {
  return Object.entries(properties).find(([, property]) => property.const !== undefined)?.[0] ?? "";
}

export function constantOf(schema: Schema): string {
  return String(schema.properties?.[constantName(schema)]?.const ?? "");
}

export interface Fault {
  /** The path of the field, such as `filters.priceFilter.tickSize`. */
  readonly at: string;
  readonly what: string;
}

/** The errors in a value to be sent. The node validates it again. */
export function faultsOf(schema: Schema, value: Json | undefined, at: string, isRequired: boolean): Fault[] {
  if (value === undefined) return isRequired ? [{ at, what: words.missing }] : [];
  switch (shapeOf(schema)) {
    case "whole":
      return wholeFaults(schema, value, at);
    case "line":
      return lineFaults(schema, value, at);
    case "group":
      return Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
        faultsOf(
          property,
          partOf(value, name),
          at === "" ? name : `${at}.${name}`,
          schema.required?.includes(name) === true,
        ),
      );
    case "list":
      return Array.isArray(value)
        ? value.flatMap((one: Json, place) => faultsOf(schema.items ?? {}, one, `${at}.${place + 1}`, true))
        : [];
    case "kinds":
      return faultsOf(kindOf(schema, value), value, at, isRequired);
    default:
      return [];
  }
}

function wholeFaults({ minimum, maximum }: Schema, value: Json, at: string): Fault[] {
  if (typeof value !== "number") return [{ at, what: value === "" ? words.missing : words.notWhole }];
  if (minimum !== undefined && value < minimum) return [{ at, what: words.atLeast(minimum) }];
  if (maximum !== undefined && value > maximum) return [{ at, what: words.atMost(maximum) }];
  return [];
}

function lineFaults(schema: Schema, value: Json, at: string): Fault[] {
  if (typeof value !== "string") return [];
  if (value === "") return mayBeEmpty(schema) ? [] : [{ at, what: words.missing }];
  const { pattern, maxLength, examples } = schema;
  if (maxLength !== undefined && value.length > maxLength) return [{ at, what: words.tooLong(maxLength) }];
  if (pattern === undefined || matches(pattern, value)) return [];
  return [{ at, what: words.notLike(examples?.[0] === undefined ? "" : String(examples[0])) }];
}

function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return true;
  }
}
