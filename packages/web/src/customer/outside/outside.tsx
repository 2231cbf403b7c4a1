/** The frame of a page of somebody who is not signed in: one pane in the middle. */
import type { ComponentChildren } from "preact";
import { Brand } from "../../pages/brand.tsx";
import { customerSays as words } from "../../words/words.ts";
import { hashOf } from "../place.ts";

interface Props {
  readonly title: string;
  readonly isSignIn?: boolean;
  readonly children: ComponentChildren;
}

export function Outside({ title, isSignIn = false, children }: Props) {
  return (
    <main class="sign-in">
      <section class="pane outside" aria-label={title}>
        <Brand />
        <h1>{title}</h1>
        {children}
        <p class="row-of links">
          {!isSignIn && <a href={hashOf("overview")}>{words.toSignIn}</a>}
          <a href="../">{words.terminal}</a>
          <a href="v1/proof/published">{words.publishedRoot}</a>
          <a href="v1/proof/public">{words.publicPart}</a>
        </p>
      </section>
    </main>
  );
}
