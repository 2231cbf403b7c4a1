/** The frame of every account page; without a session, the sign-in page and pages that need no session. */
import { useEffect } from "preact/hooks";
import { PageFrame } from "../../pages/frame.tsx";
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
  return (
    <PageFrame
      desk={desk}
      home={hashOf("overview")}
      pages={PAGES.map((name) => ({ href: hashOf(name), label: customerPages[name], isHere: name === page }))}
      who={{ name: session.email, onSignOut: () => void desk.leave() }}
      bar={
        <a class="button" href="../">
          {words.terminal}
        </a>
      }
    >
      <div class="page">
        <h1>{customerPages[page]}</h1>
        <Held desk={desk} />
        <PageOf desk={desk} />
        <p class="muted">{words.zone[desk.preferences.timeZone.value]}</p>
      </div>
    </PageFrame>
  );
}
