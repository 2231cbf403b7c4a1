/** Finds a customer by account number, email address or name, and shows the chosen one. */
import type { PlainAccount, SearchResult } from "@pricetime/server/answers";
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { consoleSubjects, consoleTasks as words } from "../../words/words.ts";
import { type Context, TYPING_PAUSE_MS, useFetched } from "../context.ts";
import { bind, Button } from "../../panels/controls.tsx";
import { Entry } from "../../pages/form.tsx";

interface Props {
  readonly context: Context;
  readonly chosen: Signal<PlainAccount | null>;
  /** Instead of the usual help text. */
  readonly help?: string;
}

const MOST_SHOWN = 6;

export const accountText = ({ email, name, accountId }: PlainAccount): string =>
  consoleSubjects.account(email, name, String(accountId));

export function CustomerPicker({ context, chosen, help = words.customerHelp }: Props) {
  const typed = useSignal("");
  const text = useQuiet(typed);
  const found = useFetched<SearchResult>(context, text === "" ? null : "/v1/search", { query: { text, limit: 20 } });
  const hits = (found.value?.hits ?? []).filter(({ kind }) => kind === "account").slice(0, MOST_SHOWN);
  if (chosen.value !== null) {
    return (
      <div class="entry">
        <span class="of">{words.customer}</span>
        <div class="row-of">
          <b>{accountText(chosen.value)}</b>
          <Button onClick={() => (chosen.value = null)}>{words.changeCustomer}</Button>
        </div>
      </div>
    );
  }
  return (
    <>
      <Entry id="task-customer" label={words.customer} help={help}>
        <input
          id="task-customer"
          type="search"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          {...bind(typed)}
        />
      </Entry>
      {text !== "" && found.value !== null && hits.length === 0 && <p class="muted">{words.noCustomer(text)}</p>}
      {hits.length > 0 && (
        <div class="row-of" role="group" aria-label={words.foundCustomers}>
          {hits.map(({ id, email, label }) => (
            <Pick key={id} id={id} text={consoleSubjects.account(email ?? "", label, id)} {...{ context, chosen }} />
          ))}
        </div>
      )}
    </>
  );
}

function Pick({ context, chosen, id, text }: Props & { id: string; text: string }) {
  const { value } = useFetched<PlainAccount>(context, `/v1/accounts/${id}`);
  return (
    <Button disabled={value === null} onClick={() => (chosen.value = value)}>
      {text}
    </Button>
  );
}

/** The trimmed text after a pause in typing. */
function useQuiet(typed: Signal<string>): string {
  const text = useSignal("");
  const wanted = typed.value.trim();
  useEffect(() => {
    const timer = setTimeout(() => (text.value = wanted), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [wanted, text]);
  return text.value;
}
