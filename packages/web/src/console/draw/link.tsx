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

/** Below it are the venue's own accounts, which have no page. */
const FIRST_CUSTOMER = 100;

export function AccountLink({ account }: { account: number | null }) {
  if (account === null) return null;
  return account < FIRST_CUSTOMER ? (
    <span class="muted">{account}</span>
  ) : (
    <Link to={toAccount(account)}>{account}</Link>
  );
}

export const toAccount = (account: string | number): Wanted => ({ page: "accounts", subject: String(account) });
