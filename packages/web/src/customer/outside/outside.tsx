/** The frame of a page of somebody who is not signed in: one pane in the middle. */
import type { ComponentChildren } from "preact";
import { Brand } from "../../pages/brand.tsx";
import { customerSays } from "../../words/words.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { hashOf } from "../place.ts";

interface Props {
  readonly desk: Desk;
  readonly title: string;
  readonly isSignIn?: boolean;
  readonly children: ComponentChildren;
}

export function Outside({ desk, title, isSignIn = false, children }: Props) {
  const published = useAsked(desk, "published", (wire) => wire.account<object | null>("GET", "proof/published"), {
    isStill: true,
  });
  // Before the first proof is published the links would lead to an error.
  const isPublished = published.value !== null;
  return (
    <main class="sign-in">
      <section class="pane outside" aria-label={title}>
        <Brand />
        <h1>{title}</h1>
        {children}
        <p class="row-of links">
          {!isSignIn && <a href={hashOf("overview")}>{customerSays.toSignIn}</a>}
          <a href="../">{customerSays.terminal}</a>
          {isPublished && (
            <>
              <a href="v1/proof/published">{customerSays.publishedRoot}</a>
              <a href="v1/proof/public">{customerSays.publicPart}</a>
            </>
          )}
        </p>
      </section>
    </main>
  );
}
