/**
 * A route of an API for persons: its parameters, answer, required right and handler. Requests are checked against this
 * description, and the OpenAPI document is generated from it. Decision 30.
 */
import { z } from "zod";
import type { Answer } from "./answer.ts";

/** The description of a route. */
export interface Described<Need extends string = string> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** A path in which parts after a colon are parameters: `/v1/accounts/:account`. */
  readonly pattern: string;
  /** The right that the client needs. */
  readonly needs: Need;
  /** One sentence. */
  readonly summary: string;
  /** A description of the answer, if the summary is not sufficient. */
  readonly answers?: string;
  /** The status of the answer; 200 when absent. */
  readonly status?: 201 | 202;
  /** Content types of the answer; JSON when absent. */
  readonly types?: readonly string[];
  /** The schema of the answer. */
  readonly answer?: z.ZodType;
  /** The columns of a list that clients can also get as CSV. */
  readonly columns?: readonly string[];
  /** The weight of a request in the rate limit of its address. */
  readonly weight?: number;
  /** The route accepts bytes instead of JSON, at most this many: `body` is a `Buffer`. */
  readonly maxBytes?: number;
  /** Other nodes of the cluster may also use the route, with the nodes' token. */
  readonly isForNodes?: true;
}

/** A request as received. */
export interface Received {
  /** The decoded parameters of the path. */
  readonly path: Readonly<Record<string, string>>;
  readonly search: URLSearchParams;
  /** The parsed JSON; undefined without a body. */
  readonly body: unknown;
}

/** A route. `Parts`: the dependencies of its handler, unless they are in its closure. */
export interface Route<Need extends string, Request extends Received, Parts = void> extends Described<Need> {
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
  readonly path?: PathSchemas;
  readonly handle: (request: Request, parts: Parts) => Answer | Promise<Answer>;
}

/** `/v1/accounts/:account/fees/:symbol` -> `account` and `symbol`. */
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

/** Returns the parsed value; throws the API's `Rejection` for a value of another shape. */
export type Parse = <T extends z.ZodType>(schema: T, value: unknown) => z.output<T>;

/** The part of a route that is typed by its schemas. */
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
  /** Schemas of path parameters; all other path parameters are strings. */
  readonly path?: Path;
  readonly query?: Query;
  readonly body?: Body;
  /** Converts another accepted form of the body into that of the schema. */
  readonly asSchema?: (sent: unknown) => unknown;
  readonly handle: (
    request: Parsed<Request, Body, Query, NamesIn<Pattern>, Path>,
    parts: Parts,
  ) => Answer | Promise<Answer>;
}

/** Returns the constructor of an API's routes, typed by their schemas. `shared`: fields of every route. */
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
