/** The audit log: every operator action, including rejected ones, of all accounts or of one. */
import { useSignal } from "@preact/signals";
import { consoleAuditLog as words, consoleSays } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { Link } from "../draw/link.tsx";
import { WordField } from "../draw/word-field.tsx";
import { goTo } from "../place.ts";
import { ActList } from "./act-list.tsx";

export function ActsPage({ desk }: { desk: Desk }) {
  const { account = "" } = desk.place.value.asked;
  const typed = useSignal(account);
  return (
    <div class="page">
      <h1>{words.title}</h1>
      <form
        class="by-name"
        onSubmit={(event) => {
          event.preventDefault();
          goTo({ page: "audit-log", asked: { account: typed.value.trim() } });
        }}
      >
        <WordField
          label={words.ofAccount}
          text={typed.value}
          onText={(text) => {
            typed.value = text;
          }}
        />
        <button type="submit" class="button">
          {words.show}
        </button>
        {account !== "" && (
          <Link class="button" to={{ page: "audit-log" }}>
            {consoleSays.all}
          </Link>
        )}
      </form>
      <ActList
        desk={desk}
        title={account === "" ? words.title : words.titleOf(account)}
        query={account === "" ? {} : { account }}
      />
    </div>
  );
}
