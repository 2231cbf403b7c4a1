/** A code of the customer's own device, in forms and requests. */
import type { Signal } from "@preact/signals";
import { Field } from "../../pages/form.tsx";
import { customerSays as words } from "../../words/words.ts";
import type { Desk } from "../desk.ts";

/** Drawn for accounts that have one. */
export function CodeField({ desk, id, code }: { desk: Desk; id: string; code: Signal<string> }) {
  if (desk.profile.value?.hasTotp !== true) return null;
  return <Field id={id} label={words.code} value={code} inputMode="numeric" autocomplete="one-time-code" />;
}

/** As requests carry it: absent where none was typed. */
export const codeOf = (code: Signal<string>): { code?: string } =>
  code.value.trim() === "" ? {} : { code: code.value.replaceAll(/\s/g, "") };

/** Apps change their codes at the full and the half minute (RFC 6238). */
const CODE_LIFE_S = 30;

/** How long the code that an app shows stands there yet. */
export const nextCodeInS = (nowMs: number): number => CODE_LIFE_S - (Math.floor(nowMs / 1000) % CODE_LIFE_S);
