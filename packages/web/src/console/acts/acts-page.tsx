/** The audit: every act of an operator, refused ones too, for all or of one account. */
import { useSignal } from "@preact/signals";
import { consoleActList as words, consoleSays } from "../../words/words.ts";
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
          goTo({ page: "acts", asked: { account: typed.value.trim() } });
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
          <Link class="button" to={{ page: "acts" }}>
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
