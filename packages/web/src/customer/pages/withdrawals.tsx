/** Withdrawals: the request form, the limits, and the list of all withdrawals with their status. */
import { Button } from "../../panels/controls.tsx";
import { boundOf, compare, parseDecimal } from "../../exact/decimal.ts";
import { columnsOf, Facts, List, momentOf, Pane } from "../../pages/pane.tsx";
import { carried, showAmount } from "../../pages/format.ts";
import { customerWithdrawals as words } from "../../words/words.ts";
import {
  chosenOf,
  type Context,
  networkOf,
  useAccount,
  useAction,
  useAddresses,
  useCoins,
  useDemo,
  useExchange,
  useManualNetworks,
  useSteps,
} from "../context.ts";
import type { AddressRow, AccountLimitRow, Venue } from "@pricetime/server/answers";
import type { Coin, CoinNetwork, CoinWithdrawal } from "@pricetime/protocol";
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Denied, deniedOf } from "../../pages/request.ts";
import { CodeField, codeOf, CoinChoice, nextCodeInS, typedAddress } from "../elements.tsx";
import { AmountField, Choice, Field, Form } from "../../pages/form.tsx";
import { amountProblem, arrives, largestAmount } from "./withdrawal-amount.ts";
import { type Fetched, OFTEN_MS } from "../../pages/page-data.ts";
import { hashOf } from "../place.ts";
import type { Column } from "../../panels/data-table.tsx";

// How much of an asset the account can still withdraw before withdrawals need approval.

interface LimitProps {
  readonly context: Context;
  readonly coin: string;
  /** The amount as typed by the customer. */
  readonly amount: string;
}

function WithdrawalLimits({ context, coin, amount }: LimitProps) {
  const { value } = useAccount<readonly AccountLimitRow[]>(context, "withdrawal-limits");
  const row = value?.find(({ asset }) => asset === coin);
  if (row === undefined) return null;
  const windows = windowsOf(row);
  return (
    <>
      <Facts
        rows={Object.fromEntries(
          windows.map(({ hours, limit, withdrawn, left }) => [
            words.limitOver(hours),
            words.used(showAmount(withdrawn), showAmount(limit), showAmount(left), coin),
          ]),
        )}
      />
      <p class={isAbove(amount, windows) ? "warned" : "muted"} role="status">
        {isAbove(amount, windows) ? words.willWait : words.limitHelp}
      </p>
    </>
  );
}

interface Window {
  readonly hours: number;
  readonly limit: string;
  readonly withdrawn: string;
  readonly left: string;
}

/** The time windows that have a limit. */
function windowsOf(row: AccountLimitRow): Window[] {
  const { limit24h, withdrawn24h, left24h, limit72h, withdrawn72h, left72h } = row;
  return [
    { hours: 24, limit: limit24h, withdrawn: withdrawn24h, left: left24h },
    { hours: 72, limit: limit72h, withdrawn: withdrawn72h, left: left72h },
  ].flatMap(({ limit, left, ...rest }) => (limit === null || left === null ? [] : [{ ...rest, limit, left }]));
}

function isAbove(amount: string, windows: readonly Window[]): boolean {
  const value = parseDecimal(amount);
  if (value === null) return false;
  return windows.some(({ left }) => compare(value, parseDecimal(left) ?? value) > 0);
}

// The form that requests a withdrawal: an address or an entry of the address book, the amount, the amount after fees,
// and a 2FA code.

interface FormProps {
  readonly context: Context;
  readonly coin: Coin;
  readonly network: CoinNetwork;
  /** Whether an operator makes the transfer, for example from the exchange's bank account. */
  readonly isManual: boolean;
  /** The withdrawals so far; null until they are loaded. */
  readonly withdrawals: readonly CoinWithdrawal[] | null;
}

const TYPED = "";
const BAD_CODE = "-4032";

