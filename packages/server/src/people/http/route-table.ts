/** The routes mounted on a port, and the lookup of a request's route. */
import assert from "node:assert/strict";
import type { Described } from "./route.ts";

export interface Port {
  /** The rights that this port can check. Routes with other rights cannot be mounted. */
  readonly grants: readonly string[];
  /** Only routes below this path can be mounted. */
  readonly below?: string;
  /** Whether each route must have a rate limit weight. */
  readonly isWeighed?: boolean;
  /** Whether path parameters may be empty or invalidly URL-encoded; the latter are not decoded. */
  readonly takesAnyPart?: boolean;
}

export interface Found<R> {
  readonly route: R;
  /** The decoded path parameters. */
  readonly path: Record<string, string>;
}

export class RouteTable<R extends Pick<Described, "method" | "pattern" | "needs" | "weight">> {
  readonly routes: readonly R[];
  readonly #patterns: readonly (readonly string[])[];
  readonly #takesAnyPart: boolean;

  /** Asserts that the port can check the right of every route: access is denied by default. */
  constructor(routes: readonly R[], { grants, below = "/", isWeighed = false, takesAnyPart = false }: Port) {
    for (const { method, pattern, needs, weight } of routes) {
      const isAllowed = grants.includes(needs) && pattern.startsWith(below);
      assert(isAllowed, `${method} ${pattern} needs ${needs}, which this port does not grant below ${below}`);
      assert(!isWeighed || weight !== undefined, `${method} ${pattern} has no weight`);
    }
    this.routes = routes;
    this.#patterns = routes.map(({ pattern }) => pattern.split("/"));
    this.#takesAnyPart = takesAnyPart;
  }

  /** Returns "wrong method" if the path has routes, but none with this method. */
  find(method: string, path: string): Found<R> | "unknown path" | "wrong method" {
    const parts = path.split("/");
    let isKnown = false;
    for (const [index, route] of this.routes.entries()) {
      const parameters = this.#match(this.#patterns[index] ?? [], parts);
      if (parameters === undefined) continue;
      if (route.method === method) return { route, path: parameters };
      isKnown = true;
    }
    return isKnown ? "wrong method" : "unknown path";
  }

  #match(pattern: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
    if (pattern.length !== parts.length) return undefined;
    const parameters: Record<string, string> = {};
    for (const [index, wanted] of pattern.entries()) {
      const part = parts[index] ?? "";
      if (!wanted.startsWith(":")) {
        if (wanted !== part) return undefined;
        continue;
      }
      const decoded = decode(part) ?? (this.#takesAnyPart ? part : "");
      if (decoded === "" && !this.#takesAnyPart) return undefined;
      parameters[wanted.slice(1)] = decoded;
    }
    return parameters;
  }
}

/** URL-decodes a path part; undefined if its encoding is invalid. */
function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
