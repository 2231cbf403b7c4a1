/** The OpenAPI document of the admin API. */
import { JSON_CONTENT, openApiDocument } from "../http/openapi.ts";
import { WORK_ASKED } from "../sign-in/work.ts";
import type { AdminRoute } from "./router.ts";

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

const ERRORS: Readonly<Record<string, string>> = {
  "400": "The request is invalid. The message names the field.",
  "401": "The token is missing or wrong, or the session has ended.",
  "403": "NOT_PERMITTED: the role does not have the required right. Nothing was changed.",
  "404": "The path or the object does not exist.",
  "409": "The current state does not allow the request. Nothing was changed.",
  "5XX": "NOT_ACCEPTED: nothing was changed. Other errors: the outcome is unknown.",
};

const probe = (summary: string, answers: string, type = JSON_CONTENT): Json => ({
  get: {
    operationId: `get${summary.split(" ")[0]}`,
    summary,
    tags: ["Probes"],
    security: [],
    responses: { "200": { description: answers, content: { [type]: {} } } },
  },
});

/** The probes need no token and are not in the route table. */
const PROBES: Json = {
  "/healthz": probe("Liveness", "The process is running."),
  "/readyz": probe("Readiness", "The node is ready. 503 with the failing checks when it is not."),
  "/metrics": probe("Metrics", "Metrics in the text format of Prometheus.", "text/plain"),
};

/** `version`: the program's version. */
export function adminDocument(routes: readonly AdminRoute[], version: string): object {
  return openApiDocument(routes, {
    ...{ title: "Pricetime: admin API", version, description: DESCRIPTION, base: "/" },
    security: { token: { type: "http", scheme: "bearer" } },
    errorFields: { work: WORK_ASKED },
    errors: ERRORS,
    answers: "The request was carried out.",
    fieldsOf: (route) => ({ tags: [tagOf(route)], "x-needs": route.needs }),
    isOpen: ({ needs }) => needs === "nothing",
    otherPaths: PROBES,
  });
}

/** Derives the tag from the first part of the path: `exchange-filters` -> `Exchange filters`. */
function tagOf({ pattern }: AdminRoute): string {
  const [, , subject = ""] = pattern.split("/");
  return (subject.charAt(0).toUpperCase() + subject.slice(1)).replaceAll("-", " ");
}
