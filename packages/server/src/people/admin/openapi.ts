/** The OpenAPI 3.1 document of the admin API, generated from its routes and their schemas. */
import { CSV_TYPE } from "../../api/answers/file-answers.ts";
import {
  jsonContent,
  operationIdOf,
  pathParameters,
  queryParameters,
  requestBody,
  templateOf,
} from "../../api/answers/described-route.ts";
import { needOf, type Route } from "./router.ts";
import { WORK_ASKED } from "../sign-in/work.ts";

type Json = Readonly<Record<string, unknown>>;

const DESCRIPTION = `The API for operators: everything except trading. It listens only on loopback.

Send a token with every request: \`Authorization: Bearer TOKEN\`. It is the admin token from \`admin.json\` in the data folder, or
the session token of an operator (\`POST /v1/sign-in\`). The admin token allows everything that does not require dual approval.
For operators, \`x-needs\` of each route names the required right: \`view\` (all roles), \`any\` (all roles except viewer),
\`customers\` (support, admin), \`money\` (treasurer, admin), \`venue\` (admin) or \`token\` (admin token only). With the admin
token, \`X-Pricetime-User\` sets the author that the journal records; for operators it is \`operator:NAME\`. Accounts are named by
number or email address. Responses to changes are sent after the change is on disk.

An action that requires dual approval is rejected with \`NEEDS_APPROVAL\`. The response contains the \`action\` to send to
\`POST /v1/approval-requests\`.

Errors are \`{"error": "UNKNOWN_SYMBOL", "message": "…"}\`: a code for programs and a sentence for people. After status 500 the
outcome of a request is unknown.

The command \`npx pricetime\` uses this API.`;

const ERROR: Json = {
  type: "object",
  required: ["error", "message"],
  properties: { error: { type: "string" }, message: { type: "string" }, work: WORK_ASKED },
};

const JSON_TYPE = "application/json";
const refusal = (description: string): Json => ({
  description,
  content: jsonContent({ $ref: "#/components/schemas/Error" }),
});

const REFUSALS: Json = {
  "400": refusal("The request is invalid. The message names the field."),
  "401": refusal("The token is missing or wrong, or the session has ended."),
  "403": refusal("NOT_PERMITTED: the role does not have the required right. Nothing was changed."),
  "404": refusal("The path or the object does not exist."),
  "409": refusal("The current state does not allow the request. Nothing was changed."),
  "5XX": refusal("NOT_ACCEPTED: nothing was changed. Other errors: the outcome is unknown."),
};

const probe = (summary: string, answers: string, type = JSON_TYPE): Json => ({
  get: {
    operationId: `get${summary.split(" ")[0]}`,
    summary,
    tags: ["Probes"],
    security: [],
    responses: { "200": { description: answers, content: { [type]: {} } } },
  },
});

/** The paths that need no token and are not routes. */
const PROBES: Json = {
  "/healthz": probe("Liveness", "The process is running."),
  "/readyz": probe("Readiness", "The node is ready. 503 with the failing checks when it is not."),
  "/metrics": probe("Metrics", "Metrics in the text format of Prometheus.", "text/plain"),
};

/** Returns a new document at each call. `version` is the program's. */
export function adminDocument(routes: readonly Route[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) (paths[templateOf(route.pattern)] ??= {})[route.method.toLowerCase()] = operation(route);
  return {
    openapi: "3.1.0",
    info: { title: "Pricetime: admin API", version, description: DESCRIPTION },
    servers: [{ url: "/" }],
    security: [{ token: [] }],
    paths: { ...paths, ...PROBES },
    components: {
      schemas: { Error: ERROR },
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
  };
}

function operation(route: Route): object {
  const {
    method,
    pattern,
    summary,
    answers = "The request was carried out.",
    status = 200,
    body,
    type = JSON_TYPE,
    columns,
  } = route;
  return {
    operationId: operationIdOf(method, pattern),
    summary,
    tags: [tagOf(route)],
    "x-needs": needOf(route),
    ...(needOf(route) === "nothing" && { security: [] }),
    parameters: [...pathParameters(pattern), ...queryParameters(route.query)],
    ...(body === undefined ? {} : { requestBody: requestBody(body) }),
    responses: {
      [status]: {
        description: answers,
        ...(columns && { headers: MORE }),
        content: { [type]: {}, ...(columns && asCsv(columns)) },
      },
      ...REFUSALS,
    },
  };
}

/** A list that goes on says where. */
const MORE: Json = {
  Link: { description: 'The next page, if there is one: `</v1/…?…>; rel="next"`.', schema: { type: "string" } },
};

/** A list as CSV: what its first line says. */
const asCsv = (columns: readonly string[]): Json => ({
  [CSV_TYPE]: { schema: { type: "string" }, example: `${columns.join(",")}\r\n` },
});

/** Derives the tag from the first part of the path: `exchange-filters` -> `Exchange filters`. */
function tagOf({ pattern }: Route): string {
  const [, , subject = ""] = pattern.split("/");
  return (subject.charAt(0).toUpperCase() + subject.slice(1)).replaceAll("-", " ");
}
