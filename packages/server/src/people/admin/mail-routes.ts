/** Routes of sent, queued and failed emails. */
import { z } from "zod";
import { ok, Rejection } from "../http/answer.ts";
import type { MailRecord, Outbox } from "../mail/port.ts";
import { withOldNames } from "./deprecated-names.ts";
import { listRoute } from "./list-route.ts";
import type { AdminNode } from "./node.ts";
import { type AdminRoute, route } from "./router.ts";
import { email, emailRow } from "./answers.ts";

const pageSchema = z.strictObject({ limit: z.coerce.number().int().min(1).max(1000).default(100) });

/** The email as sent in answers, with its field names of release 0.2.0. */
function emailBody({ mailId, noticeId, trouble, ...mail }: Omit<MailRecord, "text">): object {
  const named = { emailId: mailId, ...mail, error: trouble };
  const about = noticeId === undefined ? {} : { notificationId: noticeId };
  return withOldNames({ ...named, ...about }, "emailId", "error");
}

function mailOf(outbox: Outbox, { email: id }: { readonly email: string }): MailRecord {
  const mail = outbox.find(id);
  if (mail === undefined) throw new Rejection(404, "UNKNOWN_EMAIL", `No email has the id ${id}.`);
  return mail;
}

/** Cuts each link after its path, because the rest contains the secret. */
function withoutLinks(letter: string): string {
  return letter.replaceAll(/(https?:\/\/[^\s?#]*)[?#][^\s]+/g, "$1…");
}

export function mailRoutes({ outbox }: AdminNode): AdminRoute[] {
  return [
    listRoute({
      pattern: "/v1/emails",
      summary: "Lists emails that are sent, queued or failed, newest first, without their texts.",
      query: pageSchema,
      columns: ["emailId", "createdMs", "to", "subject", "status", "attempts", "error"],
      answer: z.array(emailRow),
      filePage: { limit: Number.MAX_SAFE_INTEGER },
      page: ({ query: { limit } }) => {
        const mails = outbox.list().slice(0, limit);
        return { rows: mails.map(({ text: _text, ...mail }) => emailBody(mail)) };
      },
    }),
    route({
      endpoint: "GET /v1/emails/:email",
      needs: "venue",
      summary: "Returns an email with its text.",
      answers: "The email. Links are complete only with the admin token, because a link acts for its recipient.",
      answer: email,
      handle: ({ path, caller }) => {
        const mail = mailOf(outbox, path);
        const text = caller.kind === "token" ? mail.text : withoutLinks(mail.text);
        return ok({ ...emailBody(mail), text });
      },
    }),
    route({
      endpoint: "POST /v1/emails/:email/resend",
      needs: "any",
      summary:
        "Resends an email that failed or whose delivery is unknown. In the second case the customer may receive it twice.",
      answer: emailRow,
      handle: async ({ path, by }) => {
        const { mailId } = mailOf(outbox, path);
        await outbox.sendAgain(mailId, by);
        const { text: _text, ...mail } = mailOf(outbox, path);
        return ok(emailBody(mail));
      },
    }),
  ];
}
