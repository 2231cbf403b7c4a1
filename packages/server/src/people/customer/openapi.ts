/** What the OpenAPI document of the account API says besides its routes. */
import { ACCOUNT_PAGE, PAGE_HEADER } from "../../api/edge/http/own-page.ts";
import { openApiDocument } from "../http/openapi.ts";
import { WORK_ASKED } from "../sign-in/work.ts";
import { SESSION_COOKIE } from "./requester.ts";
import type { AccountRoute } from "./route.ts";

const DESCRIPTION = `The API of the account pages. Your own programs can use it on the same machine or over TLS.

The session is a cookie, which \`POST /sign-in\` and \`POST /invitation/accept\` set. Every request needs the header
\`X-Pricetime-Page: account\`, and a body must be \`application/json\`; this keeps out pages of other sites. If the account has
two-factor authentication, every request with a \`code\` field requires one.

Errors are \`{"error": "NO_SESSION", "message": "…"}\`: an error word for programs and a message for people. If you can
retry later, \`retryAfterSeconds\` says when. Requests count against the request weight of their IP address, like those of the
trading interface: \`x-weight\` is the weight of a request.`;

/** Returns a new document on each call. `base`: the path of the routes; `version`: that of Pricetime. */
export function accountDocument(routes: readonly AccountRoute[], base: string, version: string): object {
  return openApiDocument(routes, {
    ...{ title: "Pricetime: account API", version, description: DESCRIPTION, base },
    security: { session: { type: "apiKey", in: "cookie", name: SESSION_COOKIE } },
    errorFields: { retryAfterSeconds: { type: "integer" }, work: WORK_ASKED },
    errors: {
      "4XX": "Nothing was changed. The error word says why.",
      "5XX":
        "SERVER_BUSY and HISTORY_BEHIND: retry. UNKNOWN_OUTCOME: check whether the request was carried out before you retry.",
    },
    answers: "An empty object.",
    parameters: {
      Page: { name: PAGE_HEADER, in: "header", required: true, schema: { type: "string", const: ACCOUNT_PAGE } },
    },
    fieldsOf: ({ weight }) => ({ "x-weight": weight }),
    isOpen: ({ needs }) => needs !== "session",
  });
}
