/** The admin API as an OpenAPI 3.1 document, made from its routes and from the schemas that check their bodies. */
import { CSV_TYPE } from "../answers/csv.ts";
import {
  jsonContent,
  operationIdOf,
  pathParameters,
  queryParameters,
  requestBody,
  templateOf,
} from "../answers/described-route.ts";
import { needOf, type Route } from "./router.ts";
import { WORK_ASKED } from "../sign-in/work.ts";

type Json = Readonly<Record<string, unknown>>;

const DESCRIPTION = `For operators: everything that is not trading. It listens on loopback alone.

Every route needs a token: \`Authorization: Bearer TOKEN\`. It is the admin token, which stands in \`admin.json\` in the data
folder and may do all that one person may, or that of an operator who signed in (\`POST /v1/sign-in\`). What an operator's
role must allow stands at each route as \`x-needs\`: \`view\` (every role), \`any\` (every role but viewer), \`customers\`
(support, admin), \`money\` (treasurer, admin), \`venue\` (admin), or \`token\` (the admin token alone). With the admin token,
who acts can be told in \`X-Pricetime-User\`, and then stands in the journal; an operator acts as \`operator:NAME\`. An account
is named by its number or its mail address. What an operator does is a command like any other: answered when it is on disk.

An act that needs a second person is refused with \`NEEDS_TWO\` and, as \`act\`, what \`POST /v1/approval-requests\` takes.

A refusal is \`{"error": "UNKNOWN_SYMBOL", "message": "…"}\`: a word for programs and a sentence for people. After a status
of 500 it is not known whether the request was carried out.

The command \`npx pricetime\` speaks this API.`;

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
  "400": refusal("Something that was sent is not right; the message names it."),
  "401": refusal("The token is missing or wrong, or the session is over."),
  "403": refusal("NOT_PERMITTED: the role does not allow it; nothing was changed."),
  "404": refusal("There is no such thing."),
  "409": refusal("It cannot be done as things stand; nothing was changed."),
  "5XX": refusal("NOT_ACCEPTED: nothing was changed. Otherwise it is not known."),
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
  "/healthz": probe("Alive?", "It is."),
  "/readyz": probe("Ready to serve?", "It is. 503 with reasons when it is not."),
  "/metrics": probe("Metrics", "In the text format of Prometheus.", "text/plain"),
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
  const { method, pattern, summary, answers = "Done.", status = 200, body, type = JSON_TYPE, columns } = route;
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
  Link: { description: 'Where there is more: `</v1/…?…>; rel="next"`.', schema: { type: "string" } },
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
