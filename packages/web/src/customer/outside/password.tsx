/** A new password, typed twice: what is wrong with it is said before it is sent. */
import { type Signal, useSignal } from "@preact/signals";
import { LEAST_PASSWORD_CHARACTERS, MOST_PASSWORD_CHARACTERS } from "../../pages/password-length.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { Field } from "../../pages/form.tsx";
import type { Venue } from "../wire/account.ts";
import { customerOutside } from "../../words/words.ts";

export interface NewPassword {
  readonly first: Signal<string>;
  readonly again: Signal<string>;
  /** What is wrong with it; "": nothing. */
  readonly check: () => string;
}

export function useNewPassword(desk: Desk): NewPassword {
  const first = useSignal("");
  const again = useSignal("");
  const { value } = useVenue(desk);
  const least = value?.passwordMin ?? LEAST_PASSWORD_CHARACTERS;
  const most = value?.passwordMax ?? MOST_PASSWORD_CHARACTERS;
  return {
    first,
    again,
    check: () => {
      const { length } = first.value;
      if (length < least || length > most) return customerOutside.passwordLength(least, most);
      return first.value === again.value ? "" : customerOutside.passwordsDiffer;
    },
  };
}

export const useVenue = (desk: Desk) =>
  useAsked(desk, "venue", (wire) => wire.account<Venue>("GET", "venue"), { isStill: true });

export function NewPasswordFields({ password, email }: { password: NewPassword; email?: string }) {
  return (
    <>
      {email !== undefined && (
        <input class="unseen" type="text" autocomplete="username" value={email} readOnly tabIndex={-1} aria-hidden />
      )}
      <Field
        id="new-password"
        label={customerOutside.newPassword}
        type="password"
        autocomplete="new-password"
        value={password.first}
        help={customerOutside.passwordHelp}
      />
      <Field
        id="new-password-again"
        label={customerOutside.passwordAgain}
        type="password"
        autocomplete="new-password"
        value={password.again}
      />
    </>
  );
}
