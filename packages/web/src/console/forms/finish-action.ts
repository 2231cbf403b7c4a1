/** What follows a successful action: a notice, and the page that shows the result. */
import { consoleApprovals, consoleForms as words } from "../../words/words.ts";
import type { Context, OpenForm, Outcome } from "../context.ts";
import type { Json } from "../openapi.ts";
import { goTo, hashOf } from "../place.ts";
import { ROUTES } from "../routes.ts";
import { APPROVE, isOver, requestIdIn, withdrawalIn } from "./approval-request.ts";
import { partOf } from "./schema.ts";

/** Shows a notice of success. If the action created an approval request, the notice links to it. */
export function notifyDone(context: Context, what: string, answer: Json, outcome?: Outcome): void {
  const approvalRequest = requestIdIn(answer);
  if (approvalRequest === undefined) {
    const rest = [warningsOf(answer), outcome?.text ?? ""].filter((text) => text !== "").join(" ");
    context.notify("good", words.done(what, rest, listedIn(what, answer)), outcome?.to);
  } else context.notify("good", consoleApprovals.requested(1), hashOf({ page: "approvals", subject: approvalRequest }));
}

/** The name of a new market or asset, which the notice names; "" for other actions. */
function listedIn(what: string, answer: Json): string {
  const name = what.startsWith("List ") && (partOf(answer, "symbol") ?? partOf(answer, "asset"));
  return typeof name === "string" ? name : "";
}

/** Fetches the page's data again, or opens the withdrawal that a request has approved. A completed object no longer has a page, so the console shows the list. */
export function showResult(context: Context, openForm: OpenForm, answer: Json | undefined): void {
  const { page, subject } = context.place.value;
  const withdrawal = openForm.action && withdrawalIn(openForm.action);
  if (isOver(openForm, answer))
    goTo(
      openForm.key === APPROVE && withdrawal !== undefined
        ? { page: "withdrawals", subject: withdrawal }
        : { page: "approvals" },
    );
  else if (subject !== "" && ROUTES[openForm.key]?.endsSubject === true) goTo({ page });
  else context.done.value++;
}

/** What to do with the secrets in a response. Secrets are shown once; links are also on the Emails page. */
export function instructionOf(answer: Json): string {
  const [link, email] = [partOf(answer, "link"), partOf(answer, "email")];
  return typeof link === "string" ? words.linkSent(String(email)) : words.onceOnly;
}

/** Additional information in a successful response: warnings, and the number of deposits found by a rescan. */
function warningsOf(answer: Json): string {
  const { warnings = [], found } = answer as { readonly warnings?: readonly string[]; readonly found?: number };
  const all = [
    ...(typeof found === "number" ? [words.found(found)] : []),
    ...(Array.isArray(warnings) ? warnings : []),
  ];
  return all.join(" ");
}
