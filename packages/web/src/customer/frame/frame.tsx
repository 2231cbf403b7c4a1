/** What stands around every page: the bar at the top and the list of pages; or the pages of those who are not signed in. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Brand } from "../../pages/brand.tsx";
import { Notices } from "../../pages/notices.tsx";
import { Icon } from "../../panels/icons.tsx";
import { customerPages, customerSays as words } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { OutsidePage } from "../outside/outside-page.tsx";
import { SignIn } from "../outside/sign-in.tsx";
import { hashOf, isOutside, PAGES } from "../place.ts";
import { PageOf } from "./page-of.tsx";
import { Held } from "./held.tsx";

export function Frame({ desk }: { desk: Desk }) {
  const { page } = desk.place.value;
  const session = desk.session.value;
  useEffect(() => {
    document.title = `${customerPages[page]} · ${words.account}`;
  }, [page]);
  if (isOutside(page)) return <OutsidePage desk={desk} page={page} />;
  if (session === undefined) return <main class="sign-in" aria-busy="true" />;
  if (session === null) return <SignIn desk={desk} />;
  return <Inside desk={desk} />;
}

function Inside({ desk }: { desk: Desk }) {
  const { page } = desk.place.value;
  const isListOpen = useSignal(false);
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
        <a class="brand" href={hashOf("overview")}>
          <Brand />
        </a>
        <a class="button" href="../">
          {words.terminal}
        </a>
        <div class="top-end">
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
                  href={hashOf(name)}
                  aria-current={name === page ? "page" : undefined}
                  onClick={() => {
                    isListOpen.value = false;
                  }}
                >
                  {customerPages[name]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <main id="content" tabIndex={-1}>
          <div class="page">
            <h1>{customerPages[page]}</h1>
            <Held desk={desk} />
            <PageOf desk={desk} />
          </div>
        </main>
      </div>
      <Notices desk={desk} />
    </div>
  );
}

/** What stands behind `#` is a page: to the content by script. */
function toContent(event: Event): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

function ThemeButton({ desk }: { desk: Desk }) {
  const { theme } = desk.preferences;
  return (
    <button
      type="button"
      class="quiet"
      aria-label={words.theme}
      onClick={() => {
        theme.value = document.documentElement.dataset["theme"] === "light" ? "dark" : "light";
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
      <span class="who">
        <Icon name="person" />
        <span class="label-wide">{desk.session.value?.email}</span>
      </span>
      <button type="button" class="quiet" onClick={() => void desk.leave()}>
        {words.signOut}
      </button>
    </>
  );
}
