/** Finds the route of an admin request. A pattern is a path whose parts after a colon are parameters. */
import { type Answer, AdminRefusal } from "./answer.ts";

export interface AdminRequest {
  /** The parameters of the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
  /** Who acts: stands in the journal. */
  readonly by: string;
}

export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** As `/v1/accounts/:account`. */
  readonly pattern: string;
  readonly handle: (request: AdminRequest) => Answer | Promise<Answer>;
}

export interface FoundRoute {
  readonly route: Route;
  readonly path: Record<string, string>;
}

/** Throws `AdminRefusal` 404 for an unknown path, 405 for another method. */
export function findRoute(routes: readonly Route[], method: string, path: string): FoundRoute {
  let isKnown = false;
  for (const route of routes) {
    const parameters = match(route.pattern, path);
    if (parameters === null) continue;
    if (route.method === method) return { route, path: parameters };
    isKnown = true;
  }
  if (isKnown) throw new AdminRefusal(405, "METHOD_NOT_ALLOWED", `${method} is not possible here.`);
  throw new AdminRefusal(404, "UNKNOWN_PATH", "There is nothing at this path.");
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

/** "" for what is no URL encoding. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
