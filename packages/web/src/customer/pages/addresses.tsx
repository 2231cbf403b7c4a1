/** The address book for withdrawals, and the withdrawal address allowlist. */
import { Button } from "../../panels/controls.tsx";
import { useSignal } from "@preact/signals";
import { columnsOf, List, Pane } from "../../pages/pane.tsx";
import { showMoment } from "../../pages/format.ts";
import { showSpan } from "../../panels/show.ts";
import { customerAddresses as words } from "../../words/words.ts";
import { type Context, notifyDone, useAction, useAddresses, useCoins, useManualNetworks } from "../context.ts";
import { CodeField, codeOf, typedAddress } from "../elements.tsx";
import { Choice, Field, Form } from "../../pages/form.tsx";
import type { AddressRow } from "@pricetime/server/answers";

export function AddressesPage({ context }: { context: Context }) {
  return (
    <>
      <Book context={context} />
      <div class="two">
        <Add context={context} />
        <Bound context={context} />
      </div>
    </>
  );
}

function Book({ context }: { context: Context }) {
  const addresses = useAddresses(context);
  const runAction = useAction(context);
  const column = columnsOf<AddressRow>(context);
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
        column.long(words.address, ({ address }) => address),
        column.plain(words.tag, ({ tag }) => tag),
        column.plain(words.usable, ({ fromMs }) =>
          fromMs > context.nowMs.value ? words.usableFrom(showMoment(context, fromMs)) : words.usableNow,
        ),
        {
          label: words.acts,
          isActions: true,
          show: ({ network, address, tag, name }) => (
            <Button
              class="link"
              aria-label={words.removeOf(name)}
              onClick={() =>
                runAction(words.removed, () =>
                  context.wire.account("DELETE", "addresses", { body: { network, address, tag } }),
                )
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

function Add({ context }: { context: Context }) {
  const network = useSignal("");
  const address = useSignal("");
  const tag = useSignal("");
  const name = useSignal("");
  const code = useSignal("");
  const coins = useCoins(context).value ?? [];
  const networks = [...new Set(coins.flatMap(({ networkList }) => networkList.map(({ network: id }) => id)))];
  const chosen = network.value === "" ? (networks[0] ?? "") : network.value;
  const isManual = useManualNetworks(context)?.some((one) => one.network === chosen) ?? false;
  return (
    <Pane title={words.add}>
      <Form
        class="padded"
        label={words.add}
        submit={words.add}
        check={() => (address.value.trim() === "" ? words.noAddress : name.value.trim() === "" ? words.noName : "")}
        onSend={async () => {
          const body = {
            network: chosen,
            address: typedAddress(address.value, isManual),
            name: name.value.trim(),
            ...codeOf(code),
          };
          const tagged = tag.value.trim() === "" ? body : { ...body, tag: tag.value.trim() };
          await context.wire.account("POST", "addresses", { body: tagged });
          for (const field of [address, tag, name, code]) field.value = "";
          notifyDone(context, words.added);
        }}
      >
        <Choice
          id="address-network"
          label={words.network}
          value={chosen}
          options={networks.map((id) => [id, id])}
          onChoose={(id) => (network.value = id)}
        />
        <Field id="new-address" label={isManual ? words.account : words.address} value={address} />
        <Field id="new-tag" label={words.tag} value={tag} help={words.tagHelp} />
        <Field id="new-name" label={words.name} value={name} />
        <CodeField context={context} id="address-code" code={code} />
      </Form>
    </Pane>
  );
}

function Bound({ context }: { context: Context }) {
  const code = useSignal("");
  const profile = context.profile.value;
  const isBound = profile?.isAddressListEnforced === true;
  const endsMs = profile?.addressListEndsMs ?? null;
  return (
    <Pane title={words.bound}>
      <Form
        class="padded"
        label={words.bound}
        submit={isBound ? words.unbind : words.bind}
        onSend={async () => {
          await context.wire.account("PUT", "addresses/enforced", { body: { isEnforced: !isBound, ...codeOf(code) } });
          code.value = "";
          notifyDone(context, isBound ? words.isUnbound : words.isBound);
        }}
      >
        <p>{isBound ? words.boundNow : words.unboundNow}</p>
        {endsMs !== null && <p class="warned">{words.boundUntil(showMoment(context, endsMs))}</p>}
        <p class="muted">{words.boundHelp(showSpan(profile?.addressWaitMs ?? 0))}</p>
        <CodeField context={context} id="bound-code" code={code} />
      </Form>
    </Pane>
  );
}
