/** A link to a thing of the console. */
import type { ComponentChildren } from "preact";
import { hashOf, type Wanted } from "../place.ts";

export function Link({ to, children, class: name = "" }: { to: Wanted; children: ComponentChildren; class?: string }) {
  return (
    <a class={name} href={hashOf(to)}>
      {children}
    </a>
  );
}

export const toAccount = (account: string | number): Wanted => ({ page: "accounts", subject: String(account) });
