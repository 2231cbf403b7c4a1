/** API keys: creating them with permissions, showing their secret once, and revoking them. */
import { useSignal } from "@preact/signals";
import { columnsOf, List, Pane } from "../../pages/pane.tsx";
import { customerKeys as words } from "../../words/words.ts";
import { type Context, useAccount, useAction } from "../context.ts";
import { AccountChoice, chosenAccount, CodeField, codeOf } from "../elements.tsx";
import { Entry, Field, Form } from "../../pages/form.tsx";
import { Once } from "../../pages/secret.tsx";
import { showMoment, signatureOf } from "../../pages/format.ts";
import { bind, Button, Tick, Window } from "../../panels/controls.tsx";
import type { CreatedKey, KeyRow } from "@pricetime/server/answers";

// The form that creates a key.

interface Props {
  readonly context: Context;
  readonly account: number;
  readonly onMade: (key: CreatedKey) => void;
}

const PERMISSIONS = ["USER_DATA", "USER_STREAM", "TRADE", "WITHDRAW"] as const;
/** The permissions for keys of sub-accounts, which withdraw through the master account. */
const OF_SUB_ACCOUNTS = PERMISSIONS.filter((one) => one !== "WITHDRAW");
/** The initially selected permissions: those of a read-only program. */
const AT_FIRST: readonly string[] = ["USER_DATA", "USER_STREAM"];

/** Splits a list of IP addresses and networks, separated by whitespace or commas. */
const listOf = (text: string): string[] => text.split(/[\s,]+/).filter((one) => one !== "");

function NewKey({ context, account, onMade }: Props) {
  const label = useSignal("");
  const permissions = useSignal<readonly string[]>(AT_FIRST);
  const ips = useSignal("");
  const publicKey = useSignal("");
  const code = useSignal("");
  const isTooFree = (): boolean => permissions.value.includes("WITHDRAW") && listOf(ips.value).length === 0;
  const send = async (): Promise<void> => {
    const made = await context.wire.account<CreatedKey>("POST", "keys", {
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
    context.done.value++;
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
          offered={account === context.session.value?.accountId ? PERMISSIONS : OF_SUB_ACCOUNTS}
          chosen={permissions.value}
          onChange={(now) => (permissions.value = now)}
        />
        <Field id="ips" label={words.ips} value={ips} help={words.ipsHelp} />
        <Entry id="public-key" label={words.publicKey} help={words.publicKeyHelp}>
          <textarea
            id="public-key"
            rows={3}
            spellcheck={false}
            aria-describedby="public-key-help"
            {...bind(publicKey)}
          />
        </Entry>
        <CodeField context={context} id="key-code" code={code} />
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
          <Tick
            key={one}
            isOn={chosen.includes(one)}
            onTick={() => onChange(chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one])}
          >
            {words.permissionNames[one]}
          </Tick>
        ))}
      </div>
    </fieldset>
  );
}

export function KeysPage({ context }: { context: Context }) {
  const account = chosenAccount(context);
  const made = useSignal<CreatedKey | null>(null);
  return (
    <>
      <AccountChoice context={context} page="keys" words={words} />
      <Keys context={context} account={account} />
      <NewKey context={context} account={account} onMade={(key) => (made.value = key)} />
      {made.value !== null && (
        <Window title={words.made} onClose={() => (made.value = null)}>
          <Once answer={{ ...made.value }} instruction={words.keepSecret} onDone={() => (made.value = null)} />
        </Window>
      )}
    </>
  );
}

function Keys({ context, account }: { context: Context; account: number }) {
  const runAction = useAction(context);
  const { value, denied } = useAccount<readonly KeyRow[]>(context, "keys", { query: { account } });
  const column = columnsOf<KeyRow>(context);
  return (
    <List
      title={words.title}
      name="api-keys"
      rows={value}
      denied={denied}
      empty={words.none}
      keyOf={({ apiKey }) => apiKey}
      columns={[
        { ...column.plain(words.label, ({ label }) => label), isHead: true },
        column.long(words.key, ({ apiKey }) => apiKey),
        column.plain(words.permissions, ({ permissions }) =>
          permissions.map((one) => words.permissionNames[one] ?? one).join(", "),
        ),
        column.plain(words.from, ({ ipAllowList }) =>
          ipAllowList.length === 0 ? words.anywhere : ipAllowList.join(", "),
        ),
        column.plain(words.signs, ({ publicKey }) => signatureOf(publicKey, words.secret)),
        column.plain(words.createdAt, ({ createdMs }) => showMoment(context, createdMs)),
        {
          label: words.acts,
          isActions: true,
          show: ({ apiKey, label }) => (
            <Button
              class="link grave"
              aria-label={words.removeOf(label)}
              onClick={() =>
                runAction(words.removed, () => context.wire.account("DELETE", `keys/${encodeURIComponent(apiKey)}`))
              }
            >
              {words.remove}
            </Button>
          ),
        },
      ]}
    />
  );
}
