/** Emails to customers and operators: sent, queued and failed. */
import type { Email } from "@pricetime/server/answers";
import type { Column } from "../../panels/data-table.tsx";
import { consoleEmails as words, pagesWords } from "../../words/words.ts";
import { type Context, SELDOM_MS, useFetched } from "../context.ts";
import { ActionButtons, details, FetchedList, Heading, Link } from "../elements.tsx";
import { Facts, moment, Pane, plain } from "../../pages/pane.tsx";
import { showMoment } from "../../pages/format.ts";
import { Copied } from "../../pages/secret.tsx";

const MOST = 1000;
/** Ends links whose secret the node has removed. */
const SHORTENED = "…";
const TONES: Readonly<Record<string, string>> = { sent: "good", kept: "good", failed: "bad", unknown: "warn" };

const StatusOf = ({ email: { status } }: { email: Email }) => (
  <span class={`tag ${TONES[status] ?? ""}`}>{words.statuses[status] ?? status}</span>
);

/** The complete links in an email. */
const linksIn = (text = ""): readonly string[] =>
  (text.match(/https?:\/\/\S+/g) ?? []).filter((link) => !link.endsWith(SHORTENED));

export function EmailsPage({ context }: { context: Context }) {
  const columns: readonly Column<Email>[] = [
    moment(context, words.time, ({ createdMs }) => createdMs),
    plain(words.to, ({ to }) => to),
    {
      label: words.subject,
      text: ({ subject }) => subject,
      show: ({ emailId, subject }) => <Link to={{ page: "emails", subject: emailId }}>{subject}</Link>,
    },
    {
      label: words.status,
      text: ({ status }) => words.statuses[status] ?? status,
      show: (email) => <StatusOf email={email} />,
    },
    plain(words.attempts, ({ attempts }) => String(attempts), true),
    details(words.error, ({ error }) => error),
  ];
  return (
    <div class="page">
      <h1>{words.title}</h1>
      <FetchedList
        {...{ context, columns }}
        path="/v1/emails"
        limit={MOST}
        everyMs={SELDOM_MS}
        title={words.title}
        name="emails"
        keyOf={({ emailId }) => emailId}
        empty={words.none}
      />
    </div>
  );
}

export function EmailPage({ context }: { context: Context }) {
  const mail = context.place.value.subject;
  const { value, denied } = useFetched<Email>(context, `/v1/emails/${encodeURIComponent(mail)}`);
  return (
    <div class="page">
      <Heading page="emails" title={words.title} of={value?.subject ?? mail} />
      <ActionButtons context={context} page="emails" on="one" given={{ email: mail }} />
      <Pane title={words.email} denied={denied}>
        {value !== null && (
          <>
            <Facts
              rows={{
                [words.to]: value.to,
                [words.subject]: value.subject,
                [words.status]: <StatusOf email={value} />,
                [words.time]: showMoment(context, value.createdMs),
                [words.attempts]: String(value.attempts),
                [words.error]: value.error === "" ? pagesWords.noFigure : value.error,
                ...(value.withdrawalId !== undefined && {
                  [words.withdrawal]: (
                    <Link to={{ page: "withdrawals", subject: value.withdrawalId }}>{value.withdrawalId}</Link>
                  ),
                }),
              }}
            />
            {context.me.value?.isToken === false && value.text?.includes(SHORTENED) === true && (
              <p class="muted padded">{words.shortened}</p>
            )}
            {linksIn(value.text).map((link) => (
              <div key={link} class="padded">
                <Copied name="link" label={words.link} value={link} />
              </div>
            ))}
            <pre class="email-text">{value.text}</pre>
          </>
        )}
      </Pane>
    </div>
  );
}
