/** A proposal may be about any act: the fields of its form are made of the act that stands there. */
import type { Wish } from "../desk.ts";
import type { Json, Operation, Schema } from "../wire/document.ts";
import { CHANGE } from "./proposal.ts";
import { partOf } from "./schema-shape.ts";

/** The operation with the shape of the act that its body begins with, where the document tells none. */
export function withActShape(operation: Operation, { key, now }: Wish): Operation {
  const act = key === CHANGE ? partOf(now as Json | undefined, "action") : undefined;
  if (act === undefined || operation.body === null) return operation;
  const { properties } = operation.body;
  return { ...operation, body: { ...operation.body, properties: { ...properties, action: shapeOf(act) } } };
}

/** Which act it is and whose stays; everything that it says may be changed. */
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
