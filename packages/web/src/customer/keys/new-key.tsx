/** The form of a new key. */
import { useSignal } from "@preact/signals";
import { Pane } from "../../pages/pane.tsx";
import { customerKeys as words } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { CodeField, codeOf } from "../draw/code.tsx";
import { Field, Form } from "../../pages/form.tsx";

export interface MadeKey {
  readonly apiKey: string;
  /** Absent where the customer has the key that signs. */
  readonly secretKey?: string;
}

interface Props {
  readonly desk: Desk;
  readonly account: number;
  readonly onMade: (key: MadeKey) => void;
}

const PERMISSIONS = ["USER_DATA", "USER_STREAM", "TRADE", "WITHDRAW"] as const;
/** Their money leaves by the master. */
const OF_SUB_ACCOUNTS = PERMISSIONS.filter((one) => one !== "WITHDRAW");
/** What a program that only looks needs. */
const AT_FIRST: readonly string[] = ["USER_DATA", "USER_STREAM"];

/** Addresses and networks, one a line or with commas between. */
const listOf = (text: string): string[] => text.split(/[\s,]+/).filter((one) => one !== "");

export function NewKey({ desk, account, onMade }: Props) {
  const label = useSignal("");
  const permissions = useSignal<readonly string[]>(AT_FIRST);
  const ips = useSignal("");
  const publicKey = useSignal("");
  const code = useSignal("");
  const isTooFree = (): boolean => permissions.value.includes("WITHDRAW") && listOf(ips.value).length === 0;
  const send = async (): Promise<void> => {
    const made = await desk.wire.account<MadeKey>("POST", "keys", {
      body: {
        ...{ accountId: account, label: label.value.trim(), permissions: permissions.value },
        ipAllowList: listOf(ips.value),
        ...(publicKey.value.trim() !== "" && { publicKey: publicKey.value.trim() }),
        ...codeOf(code),
      },
    });
    for (const field of [label, ips, publicKey, code]) field.value = "";
    permissions.value = AT_FIRST;
    onMade(made);
    desk.done.value++;
  };
  return (
    <Pane title={words.make}>
      <Form
        class="padded"
        label={words.make}
        submit={words.make}
        check={() => (label.value.trim() === "" ? words.noLabel : isTooFree() ? words.withdrawAnywhere : "")}
        onSend={send}
      >
        <Field id="label" label={words.label} value={label} />
        <Permissions
          offered={account === desk.session.value?.accountId ? PERMISSIONS : OF_SUB_ACCOUNTS}
          chosen={permissions.value}
          onChange={(now) => (permissions.value = now)}
        />
        <Field id="ips" label={words.ips} value={ips} help={words.ipsHelp} />
        <div class="entry">
          <label for="public-key">{words.publicKey}</label>
          <textarea
            id="public-key"
            rows={3}
            spellcheck={false}
            aria-describedby="public-key-help"
            value={publicKey.value}
            onInput={({ currentTarget: { value } }) => {
              publicKey.value = value;
            }}
          />
          <p class="muted" id="public-key-help">
            {words.publicKeyHelp}
          </p>
        </div>
        <CodeField desk={desk} id="key-code" code={code} />
      </Form>
    </Pane>
  );
}

interface PermissionsProps {
  readonly offered: readonly (typeof PERMISSIONS)[number][];
  readonly chosen: readonly string[];
  readonly onChange: (now: readonly string[]) => void;
}

function Permissions({ offered, chosen, onChange }: PermissionsProps) {
  return (
    <fieldset class="entry">
      <legend>{words.permissions}</legend>
      <div class="ticks">
        {offered.map((one) => (
          <label key={one} class="tick">
            <input
              type="checkbox"
              checked={chosen.includes(one)}
              onChange={() =>
                onChange(chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one])
              }
            />
            {words.permissionNames[one]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