function WithdrawForm({ context, coin, network, isManual, withdrawals }: FormProps) {
  const amount = useSignal("");
  const address = useSignal("");
  const tag = useSignal("");
  const holder = useSignal(context.profile.peek()?.name ?? "");
  const chosen = useSignal(TYPED);
  // A copy: the address book may change during the review.
  const reviewed = useSignal<Pick<ReviewProps, "target" | "amount" | "holder"> | null>(null);
  const requestedId = useSignal("");
  const isBound = context.profile.value?.isAddressListEnforced === true;
  // With the allowlist on, an address in its waiting period cannot be used yet.
  const book = (useAddresses(context).value ?? []).filter(
    (row) => row.network === network.network && (!isBound || row.fromMs <= context.nowMs.value),
  );
  const entry = targetOf(book, chosen.value, isBound);
  const target = entry ?? { address: typedAddress(address.value, isManual), tag: tag.value.trim() };
  if (!network.withdrawEnable) return <p class="padded warned">{words.closed(coin.coin, network.network)}</p>;
  if (reviewed.value !== null) {
    return (
      <ReviewForm
        {...{ context, coin, network, isManual, ...reviewed.value }}
        onChange={() => (reviewed.value = null)}
        onRequested={(id) => {
          requestedId.value = id;
          reviewed.value = null;
          amount.value = "";
        }}
      />
    );
  }
  return (
    <div class="padded stack">
      <Form
        label={words.title}
        submit={words.review}
        check={() => {
          if (target.address === "") return { at: "address", text: isManual ? words.noAccount : words.noAddress };
          if (isManual && holder.value.trim() === "") return { at: "holder", text: words.noHolder };
          return { at: "amount", text: amountProblem(amount.value.trim(), network, coin) };
        }}
        onSend={() => {
          requestedId.value = "";
          reviewed.value = { target, amount: amount.value.trim(), holder: holder.value.trim() };
          return Promise.resolve();
        }}
      >
        <Target
          {...{ book, isBound, chosen, address, tag, isManual }}
          isTagged={network.sameAddress}
          selected={entry === undefined ? TYPED : keyOf(entry)}
        />
        {isManual && (
          <Field id="holder" label={words.holder} value={holder} help={words.holderHelp} autocomplete="name" />
        )}
        <AmountField id="amount" label={words.amountOf(coin.coin)} value={amount} />
        <Button class="link to-start" onClick={() => (amount.value = largestAmount(network, coin))}>
          {words.all(showAmount(largestAmount(network, coin)), coin.coin)}
        </Button>
        <Terms coin={coin} network={network} amount={amount.value.trim()} />
        {isManual && <p class="muted">{words.transferTerms}</p>}
        <WithdrawalLimits context={context} coin={coin.coin} amount={amount.value.trim()} />
      </Form>
      {requestedId.value !== "" && <Requested {...{ context, withdrawals }} id={requestedId.value} />}
    </div>
  );
}

interface RequestedProps extends Pick<FormProps, "context" | "withdrawals"> {
  readonly id: string;
}

/** What to do next, until the withdrawal is confirmed. */
function Requested({ context, withdrawals, id }: RequestedProps) {
  const demo = useDemo(context);
  const sendsEmails = useAccount<Venue>(context, "venue", { isStill: true }).value?.hasMailServer !== false;
  const status = withdrawals?.find((row) => row.id === id)?.status ?? AWAITS_LINK;
  if (status !== AWAITS_LINK) return null;
  return (
    <p class="told good-text" role="status">
      {sendsEmails ? words.confirmByEmail : words.confirmByLink} <code>{id}</code>.{" "}
      <a href={hashOf("history", { kind: "withdrawals" })}>{words.toList}</a>{" "}
      {demo !== null && !sendsEmails && words.demoEmail}
    </p>
  );
}

