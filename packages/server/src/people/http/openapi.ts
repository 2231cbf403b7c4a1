/** The OpenAPI 3.1 document of an API, generated from its routes and their schemas. */
import { z } from "zod";
import { CSV_TYPE } from "../../api/answers/file-answers.ts";
import { BYTES_TYPE } from "./answer.ts";
import type { Described, PathSchemas } from "./route.ts";

type Json = Readonly<Record<string, unknown>>;

export type Shown = Described & {
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
  readonly path?: PathSchemas;
};

/** The parts of the document besides the routes. */
export interface ApiDescription<R extends Shown> {
  readonly title: string;
  /** The program's version. */
  readonly version: string;
  readonly description: string;
  /** The path prefix of all routes. */
  readonly base: string;
  /** The authentication schemes by name. */
  readonly security: Readonly<Record<string, Json>>;
  /** Fields of an error in addition to its code and message. */
  readonly errorFields: Json;
  /** Descriptions of errors by HTTP status. */
  readonly errors: Readonly<Record<string, string>>;
  /** The default description of an answer. */
  readonly answers: string;
  /** Parameters that every request accepts, by name. */
  readonly parameters?: Readonly<Record<string, Json>>;
  /** Additional fields of a route's operation. */
  readonly fieldsOf: (route: R) => Json;
  /** Whether the route needs no authentication. */
  readonly isOpen: (route: R) => boolean;
  /** Paths to document that are not routes. */
  readonly otherPaths?: Json;
}

export const JSON_CONTENT = "application/json";

/** Returns a new document on each call. */
export function openApiDocument<R extends Shown>(routes: readonly R[], api: ApiDescription<R>): object {
  const { title, version, description, base, security, errorFields, parameters, otherPaths } = api;
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.pattern.replaceAll(/:([A-Za-z]+)/g, "{$1}");
    (paths[path] ??= {})[route.method.toLowerCase()] = operation(route, api);
  }
  const error = {
    type: "object",
    required: ["error", "message"],
    properties: { error: { type: "string" }, message: { type: "string" }, ...errorFields },
  };
  return {
    openapi: "3.1.0",
    info: { title, version, description },
    servers: [{ url: base }],
    security: Object.keys(security).map((name) => ({ [name]: [] })),
    paths: { ...paths, ...otherPaths },
    components: { schemas: { Error: error }, ...(parameters && { parameters }), securitySchemes: security },
  };
}

function operation<R extends Shown>(route: R, api: ApiDescription<R>): object {
  const { method, pattern, summary, answers = api.answers, status = 200, path, query, columns } = route;
  const sent = requestBody(route);
  const shared = Object.keys(api.parameters ?? {}).map((name) => ({ $ref: `#/components/parameters/${name}` }));
  return {
    operationId: operationIdOf(method, pattern),
    summary,
    ...api.fieldsOf(route),
    ...(api.isOpen(route) && { security: [] }),
    parameters: [...shared, ...pathParameters(pattern, path), ...queryParameters(query)],
    ...(sent && { requestBody: sent }),
    responses: {
      [status]: { description: answers, ...(columns && { headers: MORE }), content: contentOf(route) },
      ...Object.fromEntries(
        Object.entries(api.errors).map(([error, text]) => [
          error,
          { description: text, content: jsonContent({ $ref: "#/components/schemas/Error" }) },
        ]),
      ),
    },
  };
}

function contentOf({ types = [JSON_CONTENT], answer, columns }: Shown): Json {
  const described = answer === undefined ? {} : { schema: schemaOf(answer, "output") };
  return {
    ...Object.fromEntries(types.map((type) => [type, type === JSON_CONTENT ? described : {}])),
    ...(columns && { [CSV_TYPE]: { schema: { type: "string" }, example: `${columns.join(",")}\r\n` } }),
  };
}

/** The headers of a list's answer. */
const MORE: Json = {
  Link: { description: 'The next page, if there is one: `</v1/…?…>; rel="next"`.', schema: { type: "string" } },
};

const jsonContent = (schema: unknown): Json => ({ [JSON_CONTENT]: { schema } });

/** Builds the operation id: `get`, `/v1/accounts/:account` -> `getV1AccountsAccount`. */
const operationIdOf = (method: string, pattern: string): string =>
  `${method.toLowerCase()}${pattern.replaceAll(/[/:-]+([a-zA-Z])?/g, (_, c: string = "") => c.toUpperCase())}`;

function pathParameters(pattern: string, schemas: PathSchemas = {}): object[] {
  return [...pattern.matchAll(/:([A-Za-z]+)/g)].map(([, name = ""]) => {
    const schema = schemas[name];
    return { name, in: "path", required: true, schema: schema === undefined ? { type: "string" } : schemaOf(schema) };
  });
}

function queryParameters(query: z.ZodType | undefined): object[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(query) as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, schema]) => ({
    ...{ name, in: "query", required: required.includes(name), schema },
  }));
}

function requestBody({ body, maxBytes }: Shown): object | undefined {
  if (maxBytes !== undefined) return { required: true, content: { [BYTES_TYPE]: {} } };
  return body && { required: !body.safeParse({}).success, content: jsonContent(schemaOf(body)) };
}

/** With "input", the schema of what clients send, before defaults are filled in. */
function schemaOf(schema: z.ZodType, io: "input" | "output" = "input"): object {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    ...{ io, unrepresentable: "any" },
    // Later releases may add fields to answers.
    override: ({ jsonSchema }) => void (io === "output" && delete jsonSchema.additionalProperties),
  });
  return made;
}
