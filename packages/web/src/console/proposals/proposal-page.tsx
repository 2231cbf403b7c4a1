/** One approval request: its effect, author and approvals, and the decisions the operator may take. */
import { consoleApprovals as words } from "../../words/words.ts";
import { OFTEN_MS, useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { Acts } from "../draw/acts.tsx";
import { Link } from "../draw/link.tsx";
import { Facts, Pane } from "../../pages/pane.tsx";
import { showAge, showMoment } from "../../pages/shown.ts";
import { ActShown } from "../forms/act-shown.tsx";
import { APPROVE, CHANGE, type Proposal, proposalPath, REJECT, shownName } from "../forms/proposal.ts";
import { hasRight } from "../rights.ts";
import { Approvals } from "./approvals.tsx";

export function ProposalPage({ desk }: { desk: Desk }) {
  const proposal = desk.place.value.subject;
  const { value, denied } = useAsked<Proposal>(desk, proposalPath(proposal), { everyMs: OFTEN_MS });
  const isOwn = value !== null && value.authors.map(shownName).includes(desk.session.value?.operator ?? "");
  return (
    <div class="page">
      <h1>
        <Link to={{ page: "approvals" }}>{words.title}</Link> /{" "}
        {value === null ? proposal : words.actionName(value.action.type)}
      </h1>
      {value !== null && (
        <Acts
          desk={desk}
          page="approvals"
          on="one"
          given={{ request: proposal }}
          now={{ [CHANGE]: { action: value.action, why: value.why } }}
          fixed={{ [CHANGE]: { version: value.version }, [APPROVE]: { version: value.version } }}
          acts={{ [APPROVE]: value.action, [REJECT]: value.action }}
          hidden={isOwn || !hasRight(desk, value.needs) ? [APPROVE] : []}
        />
      )}
      {isOwn && <p class="muted">{words.ownRequest}</p>}
      {value !== null && !isOwn && !hasRight(desk, value.needs) && <p class="muted">{words.otherRole(value.needs)}</p>}
      <Pane title={words.request} denied={denied}>
        {value !== null && (
          <Facts
            rows={{
              [words.reason]: value.why,
              [words.author]: value.authors.map(shownName).join(", "),
              [words.version]: String(value.version),
              [words.approvals]: <Approvals proposal={value} />,
              [words.created]: `${showMoment(desk, value.createdMs)} (${showAge(desk, value.createdMs)})`,
              [words.changed]: showMoment(desk, value.changedMs),
              [words.until]: showMoment(desk, value.untilMs),
            }}
          />
        )}
      </Pane>
      {value !== null && (
        <Pane title={words.effect}>
          <div class="padded">
            <ActShown desk={desk} act={value.action} />
          </div>
        </Pane>
      )}
    </div>
  );
}