interface ReviewProps extends Pick<FormProps, "context" | "coin" | "network" | "isManual"> {
  readonly target: Pick<AddressRow, "address" | "tag">;
  readonly amount: string;
  readonly holder: string;
  readonly onChange: () => void;
  readonly onRequested: (id: string) => void;
}

/** What is sent where, before the customer confirms it. */
function ReviewForm(props: ReviewProps) {
  const { context, coin, network, isManual, amount, holder, onChange, onRequested } = props;
  const { address, tag } = props.target;
  const code = useSignal("");
  const heading = useRef<HTMLParagraphElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const of = (text: string): string => `${showAmount(carried(text, network.withdrawIntegerMultiple))} ${coin.coin}`;
  const send = async (): Promise<void> => {
    const asking = context.wire.exchange<{ id: string }>("POST", "/sapi/v1/capital/withdraw/apply", {
      ...{ coin: coin.coin, network: network.network, address, amount },
      ...(tag !== "" && { addressTag: tag }),
      ...(isManual && { name: holder }),
      ...codeOf(code),
    });
    const { id } = await asking.catch((error: unknown) => {
      throw explained(error, context.nowMs.value);
    });
    onRequested(id);
    context.done.value++;
  };
  return (
    <div class="padded stack">
      <Form label={words.title} submit={words.submit} onSend={send}>
        <p ref={heading} tabIndex={-1} class="warned">
          {words.checkIt}
        </p>
        <Facts
          rows={{
            [isManual ? words.account : words.address]: <code>{address}</code>,
            ...(tag !== "" && { [isManual ? words.reference : words.tag]: <code>{tag}</code> }),
            ...(isManual && { [words.holder]: holder }),
            [isManual ? words.method : words.network]: network.name,
            [words.amount]: of(amount),
            [words.fee]: of(network.withdrawFee),
            [words.arrives]: <b>{of(arrives(amount, network))}</b>,
          }}
        />
        <CodeField context={context} id="code" code={code} />
        <Button class="link to-start" onClick={onChange}>
          {words.change}
        </Button>
      </Form>
    </div>
  );
}

/**
 * The error to show. The interface has the same error code for wrong and for used 2FA codes (Interface 7.10), so the
 * text explains both.
 */
function explained(thrown: unknown, nowMs: number): Denied {
  const denied = deniedOf(thrown);
  return denied.code === BAD_CODE ? new Denied(words.badCode(nextCodeInS(nowMs)), denied) : denied;
}

/**
 * The selected entry of the address book; undefined if the address is typed. With the allowlist on, the first entry is
 * preselected.
 */
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
  readonly isManual: boolean;
  /** Whether the network's addresses have tags. */
  readonly isTagged: boolean;
  /** The key of the selected entry; `TYPED` if the address is typed. */
  readonly selected: string;
}

function Target({ book, isBound, chosen, address, tag, isManual, isTagged, selected }: TargetProps) {
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
          options={isBound ? options : [[TYPED, isManual ? words.typedAccount : words.typed], ...options]}
          onChoose={(key) => (chosen.value = key)}
        />
      )}
      {isBound && book.length === 0 && <p class="warned">{isManual ? words.boundAccount : words.bound}</p>}
      {selected === TYPED && !isBound && (
        <>
          <Field id="address" label={isManual ? words.account : words.address} value={address} />
          {!isManual && <Field id="tag" label={words.tag} value={tag} help={words.tagHelp} />}
          {isManual && isTagged && <Field id="tag" label={words.reference} value={tag} help={words.referenceHelp} />}
        </>
      )}
    </>
  );
}

function Terms({ coin, network, amount }: { coin: Coin; network: CoinNetwork; amount: string }) {
  const comes = arrives(amount, network);
  const of = (text: string): string => `${showAmount(carried(text, network.withdrawIntegerMultiple))} ${coin.coin}`;
  const bound = (label: string, text: string) => (boundOf(text) === null ? {} : { [label]: of(text) });
  return (
    <Facts
      rows={{
        [words.arrives]: <b>{comes === "" ? words.none : of(comes)}</b>,
        [words.fee]: of(network.withdrawFee),
        ...bound(words.least, network.withdrawMin),
        ...bound(words.most, network.withdrawMax),
        [words.free]: `${showAmount(coin.free)} ${coin.coin}`,
      }}
    />
  );
}

