/** Where one chooses which withdrawals the queue shows. */
import { useSignal } from "@preact/signals";
import { consoleSays, consoleWithdrawals as words } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { Link } from "../draw/link.tsx";
import { WordField } from "../draw/word-field.tsx";
import { goTo } from "../place.ts";
import { EVERY_STATUS, type Asked, FIELDS, narrowed, STATUSES, statusOf } from "./choice.ts";

export function ChoiceForm({ desk }: { desk: Desk }) {
  const { asked } = desk.place.value;
  const status = statusOf(asked);
  const typed = useSignal<Asked>(narrowed(asked));
  return (
    <form
      class="by-name"
      onSubmit={(event) => {
        event.preventDefault();
        const values = Object.entries(typed.value).map(([name, value]) => [name, value.trim()]);
        goTo({ page: "withdrawals", asked: { status, ...Object.fromEntries(values) } });
      }}
    >
      {STATUSES.map((one) => (
        <Link
          key={one}
          class={`button ${one === status ? "chosen" : ""}`}
          to={{ page: "withdrawals", asked: { status: one, ...narrowed(asked) } }}
        >
          {one === EVERY_STATUS ? consoleSays.all : (words.statuses[one] ?? one)}
        </Link>
      ))}
      {FIELDS.map((name) => (
        <WordField
          key={name}
          label={words.only[name]}
          hint={words[name]}
          text={typed.value[name] ?? ""}
          onText={(text) => {
            typed.value = { ...typed.value, [name]: text };
          }}
        />
      ))}
      <button type="submit" class="button">
        {words.show}
      </button>
    </form>
  );
}
