/** The account API as an OpenAPI 3.1 document, made from its routes and from the schemas by which they read what is sent. */
import {
  jsonContent,
  operationIdOf,
  pathParameters,
  queryParameters,
  requestBody,
  templateOf,
} from "../answers/described-route.ts";
import { ACCOUNT_PAGE, PAGE_HEADER } from "../edge/http/own-page-guard.ts";
import { WORK_ASKED } from "../sign-in/work.ts";
import { SESSION_COOKIE } from "./cookies.ts";
import type { CustomerRoute } from "./route.ts";

type Json = Readonly<Record<string, unknown>>;

const DESCRIPTION = `For the pages of customers, and for programs of yours on the same machine or over TLS.

A session is a cookie, which \`POST /sign-in\` and \`POST /invitation/accept\` set. Each request has the header
\`X-Pricetime-Page: account\`, and its body is \`application/json\`; both keep pages of other sites out. Where the account has
two-factor codes, what takes a \`code\` demands one.

A refusal is \`{"error": "NO_SESSION", "message": "…"}\`: a word for programs and a sentence for people. One that says when
to ask again has \`retryAfterSeconds\`. Requests count against the limits of their address as those of the endpoints do:
\`x-weight\` says how much.`;

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
  "4XX": refusal("Nothing was changed; the word says why."),
  "5XX": refusal("SERVER_BUSY and HISTORY_BEHIND: ask again. UNKNOWN_OUTCOME: look before you try again."),
};

const PAGE: Json = {
  ...{ name: PAGE_HEADER, in: "header", required: true },
  schema: { type: "string", const: ACCOUNT_PAGE },
};

/** Returns a new document at each call. `base`: where the routes stand; `version`: the program's. */
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
  const { method, path, weight, summary, answers = "Done.", status = 200, body, query } = route;
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