// Withdrawals, newest first, with status, and a cancel button until they are sent.

export const WITHDRAWALS = "/sapi/v1/capital/withdraw/history";
/** The statuses in which a withdrawal can be canceled: awaiting email confirmation or approval. */
const AWAITS_LINK = 0;
const CANCELLABLE: readonly number[] = [AWAITS_LINK, 2];

function Withdrawals({ context, withdrawals }: { context: Context; withdrawals: Fetched<readonly CoinWithdrawal[]> }) {
  return (
    <List
      title={words.list}
      name="withdrawals"
      rows={withdrawals.value}
      denied={withdrawals.denied}
      empty={words.noneYet}
      keyOf={({ id }) => id}
      columns={useWithdrawalColumns(context)}
    />
  );
}

/** The columns of withdrawals, here and in the history. */
export function useWithdrawalColumns(context: Context): readonly Column<CoinWithdrawal>[] {
  const stepOf = useSteps(context);
  const runAction = useAction(context);
  const cancel = (id: string): void =>
    runAction(words.cancelled, () =>
      context.wire.account("POST", `withdrawals/${encodeURIComponent(id)}/cancel`, { body: {} }),
    );
  const column = columnsOf<CoinWithdrawal>(context);
  const shown = ({ coin, network }: CoinWithdrawal, amount: string) =>
    carried(amount, stepOf("withdrawStep", coin, network));
  return [
    column.moment(words.time, ({ applyTime }) => momentOf(applyTime)),
    column.plain(words.coin, ({ coin }) => coin),
    column.plain(words.network, ({ network }) => network),
    column.amount(words.arrives, (row) => shown(row, row.amount)),
    column.amount(words.fee, (row) => shown(row, row.transactionFee)),
    column.plain(words.state, ({ status, info }) => words.states(status) + (info === "" ? "" : `: ${info}`)),
    column.long(words.fromBook, ({ address, addressTag }) => `${address} ${addressTag}`.trim()),
    column.long(words.transaction, ({ txId }) => txId),
    {
      label: words.acts,
      isActions: true,
      show: ({ id, status }) =>
        CANCELLABLE.includes(status) && (
          <Button class="link" aria-label={words.cancelOf(id)} onClick={() => cancel(id)}>
            {words.cancel}
          </Button>
        ),
    },
  ];
}

const isOpen = ({ withdrawEnable }: CoinNetwork): boolean => withdrawEnable;

export function WithdrawPage({ context }: { context: Context }) {
  const { params } = context.place.value;
  const coins = useCoins(context);
  const coin = chosenOf(coins.value ?? [], params["coin"] ?? "", isOpen);
  const network = networkOf(coin, params["network"] ?? "");
  const manual = useManualNetworks(context);
  const withdrawals = useExchange<readonly CoinWithdrawal[]>(context, WITHDRAWALS, { everyMs: OFTEN_MS });
  const isManual = manual?.some((one) => one.network === network?.network) ?? false;
  return (
    <>
      <Pane title={words.title} denied={coins.denied}>
        <CoinChoice {...{ coin, network, isManual, words }} page="withdraw" coins={coins.value ?? []} />
        {coin !== undefined && network === undefined && <p class="padded warned">{words.noNetwork(coin.coin)}</p>}
        {coin !== undefined && network !== undefined && manual !== null && (
          <WithdrawForm
            key={`${coin.coin} ${network.network}`}
            {...{ context, coin, network, isManual }}
            withdrawals={withdrawals.value}
          />
        )}
      </Pane>
      <Withdrawals {...{ context, withdrawals }} />
    </>
  );
}
