/** The frame of a signed-in page: top bar, navigation, theme button and notices. */
import { pagesWords } from "../words/words.ts";
import { Brand, theVenue } from "../panels/brand.tsx";
import { Button, Icon } from "../panels/controls.tsx";
import type { Preferences } from "../preferences.ts";
import { type Signal, signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { World } from "../wire/world.ts";

export function BrandMark() {
  return (
    <span class="brand-mark">
      <Brand />
    </span>
  );
}

function Notices({ board }: { board: Pick<NoticeBoard, "notices"> }) {
  return (
    <div class="notices" role="log" aria-label={pagesWords.notices}>
      {board.notices.value.map(({ id, tone, text, to }) => (
        <div key={id} class={`notice ${tone}`}>
          <span>
            {text} {to !== undefined && <a href={to}>{pagesWords.lookAt}</a>}
          </span>
          <Button
            class="quiet"
            aria-label={pagesWords.dismiss}
            onClick={() => (board.notices.value = board.notices.value.filter((one) => one.id !== id))}
          >
            <Icon name="cross" />
          </Button>
        </div>
      ))}
    </div>
  );
}

function ThemeButton({ preferences: { theme } }: { preferences: Pick<Preferences, "theme"> }) {
  return (
    <Button
      class="quiet"
      aria-label={pagesWords.theme}
      onClick={() => {
        // Toggles the theme that is shown now, which may be the system's.
        theme.value = document.documentElement.dataset["theme"] === "light" ? "dark" : "light";
      }}
    >
      <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
        <path d="M8 2.500a5.500 5.500 0 1 0 0 11z M8 2.500a5.500 5.500 0 0 1 0 11" />
      </svg>
    </Button>
  );
}

/** A link to a page in the navigation. */
export interface PageLink {
  readonly href: string;
  readonly label: string;
  readonly isHere: boolean;
  /** The number of pending items on the page, as a number and as a text; absent if none are shown. */
  readonly waiting?: { readonly count: number; readonly text: string } | undefined;
}

interface Who {
  readonly name: ComponentChildren;
  /** The link to the profile page and its tooltip; absent if there is no profile page. */
  readonly page?: { readonly href: string; readonly title: string };
  readonly onSignOut: () => void;
}

interface Props {
  readonly board: Pick<NoticeBoard, "notices"> & { readonly preferences: Pick<Preferences, "theme"> };
  /** The address of the home page, to which the logo links. */
  readonly home: string;
  readonly pages: readonly PageLink[];
  readonly who: Who;
  /** Content of the top bar, beside the logo. */
  readonly bar: ComponentChildren;
  /** Content of the top bar, before the theme button and the name. */
  readonly state?: ComponentChildren;
  /** Dialogs shown over the page. */
  readonly over?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function PageFrame({ board, home, pages, who, bar, state, over, children }: Props) {
  const isListOpen = useSignal(false);
  const isOpen = isListOpen.value;
  // Escape and a click anywhere but on its button close the list, on a link of it as well.
  useEffect(() => {
    const close = (event: Event): void => {
      const isButton = event.target instanceof Element && event.target.closest(".pages-button") !== null;
      if (event instanceof KeyboardEvent ? event.key !== "Escape" : isButton) return;
      isListOpen.value = false;
    };
    window.addEventListener("click", close);
    window.addEventListener("keydown", close);
    return () => {
      window.removeEventListener("click", close);
      window.removeEventListener("keydown", close);
    };
  }, [isListOpen]);
  return (
    <div class="framed">
      <a class="skip" href="#content" onClick={toContent}>
        {pagesWords.skip}
      </a>
      <header class="top">
        <Button
          class="quiet pages-button"
          aria-expanded={isOpen}
          aria-controls="pages"
          aria-label={pagesWords.pages}
          onClick={() => (isListOpen.value = !isOpen)}
        >
          <Icon name={isOpen ? "cross" : "lines"} />
        </Button>
        <a class="brand" href={home} title={theVenue().name}>
          <BrandMark />
        </a>
        {bar}
        <div class="top-end">
          {state}
          <ThemeButton preferences={board.preferences} />
          <SignedInUser who={who} />
        </div>
      </header>
      <div class="below">
        <nav id="pages" class={`pages ${isOpen ? "open" : ""}`} aria-label={pagesWords.pages}>
          <div class="pages-head">
            <b>{theVenue().name}</b>
            <SignedInUser who={who} />
          </div>
          <ul>
            {pages.map(({ href, label, isHere, waiting }) => (
              <li key={href}>
                <a href={href} aria-current={isHere ? "page" : undefined}>
                  {label}
                  {waiting !== undefined && (
                    <span class="badge" title={waiting.text}>
                      {waiting.count}
                    </span>
                  )}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <main id="content" tabIndex={-1}>
          {children}
        </main>
      </div>
      <Notices board={board} />
      {over}
    </div>
  );
}

/** The action of the skip link. It moves the focus by script, because the URL fragment selects the page. */
function toContent(event: Event): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

function SignedInUser({ who: { name, page, onSignOut } }: { who: Who }) {
  const shown = (
    <>
      <Icon name="person" />
      <span class="label-wide">{name}</span>
    </>
  );
  return (
    <>
      {page === undefined ? (
        <span class="who">{shown}</span>
      ) : (
        <a class="who" {...page}>
          {shown}
        </a>
      )}
      <Button class="quiet sign-out" onClick={onSignOut}>
        {pagesWords.signOut}
      </Button>
    </>
  );
}

// Notices outside forms. Success notices disappear after a few seconds.

export interface Notice {
  readonly id: number;
  readonly tone: "good" | "bad";
  readonly text: string;
  /** The address of the page that the notice links to. */
  readonly to?: string;
}

export interface NoticeBoard {
  readonly notices: Signal<readonly Notice[]>;
  readonly notify: (tone: Notice["tone"], text: string, to?: string) => void;
}

const GOOD_NEWS_MS = 6_000;
const MOST_NOTICES = 5;

export function openNoticeBoard(world: Pick<World, "after">): NoticeBoard {
  const notices = signal<readonly Notice[]>([]);
  let last = 0;
  return {
    notices,
    notify(tone, text, to) {
      const id = ++last;
      const drop = (): void => {
        notices.value = notices.value.filter((one) => one.id !== id);
      };
      notices.value = [...notices.value, { id, tone, text, ...(to !== undefined && { to }) }].slice(-MOST_NOTICES);
      if (tone === "good") world.after(GOOD_NEWS_MS, drop);
    },
  };
}
