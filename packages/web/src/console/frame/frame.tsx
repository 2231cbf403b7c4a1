/** The frame of every page: search box, node status, pending counts, banners and the open form. */
import { useEffect } from "preact/hooks";
import { PageFrame } from "../../pages/frame.tsx";
import { consolePages, consoleSays } from "../../words/words.ts";
import { SELDOM_MS, useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { OpenWish } from "../forms/act-window.tsx";
import { hashOf } from "../place.ts";
import type { Overview } from "../overview/overview.ts";
import type { Proposal } from "../forms/proposal.ts";
import { PAGES, type PageName } from "../routes.ts";
import { Banners } from "./banners.tsx";
import { InvitationPage } from "./invitation.tsx";
import { Lamp } from "./lamp.tsx";
import { PageOf } from "./page-of.tsx";
import { SearchBox } from "./search-box.tsx";
import { SignIn } from "./sign-in.tsx";

export function Frame({ desk }: { desk: Desk }) {
  const invitation = desk.invitation.value;
  if (invitation !== null) return <InvitationPage desk={desk} invitation={invitation} />;
  return desk.session.value === null ? <SignIn desk={desk} /> : <Inside desk={desk} />;
}

function Inside({ desk }: { desk: Desk }) {
  const { page, subject } = desk.place.value;
  const overview = useAsked<Overview>(desk, "/v1/overview", { everyMs: SELDOM_MS });
  const proposals = useAsked<readonly Proposal[]>(desk, "/v1/approval-requests", { everyMs: SELDOM_MS });
  const waiting: Partial<Readonly<Record<PageName, number>>> = {
    withdrawals: overview.value?.withdrawals["awaitingApproval"] ?? 0,
    approvals: proposals.value?.length ?? 0,
  };
  useEffect(() => {
    const name = consolePages[page];
    document.title = `${subject === "" ? name : `${subject} · ${name}`} · ${consoleSays.console}`;
  }, [page, subject]);
  return (
    <PageFrame
      desk={desk}
      home={hashOf({ page: "overview" })}
      pages={PAGES.map((name) => ({
        href: hashOf({ page: name }),
        label: consolePages[name],
        isHere: name === page,
        waiting: waitingOf(waiting[name] ?? 0),
      }))}
      who={{
        name: <Operator desk={desk} />,
        page: { href: hashOf({ page: "profile" }), title: consoleSays.recordedAs },
        onSignOut: () => void desk.signOut(),
      }}
      bar={<SearchBox desk={desk} />}
      state={<Lamp overview={overview} />}
      over={<OpenWish desk={desk} />}
    >
      <Banners desk={desk} stops={overview.value?.suspensions ?? []} />
      <PageOf desk={desk} />
      <p class="muted times">{consoleSays.times[desk.preferences.timeZone.value]}</p>
    </PageFrame>
  );
}

const waitingOf = (count: number): { count: number; text: string } | undefined =>
  count === 0 ? undefined : { count, text: consoleSays.awaiting(count) };

function Operator({ desk }: { desk: Desk }) {
  const role = desk.me.value?.role ?? null;
  return (
    <>
      {desk.session.value?.operator} {role !== null && <span class="tag">{role}</span>}
    </>
  );
}
