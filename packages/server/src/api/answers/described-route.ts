/** Parts of an OpenAPI operation that are made from a route: from its path, and from the schemas that check what is sent. */
import { z } from "zod";

type Json = Readonly<Record<string, unknown>>;

export const jsonContent = (schema: unknown): Json => ({ "application/json": { schema } });

/** `/v1/accounts/:account` -> `/v1/accounts/{account}`. */
export const templateOf = (pattern: string): string => pattern.replaceAll(/:([A-Za-z]+)/g, "{$1}");

/** `get`, `/v1/accounts/:account` -> `getV1AccountsAccount`. */
export const operationIdOf = (method: string, pattern: string): string =>
  `${method.toLowerCase()}${pattern.replaceAll(/[/:-]+([a-zA-Z])?/g, (_, c: string = "") => c.toUpperCase())}`;

export function pathParameters(pattern: string): object[] {
  return [...pattern.matchAll(/:([A-Za-z]+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

export function queryParameters(query: z.ZodType | undefined): object[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(query) as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

export function requestBody(body: z.ZodType): object {
  return { required: !body.safeParse({}).success, content: jsonContent(schemaOf(body)) };
}

/** The schema of what clients send, before defaults are filled in. */
function schemaOf(schema: z.ZodType): object {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return made;
}
