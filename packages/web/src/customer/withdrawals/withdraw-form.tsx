/** The form that requests a withdrawal: address or entry of the address book, amount, what arrives, and a 2FA code where the account has one. */
import { type Signal, useSignal } from "@preact/signals";
import { Denied, deniedOf } from "../../pages/denied.ts";
import { carried, showAmount } from "../../pages/shown.ts";
import { Facts } from "../../pages/pane.tsx";
import { boundOf } from "../../exact/decimal.ts";
import { customerWithdrawals as words } from "../../words/words.ts";
import { useAddresses } from "../addresses/addresses.ts";
import type { Desk } from "../desk.ts";
import { useDemo } from "../demo.ts";
import { CodeField, codeOf, nextCodeInS } from "../draw/code.tsx";
import { Choice, Field, Form } from "../../pages/form.tsx";
import type { AddressRow } from "../wire/account.ts";
import type { Coin, Network } from "../wire/exchange.ts";
import { WithdrawalLimits } from "./limits.tsx";
import { amountProblem, arrives, largestAmount } from "./arrives.ts";

interface Props {
  readonly desk: Desk;
  readonly coin: Coin;
  readonly network: Network;
}

const TYPED = "";
const BAD_CODE = "-4032";

export function WithdrawForm({ desk, coin, network }: Props) {
  const amount = useSignal("");
  const address = useSignal("");
  const tag = useSignal("");
  const chosen = useSignal(TYPED);
  const code = useSignal("");
  const asked = useSignal("");
  const demo = useDemo(desk);
  const isBound = desk.profile.value?.isAddressListEnforced === true;
  // An entry that waits is not paid yet where the account is bound to its book.
  const book = (useAddresses(desk).value ?? []).filter(
    (row) => row.network === network.network && (!isBound || row.fromMs <= desk.nowMs.value),
  );
  const entry = targetOf(book, chosen.value, isBound);
  const target = entry ?? { address: address.value.trim(), tag: tag.value.trim() };
  if (!network.withdrawEnable) return <p class="padded warned">{words.closed(coin.coin, network.network)}</p>;
  const send = async (): Promise<void> => {
    asked.value = "";
    const asking = desk.wire.exchange<{ id: string }>("POST", "/sapi/v1/capital/withdraw/apply", {
      ...{ coin: coin.coin, network: network.network, address: target.address, amount: amount.value.trim() },
      ...(target.tag !== "" && { addressTag: target.tag }),
      ...codeOf(code),
    });
    const { id } = await asking.catch((error: unknown) => {
      throw explained(error, desk.nowMs.value);
    });
    asked.value = id;
    amount.value = "";
    code.value = "";
    desk.done.value++;
  };
  return (
    <div class="padded stack">
      <Form
        label={words.title}
        submit={words.submit}
        check={() => (target.address === "" ? words.noAddress : amountProblem(amount.value.trim(), network, coin))}
        onSend={send}
      >
        <Target {...{ book, isBound, chosen, address, tag }} selected={entry === undefined ? TYPED : keyOf(entry)} />
        <Field id="amount" label={words.amountOf(coin.coin)} value={amount} inputMode="decimal" />
        <button
          type="button"
          class="link to-start"
          onClick={() => {
            amount.value = largestAmount(network, coin);
          }}
        >
          {words.all(showAmount(largestAmount(network, coin)), coin.coin)}
        </button>
        <Terms coin={coin} network={network} amount={amount.value.trim()} />
        <WithdrawalLimits desk={desk} coin={coin.coin} amount={amount.value.trim()} />
        <CodeField desk={desk} id="code" code={code} />
      </Form>
      {asked.value !== "" && (
        <p class="told good-text" role="status">
          {words.confirmByEmail} <code>{asked.value}</code> {demo !== null && words.demoEmail}
        </p>
      )}
    </div>
  );
}

/** The interface has one word for codes that are wrong and those that were used (Interface 7.10): here both are explained. */
function explained(thrown: unknown, nowMs: number): Denied {
  const denied = deniedOf(thrown);
  return denied.code === BAD_CODE ? new Denied(words.badCode(nextCodeInS(nowMs)), denied) : denied;
}

/** An entry of the book; undefined: it is typed. Where the account is bound to its book, its first is chosen. */
function targetOf(book: readonly AddressRow[], chosen: string, isBound: boolean): AddressRow | undefined {
  return book.find((row) => keyOf(row) === chosen) ?? (isBound ? book[0] : undefined);
}

const keyOf = ({ address, tag }: Pick<AddressRow, "address" | "tag">): string => JSON.stringify([address, tag]);

interface TargetProps {
  readonly book: readonly AddressRow[];
  readonly isBound: boolean;
  readonly chosen: Signal<string>;
  readonly address: Signal<string>;
  readonly tag: Signal<string>;
  /** The key of the entry that is paid; `TYPED`: none is. */
  readonly selected: string;
}

function Target({ book, isBound, chosen, address, tag, selected }: TargetProps) {
  const options = book.map((row): [string, string] => [
    keyOf(row),
    `${row.name} · ${row.address}${row.tag === "" ? "" : ` · ${row.tag}`}`,
  ]);
  return (
    <>
      {book.length > 0 && (
        <Choice
          id="book"
          label={words.fromBook}
          value={selected}
          options={isBound ? options : [[TYPED, words.typed], ...options]}
          onChoose={(key) => (chosen.value = key)}
        />
      )}
      {isBound && book.length === 0 && <p class="warned">{words.bound}</p>}
      {selected === TYPED && !isBound && (
        <>
          <Field id="address" label={words.address} value={address} />
          <Field id="tag" label={words.tag} value={tag} help={words.tagHelp} />
        </>
      )}
    </>
  );
}

function Terms({ coin, network, amount }: { coin: Coin; network: Network; amount: string }) {
  const comes = arrives(amount, network);
  const of = (text: string): string => `${showAmount(carried(text, network.withdrawIntegerMultiple))} ${coin.coin}`;
  const bound = (text: string): string => (boundOf(text) === null ? words.noBound : of(text));
  return (
    <Facts
      rows={{
        [words.arrives]: <b>{comes === "" ? words.none : of(comes)}</b>,
        [words.fee]: of(network.withdrawFee),
        [words.least]: bound(network.withdrawMin),
        [words.most]: bound(network.withdrawMax),
        [words.free]: `${showAmount(coin.free)} ${coin.coin}`,
      }}
    />
  );
}
