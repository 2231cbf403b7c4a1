/** A letter told of something that its reader did not do: one button stops withdrawals and ends every session. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { customerOutside as words } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { Form } from "../../pages/form.tsx";
import { NoLink } from "./link.tsx";
import { Outside } from "./outside.tsx";

export function Freeze({ desk }: { desk: Desk }) {
  const { asked } = desk.place.value;
  const link = useMemo(() => {
    const { account = "", notice = "", until = "", secret = "" } = asked;
    return account === "" || notice === "" || until === "" || secret === ""
      ? null
      : { account: Number(account), notice: Number(notice), until: Number(until), secret };
  }, [asked]);
  const isDone = useSignal(false);
  return (
    <Outside desk={desk} title={words.freeze}>
      {link === null ? (
        <NoLink />
      ) : isDone.value ? (
        <p role="status" class="good-text">
          {words.frozen}
        </p>
      ) : (
        <Form
          label={words.freeze}
          submit={words.freezeIt}
          isGrave
          onSend={async () => {
            await desk.wire.account("POST", "freeze", { body: link });
            isDone.value = true;
          }}
        >
          <p>{words.freezeHelp}</p>
        </Form>
      )}
    </Outside>
  );
}
