/** What stands around all pages: the bar at the top, the list of pages, notices, the open form. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Icon } from "../../panels/icons.tsx";
import { consolePages, consoleSays as words } from "../../words/words.ts";
import { SELDOM_MS, useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { OpenWish } from "../forms/act-window.tsx";
import { hashOf } from "../place.ts";
import type { Overview } from "../overview/overview.ts";
import type { Proposal } from "../forms/proposal.ts";
import { PAGES, type PageName } from "../routes.ts";
import { Brand } from "../../pages/brand.tsx";
import { Banners } from "./banners.tsx";
import { InvitationPage } from "./invitation.tsx";
import { Lamp } from "./lamp.tsx";
import { Notices } from "../../pages/notices.tsx";
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
  const isListOpen = useSignal(false);
  const overview = useAsked<Overview>(desk, "/v1/overview", { everyMs: SELDOM_MS });
  const proposals = useAsked<readonly Proposal[]>(desk, "/v1/proposals", { everyMs: SELDOM_MS });
  const awaiting = overview.value?.withdrawals["awaitingApproval"] ?? 0;
  const badges: Partial<Readonly<Record<PageName, number>>> = {
    withdrawals: awaiting,
    proposals: proposals.value?.length ?? 0,
  };
  useEffect(() => {
    const name = consolePages[page];
    document.title = `${subject === "" ? name : `${subject} · ${name}`} · ${words.console}`;
  }, [page, subject]);
  return (
    <div class="console">
      <a class="skip" href="#content" onClick={toContent}>
        {words.skip}
      </a>
      <header class="top">
        <button
          type="button"
          class="quiet pages-button"
          aria-expanded={isListOpen.value}
          aria-controls="pages"
          aria-label={words.pages}
          onClick={() => {
            isListOpen.value = !isListOpen.value;
          }}
        >
          <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
            <path d="M2 4h12M2 8h12M2 12h12" />
          </svg>
        </button>
        <a class="brand" href={hashOf({ page: "overview" })}>
          <Brand />
        </a>
        <SearchBox desk={desk} />
        <div class="top-end">
          <Lamp overview={overview} />
          <ThemeButton desk={desk} />
          <Who desk={desk} />
        </div>
      </header>
      <div class="below">
        <nav id="pages" class={`pages ${isListOpen.value ? "open" : ""}`} aria-label={words.pages}>
          <ul>
            {PAGES.map((name) => (
              <li key={name}>
                <a
                  href={hashOf({ page: name })}
                  aria-current={name === page ? "page" : undefined}
                  onClick={() => {
                    isListOpen.value = false;
                  }}
                >
                  {consolePages[name]}
                  <Badge count={badges[name] ?? 0} />
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <main id="content" tabIndex={-1}>
          <Banners desk={desk} stops={overview.value?.stops ?? []} />
          <PageOf desk={desk} />
        </main>
      </div>
      <Notices desk={desk} />
      <OpenWish desk={desk} />
    </div>
  );
}

function Badge({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span class="badge" title={words.awaiting(count)}>
      {count}
    </span>
  );
}

/** What stands behind `#` is a page: to the content by script. */
function toContent(event: Event): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

const RoleTag = ({ role }: { role: string | null }) => (role === null ? null : <span class="tag">{role}</span>);

function ThemeButton({ desk }: { desk: Desk }) {
  const { theme } = desk.preferences;
  const isLight = document.documentElement.dataset.theme === "light";
  return (
    <button
      type="button"
      class="quiet"
      aria-label={words.theme}
      onClick={() => {
        theme.value =
          theme.value === "system" ? (isLight ? "dark" : "light") : theme.value === "light" ? "dark" : "light";
      }}
    >
      <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
        <path d="M8 2.500a5.500 5.500 0 1 0 0 11z M8 2.500a5.500 5.500 0 0 1 0 11" />
      </svg>
    </button>
  );
}

function Who({ desk }: { desk: Desk }) {
  return (
    <>
      <a class="who" title={words.actsCarry} href={hashOf({ page: "me" })}>
        <Icon name="person" />
        <span class="label-wide">
          {desk.session.value?.operator} <RoleTag role={desk.me.value?.role ?? null} />
        </span>
      </a>
      <button type="button" class="quiet" onClick={() => void desk.signOut()}>
        {words.signOut}
      </button>
    </>
  );
}
