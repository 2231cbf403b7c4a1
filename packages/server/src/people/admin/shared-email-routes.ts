/** Email addresses that several accounts share but for upper and lower case: accounts from before rules version 4. */
import type { EngineView } from "@pricetime/engine";
import { listRoute } from "./list-route.ts";
import type { AdminNode } from "./node.ts";
import type { Route } from "./router.ts";

export function sharedEmailRoutes({ view }: AdminNode): Route[] {
  return [
    listRoute({
      pattern: "/v1/shared-emails",
      summary:
        "Lists accounts whose email addresses differ only in upper and lower case. Their invitations and password resets are " +
        "rejected until one of the addresses is changed.",
      columns: ["sharedEmail", "accountId", "email", "name", "hasPassword", "masterId", "createdMs"],
      page: () => ({ rows: sharedEmails(view) }),
    }),
  ];
}

function sharedEmails(view: EngineView): object[] {
  return view.sharedEmails().flatMap(({ email: sharedEmail, accounts }) =>
    accounts.map(({ accountId, email, name, masterId, createdMs }) => {
      const hasPassword = view.access.sealedPassword(`account:${accountId}`) !== undefined;
      return { sharedEmail, accountId, email, name, hasPassword, masterId, createdMs };
    }),
  );
}

/** What an operator should see to, for `/readyz` and the console. */
export function sharedEmailWarnings(view: Pick<EngineView, "sharedEmails">): Readonly<Record<string, string>> {
  const shared = view.sharedEmails().length;
  if (shared === 0) return {};
  const which = shared === 1 ? "1 email address is" : `${shared} email addresses are`;
  const remedy = "list them with `pricetime account shared-emails` and change one of each";
  return { sharedEmails: `${which} shared by accounts that differ only in upper and lower case; ${remedy}` };
}
