/** The address book for withdrawals, and the withdrawal address allowlist. */
import { useSignal } from "@preact/signals";
import { columnsOf, List, Pane } from "../../pages/pane.tsx";
import { showMoment } from "../../pages/format.ts";
import { showSpan } from "../../panels/show.ts";
import { customerAddresses as words } from "../../words/words.ts";
import { type Desk, useAct, useAddresses, useCoins } from "../context.ts";
import { CodeField, codeOf, Long } from "../elements.tsx";
import { Choice, Field, Form } from "../../pages/form.tsx";
import type { AddressRow } from "../api-types.ts";

export function AddressesPage({ desk }: { desk: Desk }) {
  return (
    <>
      <Book desk={desk} />
      <div class="two">
        <Add desk={desk} />
        <Bound desk={desk} />
      </div>
    </>
  );
}

function Book({ desk }: { desk: Desk }) {
  const addresses = useAddresses(desk);
  const act = useAct(desk);
  const column = columnsOf<AddressRow>(desk);
  return (
    <List
      title={words.title}
      name="addresses"
      rows={addresses.value}
      denied={addresses.denied}
      empty={words.none}
      keyOf={({ network, address, tag }) => JSON.stringify([network, address, tag])}
      columns={[
        column.plain(words.name, ({ name }) => name),
        column.plain(words.network, ({ network }) => network),
        { label: words.address, show: ({ address }) => <Long text={address} />, text: ({ address }) => address },
        column.plain(words.tag, ({ tag }) => tag),
        column.plain(words.usable, ({ fromMs }) =>
          fromMs > desk.nowMs.value ? words.usableFrom(showMoment(desk, fromMs)) : words.usableNow,
        ),
        {
          label: words.acts,
          isActs: true,
          show: ({ network, address, tag, name }) => (
            <button
              type="button"
              class="link"
              aria-label={words.removeOf(name)}
              onClick={() =>
                act(words.removed, () => desk.wire.account("DELETE", "addresses", { body: { network, address, tag } }))
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

function Add({ desk }: { desk: Desk }) {
  const network = useSignal("");
  const address = useSignal("");
  const tag = useSignal("");
  const name = useSignal("");
  const code = useSignal("");
  const coins = useCoins(desk).value ?? [];
  const networks = [...new Set(coins.flatMap(({ networkList }) => networkList.map(({ network: id }) => id)))];
  const chosen = network.value === "" ? (networks[0] ?? "") : network.value;
  return (
    <Pane title={words.add}>
      <Form
        class="padded"
        label={words.add}
        submit={words.add}
        check={() => (address.value.trim() === "" ? words.noAddress : name.value.trim() === "" ? words.noName : "")}
        onSend={async () => {
          const body = { network: chosen, address: address.value.trim(), name: name.value.trim(), ...codeOf(code) };
          const tagged = tag.value.trim() === "" ? body : { ...body, tag: tag.value.trim() };
          await desk.wire.account("POST", "addresses", { body: tagged });
          for (const field of [address, tag, name, code]) field.value = "";
          desk.say("good", words.added);
          desk.done.value++;
        }}
      >
        <Choice
          id="address-network"
          label={words.network}
          value={chosen}
          options={networks.map((id) => [id, id])}
          onChoose={(id) => (network.value = id)}
        />
        <Field id="new-address" label={words.address} value={address} />
        <Field id="new-tag" label={words.tag} value={tag} help={words.tagHelp} />
        <Field id="new-name" label={words.name} value={name} />
        <CodeField desk={desk} id="address-code" code={code} />
      </Form>
    </Pane>
  );
}

function Bound({ desk }: { desk: Desk }) {
  const code = useSignal("");
  const profile = desk.profile.value;
  const isBound = profile?.isAddressListEnforced === true;
  const endsMs = profile?.addressListEndsMs ?? null;
  return (
    <Pane title={words.bound}>
      <Form
        class="padded"
        label={words.bound}
        submit={isBound ? words.unbind : words.bind}
        onSend={async () => {
          await desk.wire.account("PUT", "addresses/enforced", { body: { isEnforced: !isBound, ...codeOf(code) } });
          code.value = "";
          desk.say("good", isBound ? words.isUnbound : words.isBound);
          desk.done.value++;
        }}
      >
        <p>{isBound ? words.boundNow : words.unboundNow}</p>
        {endsMs !== null && <p class="warned">{words.boundUntil(showMoment(desk, endsMs))}</p>}
        <p class="muted">{words.boundHelp(showSpan(profile?.addressWaitMs ?? 0))}</p>
        <CodeField desk={desk} id="bound-code" code={code} />
      </Form>
    </Pane>
  );
}
