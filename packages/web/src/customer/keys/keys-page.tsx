/** Keys for programs: made with no more rights than they need, told once, taken away. */
import { useSignal } from "@preact/signals";
import { Once } from "../../pages/once.tsx";
import { showMoment } from "../../pages/shown.ts";
import { Window } from "../../panels/controls.tsx";
import { customerKeys as words } from "../../words/words.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { AccountChoice, chosenAccount } from "../draw/account-choice.tsx";
import { useAct } from "../draw/act.ts";
import { columnsOf } from "../../pages/columns.ts";
import { List } from "../../pages/list.tsx";
import { Long } from "../draw/long.tsx";
import type { KeyRow } from "../wire/account.ts";
import { type MadeKey, NewKey } from "./new-key.tsx";

export function KeysPage({ desk }: { desk: Desk }) {
  const account = chosenAccount(desk);
  const made = useSignal<MadeKey | null>(null);
  return (
    <>
      <AccountChoice desk={desk} page="keys" words={words} />
      <Keys desk={desk} account={account} />
      <NewKey desk={desk} account={account} onMade={(key) => (made.value = key)} />
      {made.value !== null && (
        <Window title={words.made} onClose={() => (made.value = null)}>
          <Once answer={{ ...made.value }} told={words.keepSecret} onDone={() => (made.value = null)} />
        </Window>
      )}
    </>
  );
}

function Keys({ desk, account }: { desk: Desk; account: number }) {
  const act = useAct(desk);
  const { value, denied } = useAsked(desk, `keys ${account}`, (wire) =>
    wire.account<readonly KeyRow[]>("GET", "keys", { query: { account } }),
  );
  const column = columnsOf<KeyRow>(desk);
  return (
    <List
      title={words.title}
      name="api-keys"
      rows={value}
      denied={denied}
      empty={words.none}
      keyOf={({ apiKey }) => apiKey}
      columns={[
        column.plain(words.label, ({ label }) => label),
        { label: words.key, show: ({ apiKey }) => <Long text={apiKey} />, text: ({ apiKey }) => apiKey },
        column.plain(words.permissions, ({ permissions }) =>
          permissions.map((one) => words.permissionNames[one] ?? one).join(", "),
        ),
        column.plain(words.from, ({ ipAllowList }) =>
          ipAllowList.length === 0 ? words.anywhere : ipAllowList.join(", "),
        ),
        column.plain(words.signs, ({ publicKey }) => (publicKey === undefined ? words.secret : words.ed25519)),
        column.plain(words.createdAt, ({ createdMs }) => showMoment(desk, createdMs)),
        {
          label: words.acts,
          isActs: true,
          show: ({ apiKey, label }) => (
            <button
              type="button"
              class="link grave"
              aria-label={words.removeOf(label)}
              onClick={() =>
                act(words.removed, () => desk.wire.account("DELETE", `keys/${encodeURIComponent(apiKey)}`))
              }
            >
              {words.remove}
            </button>
          ),
        },
      ]}
    />
  );
}
