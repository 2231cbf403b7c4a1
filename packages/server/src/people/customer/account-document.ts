/** The OpenAPI 3.1 document of the account API, generated from its routes and their schemas. */
import {
  jsonContent,
  operationIdOf,
  pathParameters,
  queryParameters,
  requestBody,
  templateOf,
} from "../../api/answers/described-route.ts";
import { ACCOUNT_PAGE, PAGE_HEADER } from "../../api/edge/http/own-page-guard.ts";
import { WORK_ASKED } from "../sign-in/work.ts";
import { SESSION_COOKIE } from "./cookies.ts";
import type { CustomerRoute } from "./route.ts";

type Json = Readonly<Record<string, unknown>>;

const DESCRIPTION = `The API of the account pages. Your own programs can use it on the same machine or over TLS.

The session is a cookie, which \`POST /sign-in\` and \`POST /invitation/accept\` set. Every request needs the header
\`X-Pricetime-Page: account\`, and a body must be \`application/json\`; this keeps out pages of other sites. If the account has
two-factor authentication, every request with a \`code\` field requires one.

Errors are \`{"error": "NO_SESSION", "message": "…"}\`: an error word for programs and a message for people. If you can
retry later, \`retryAfterSeconds\` says when. Requests count against the request weight of their IP address, like those of the
trading interface: \`x-weight\` is the weight of a request.`;

const ERROR: Json = {
  type: "object",
  required: ["error", "message"],
  properties: {
    error: { type: "string" },
    message: { type: "string" },
    retryAfterSeconds: { type: "integer" },
    work: WORK_ASKED,
  },
};

const refusal = (description: string): Json => ({
  description,
  content: jsonContent({ $ref: "#/components/schemas/Error" }),
});

const REFUSALS: Json = {
  "4XX": refusal("Nothing was changed. The error word says why."),
  "5XX": refusal(
    "SERVER_BUSY and HISTORY_BEHIND: retry. UNKNOWN_OUTCOME: check whether the request was carried out before you retry.",
  ),
};

const PAGE: Json = {
  ...{ name: PAGE_HEADER, in: "header", required: true },
  schema: { type: "string", const: ACCOUNT_PAGE },
};

/** Returns a new document on each call. `base`: the path of the routes; `version`: that of Pricetime. */
export function accountDocument(routes: readonly CustomerRoute[], base: string, version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) (paths[templateOf(route.path)] ??= {})[route.method.toLowerCase()] = operation(route);
  return {
    openapi: "3.1.0",
    info: { title: "Pricetime: account API", version, description: DESCRIPTION },
    servers: [{ url: base }],
    security: [{ session: [] }],
    paths,
    components: {
      schemas: { Error: ERROR },
      parameters: { Page: PAGE },
      securitySchemes: { session: { type: "apiKey", in: "cookie", name: SESSION_COOKIE } },
    },
  };
}

function operation(route: CustomerRoute): object {
  const { method, path, weight, summary, answers = "An empty object.", status = 200, body, query } = route;
  const { types = ["application/json"] } = route;
  return {
    operationId: operationIdOf(method, path),
    summary,
    "x-weight": weight,
    ...(route.isOpen === true && { security: [] }),
    parameters: [{ $ref: "#/components/parameters/Page" }, ...pathParameters(path), ...queryParameters(query)],
    ...(body !== undefined && { requestBody: requestBody(body) }),
    responses: {
      [status]: { description: answers, content: Object.fromEntries(types.map((type) => [type, {}])) },
      ...REFUSALS,
    },
  };
}
