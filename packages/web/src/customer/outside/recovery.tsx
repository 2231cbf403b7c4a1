/** A lost password: a new one, once the waiting time is over; or the recovery stopped by whoever did not ask for it. */
import { useSignal } from "@preact/signals";
import { showMoment } from "../../pages/shown.ts";
import { customerOutside as words } from "../../words/words.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { Form } from "../../pages/form.tsx";
import { type LetterLink, Looking, NoLink, useLink } from "./link.tsx";
import { Outside } from "./outside.tsx";
import { NewPasswordFields, useNewPassword } from "./password.tsx";

interface Looked {
  readonly fromMs: number;
  readonly untilMs: number;
}

export function Recovery({ desk }: { desk: Desk }) {
  const link = useLink(desk);
  return (
    <Outside desk={desk} title={words.recovery}>
      {link === null ? <NoLink /> : <Complete desk={desk} link={link} />}
    </Outside>
  );
}

function Complete({ desk, link }: { desk: Desk; link: LetterLink }) {
  const looked = useAsked(
    desk,
    link.id,
    (wire) => wire.account<Looked>("POST", "password-reset/check", { body: link }),
    {
      isStill: true,
    },
  );
  const password = useNewPassword(desk);
  const isDone = useSignal(false);
  const { value } = looked;
  if (isDone.value)
    return (
      <p role="status" class="good-text">
        {words.recovered}
      </p>
    );
  if (value === null) return <Looking looked={looked} />;
  const isEarly = value.fromMs > desk.nowMs.value;
  if (isEarly) return <p role="status">{words.recoveryWaits(showMoment(desk, value.fromMs))}</p>;
  return (
    <Form
      label={words.recovery}
      submit={words.setPassword}
      check={password.check}
      onSend={async () => {
        await desk.wire.account("POST", "password-reset/complete", {
          body: { ...link, password: password.first.value },
        });
        isDone.value = true;
      }}
    >
      <p class="muted">{words.recoveryHelp}</p>
      <NewPasswordFields password={password} />
    </Form>
  );
}

export function CancelRecovery({ desk }: { desk: Desk }) {
  const link = useLink(desk);
  const isDone = useSignal(false);
  return (
    <Outside desk={desk} title={words.cancelRecovery}>
      {link === null ? (
        <NoLink />
      ) : isDone.value ? (
        <p role="status" class="good-text">
          {words.recoveryCancelled}
        </p>
      ) : (
        <Form
          label={words.cancelRecovery}
          submit={words.cancelIt}
          onSend={async () => {
            await desk.wire.account("POST", "password-reset/cancel", { body: link });
            isDone.value = true;
          }}
        >
          <p>{words.cancelRecoveryHelp}</p>
        </Form>
      )}
    </Outside>
  );
}
