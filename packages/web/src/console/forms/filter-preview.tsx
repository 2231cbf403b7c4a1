/** What new filters would refuse of the orders that stand in the book, asked of the node before they hold. */
import { useEffect } from "preact/hooks";
import { type Signal, useSignal } from "@preact/signals";
import { consoleForms as words } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { DeniedText } from "../../pages/denied-text.tsx";
import type { Operation } from "../wire/document.ts";
import { type Denied, deniedOf } from "../../pages/denied.ts";

interface Refused {
  readonly openOrders: number;
  readonly refused: number;
  readonly accounts: number;
  readonly byReason?: Readonly<Record<string, number>>;
  readonly overCount?: readonly { readonly filter: string; readonly accounts: number }[];
  readonly warnings?: readonly string[];
}

export const isFilters = ({ key }: Pick<Operation, "key">): boolean => key === "PUT /v1/symbols/{symbol}/filters";

interface Told {
  readonly refused: Refused | null;
  readonly denied: Denied | null;
}

/** Never rejects. */
async function ask({ admin }: Pick<Desk, "admin">, path: string, sent: string, told: Signal<Told>): Promise<void> {
  try {
    const refused = await admin.ask<Refused>("POST", `${path}/preview`, { body: JSON.parse(sent) as unknown });
    told.value = { refused, denied: null };
  } catch (error) {
    told.value = { refused: null, denied: deniedOf(error) };
  }
}

export function FilterPreview({ desk, path, body }: { desk: Desk; path: string; body: unknown }) {
  const told = useSignal<Told>({ refused: null, denied: null });
  const sent = JSON.stringify(body);
  useEffect(() => void ask(desk, path, sent, told), [desk, path, sent, told]);
  const { denied, refused: answer } = told.value;
  if (denied !== null) return <DeniedText denied={denied} />;
  if (answer === null) return <p class="muted">{words.previewing}</p>;
  const { openOrders, refused, accounts, byReason = {}, overCount = [], warnings = [] } = answer;
  return (
    <section class="preview" aria-label={words.preview}>
      <p class={refused > 0 ? "warned" : ""}>{words.wouldReject(refused, openOrders, accounts)}</p>
      {Object.entries(byReason).map(([reason, count]) => (
        <p key={reason}>{words.byReason(reason, count)}</p>
      ))}
      {overCount.map(({ filter, accounts: over }) => (
        <p key={filter}>{words.overCount(filter, over)}</p>
      ))}
      {warnings.map((warning) => (
        <p key={warning} class="warned">
          {warning}
        </p>
      ))}
    </section>
  );
}
