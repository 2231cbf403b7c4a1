/** Calls a route of a lab without its port. */
import { TOKEN_HOLDER } from "../../src/people/admin/operator.ts";
import { type AdminRoute, foundOr } from "../../src/people/admin/router.ts";
import { RouteTable } from "../../src/people/http/route-table.ts";

/** Returns the body of the answer; rejects as the route does. */
export async function callRoute(
  routes: readonly AdminRoute[],
  method: string,
  address: string,
  body?: unknown,
): Promise<unknown> {
  const { route, path } = foundOr(new RouteTable(routes, { grants: ["token"] }).find(method, address), method);
  const asked = { path, search: new URLSearchParams(), body, by: "tester", caller: TOKEN_HOLDER };
  return (await route.handle(asked)).body;
}
