/** The page behind the link of a security email: locks an account that may be compromised. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { customerOutside as words } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { Form } from "../../pages/form.tsx";
import { NoLink } from "./link.tsx";
import { Outside } from "./outside.tsx";

export function LockAccount({ desk }: { desk: Desk }) {
  const { asked } = desk.place.value;
  const link = useMemo(() => {
    const { account = "", notice = "", until = "", secret = "" } = asked;
    return account === "" || notice === "" || until === "" || secret === ""
      ? null
      : { account: Number(account), notification: Number(notice), until: Number(until), secret };
  }, [asked]);
  const isDone = useSignal(false);
  return (
    <Outside desk={desk} title={words.lock}>
      {link === null ? (
        <NoLink />
      ) : isDone.value ? (
        <p role="status" class="good-text">
          {words.locked}
        </p>
      ) : (
        <Form
          label={words.lock}
          submit={words.lockIt}
          isGrave
          onSend={async () => {
            await desk.wire.account("POST", "lock", { body: link });
            isDone.value = true;
          }}
        >
          <p>{words.lockHelp}</p>
        </Form>
      )}
    </Outside>
  );
}
