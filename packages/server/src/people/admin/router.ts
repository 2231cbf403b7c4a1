/**
 * The routes of the admin API: what each takes and does, and which of them a request means. A pattern is a path in
 * which parts after a colon are parameters.
 */
import { z } from "zod";
import { type Answer, AdminRefusal } from "./answer.ts";
import type { Asker, Need } from "./operator.ts";
import { DEPRECATED_ROUTES, type DeprecatedRoute } from "./deprecated-names.ts";
import { parseWith } from "./parse.ts";

export interface AdminRequest {
  /** The decoded parameters of the path. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parsed JSON; undefined without a body. */
  readonly body: unknown;
  /** The actor, for the journal: `operator:carol` of an operator who signed in. */
  readonly by: string;
  readonly asker: Asker;
  /** Calls `task` if the client goes before it is answered. Absent where nobody can tell. */
  readonly onGone?: ((task: () => void) => void) | undefined;
}

/** What the OpenAPI document of the admin API says of a route. */
interface Described {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** A pattern such as `/v1/accounts/:account`. */
  readonly pattern: string;
  /** What whoever asks must be allowed to do; the admin token is needed when absent, as for all of a lab. */
  readonly needs?: Need;
  /** What the route does, in one sentence. */
  readonly summary: string;
  /** What it answers with, unless the summary says so. */
  readonly answers?: string;
  /** What the answer is made of; JSON when absent. */
  readonly type?: string;
  /** Whether other nodes of the cluster may use it, too, with the token that all of them have. */
  readonly isForNodes?: true;
  /** It takes bytes instead of JSON, so many at most: `body` is a `Buffer`. */
  readonly maxBytes?: number;
  /** The status of the answer; 200 when absent. */
  readonly status?: 201 | 202;
  /** The columns of the list that it answers with, which is also to be had as CSV (`list-route.ts`). */
  readonly columns?: readonly string[];
}

export interface Route extends Described {
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
  readonly handle: (request: AdminRequest) => Answer | Promise<Answer>;
}

/** The schema of routes that ignore the body. */
const anything = z.unknown();

/**
 * A route whose `handle` gets body and query parsed by their schemas, which the document describes and requests are
 * checked by. Throws `AdminRefusal` 400 when they do not fit.
 */
export function route<Body extends z.ZodType = typeof anything, Query extends z.ZodType = typeof anything>(
  described: Described & {
    readonly body?: Body;
    readonly query?: Query;
    /** Converts another accepted form into the schema's. */
    readonly asSchema?: (sent: unknown) => unknown;
    readonly handle: (request: Asked<Body, Query>) => Answer | Promise<Answer>;
  },
): Route {
  const { body, query, asSchema = (sent: unknown) => sent, handle, ...rest } = described;
  return {
    ...rest,
    ...(body !== undefined && { body }),
    ...(query !== undefined && { query }),
    handle: (request) =>
      handle({
        ...request,
        body: (body === undefined
          ? rest.maxBytes === undefined
            ? undefined
            : request.body
          : parseWith(body, asSchema(request.body))) as z.output<Body>,
        asked: (query === undefined
          ? undefined
          : parseWith(query, Object.fromEntries(request.query))) as z.output<Query>,
      }),
  };
}

export type Asked<Body extends z.ZodType, Query extends z.ZodType> = Omit<AdminRequest, "body"> & {
  readonly body: z.output<Body>;
  /** The checked query. */
  readonly asked: z.output<Query>;
};

/** What the route needs, of whichever kind it is. */
export const needOf = ({ needs = "token" }: Pick<Described, "needs">): Need => needs;

export interface FoundRoute {
  readonly route: Route;
  readonly path: Record<string, string>;
  /** The row of the table when the request uses a path of an older release. */
  readonly deprecated?: DeprecatedRoute;
}

/** Throws `AdminRefusal` 404 for an unknown path, 405 for another method. */
export function findRoute(routes: readonly Route[], method: string, path: string): FoundRoute {
  let isKnown = false;
  for (const deprecated of DEPRECATED_ROUTES) {
    const parameters = deprecated.method === method ? match(deprecated.pattern, path) : null;
    const route = routes.find((each) => each.method === method && each.pattern === deprecated.now);
    if (parameters !== null && route !== undefined) return { route, path: parameters, deprecated };
  }
  for (const route of routes) {
    const parameters = match(route.pattern, path);
    if (parameters === null) continue;
    if (route.method === method) return { route, path: parameters };
    isKnown = true;
  }
  if (isKnown) throw new AdminRefusal(405, "METHOD_NOT_ALLOWED", `${method} is not supported on this path.`);
  throw new AdminRefusal(404, "UNKNOWN_PATH", "No route has this path. See /openapi.json.");
}

function match(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split("/");
  const parts = path.split("/");
  if (wanted.length !== parts.length) return null;
  const parameters: Record<string, string> = {};
  for (const [index, want] of wanted.entries()) {
    const part = parts[index] ?? "";
    if (!want.startsWith(":")) {
      if (want !== part) return null;
      continue;
    }
    const decoded = decode(part);
    if (decoded === "") return null;
    parameters[want.slice(1)] = decoded;
  }
  return parameters;
}

/** Decodes a part of a URL; "" when its encoding is invalid. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
