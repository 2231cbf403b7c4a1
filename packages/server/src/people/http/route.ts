/**
 * A route of the account or admin API: parameters, answer, required right and handler. Requests are checked against
 * this description, and the OpenAPI document is generated from it. Decision 30.
 */
import { z } from "zod";
import type { Answer } from "./answer.ts";

/** The description of a route. */
export interface Described<Need extends string = string> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** A path whose parts after a colon are parameters: `/v1/accounts/:account`. */
  readonly pattern: string;
  /** The right that a client needs. */
  readonly needs: Need;
  /** A description of the route in one sentence. */
  readonly summary: string;
  /** Description of the answer, if the summary is not sufficient. */
  readonly answers?: string;
  /** HTTP status of the answer; default 200. */
  readonly status?: 201 | 202;
  /** Content types of the answer; default JSON. */
  readonly types?: readonly string[];
  /** The schema of the answer. */
  readonly answer?: z.ZodType;
  /** Columns of a list that is also available as CSV. */
  readonly columns?: readonly string[];
  /** The request's weight in the rate limit of its IP address. */
  readonly weight?: number;
  /** Maximum body size in bytes. If set, the route accepts bytes instead of JSON: `body` is a `Buffer`. */
  readonly maxBytes?: number;
  /** Whether other nodes of the cluster may use the route with the nodes' token. */
  readonly isForNodes?: true;
}

/** A request as received. */
export interface Received {
  /** The decoded parameters of the path. */
  readonly path: Readonly<Record<string, string>>;
  readonly search: URLSearchParams;
  /** The parsed JSON; undefined if there is no body. */
  readonly body: unknown;
}

/** A route. `Parts`: dependencies passed to the handler, unless they are in its closure. */
export interface Route<Need extends string, Request extends Received, Parts = void> extends Described<Need> {
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
  readonly path?: PathSchemas;
  readonly handle: (request: Request, parts: Parts) => Answer | Promise<Answer>;
}

/** The parameters in a pattern: `/v1/accounts/:account/fees/:symbol` -> `account` and `symbol`. */
export type NamesIn<Pattern extends string> = Pattern extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | NamesIn<More>
    : Rest
  : never;

export type PathSchemas = Readonly<Record<string, z.ZodType>>;

/** A request parsed by the schemas of its route. */
export type Parsed<
  Request extends Received,
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Name extends string = string,
  Path extends PathSchemas = Record<never, never>,
> = Omit<Request, "path" | "body"> & {
  readonly path: { readonly [N in Name]: N extends keyof Path ? z.output<Path[N]> : string };
  readonly body: z.output<Body>;
  readonly query: z.output<Query>;
};

/** Returns the parsed value. Throws the API's `Rejection` if it does not match the schema. */
export type Parse = <T extends z.ZodType>(schema: T, value: unknown) => z.output<T>;

/** The part of a route whose types derive from its schemas. */
export interface Row<
  Request extends Received,
  Parts,
  Pattern extends string,
  Body extends z.ZodType,
  Query extends z.ZodType,
  Path extends PathSchemas,
> {
  /** Method and path, such as `GET /v1/accounts/:account`. */
  readonly endpoint: `${Described["method"]} ${Pattern}`;
  /** Schemas of path parameters. Parameters without a schema are strings. */
  readonly path?: Path;
  readonly query?: Query;
  readonly body?: Body;
  /** Converts an alternative form of the body to the one of the schema. */
  readonly asSchema?: (sent: unknown) => unknown;
  readonly handle: (
    request: Parsed<Request, Body, Query, NamesIn<Pattern>, Path>,
    parts: Parts,
  ) => Answer | Promise<Answer>;
}

/**
 * Returns an API's route constructor, which derives types from the route's schemas. `shared`: fields of every route.
 */
export function routeMaker<Request extends Received, Parts, Need extends string, Shared extends "needs" = never>(
  parse: Parse,
  shared: Pick<Described<Need>, Shared>,
) {
  return <
    const Pattern extends string,
    Body extends z.ZodType = z.ZodUnknown,
    Query extends z.ZodType = z.ZodUnknown,
    Path extends PathSchemas = Record<never, never>,
  >(
    row: Omit<Described<Need>, Shared | "method" | "pattern"> & Row<Request, Parts, Pattern, Body, Query, Path>,
  ): Route<Need, Request, Parts> => {
    const { endpoint, asSchema = (sent: unknown) => sent, handle, ...rest } = row;
    const [method, pattern] = endpoint.split(" ");
    const described = { method, pattern, ...rest, ...shared } as unknown as Omit<Route<Need, Request, Parts>, "handle">;
    const { body, query, path, maxBytes } = described;
    const pathSchema = path && z.object(path);
    const parsed = (request: Request): unknown => {
      const bytes = maxBytes === undefined ? undefined : request.body;
      return {
        ...request,
        body: body === undefined ? bytes : parse(body, asSchema(request.body)),
        query: query && parse(query, Object.fromEntries(request.search)),
        path: pathSchema === undefined ? request.path : { ...request.path, ...parse(pathSchema, request.path) },
      };
    };
    return {
      ...described,
      handle: (request, parts) => handle(parsed(request) as Parameters<typeof handle>[0], parts),
    };
  };
}
