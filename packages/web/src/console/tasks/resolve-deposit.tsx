/** Resolves an unattributed deposit: credits it to a customer, keeps it in the treasury, or dismisses it. */
import type { PlainAccount, WholeAccount } from "@pricetime/server/answers";
import { useSignal } from "@preact/signals";
import { consoleForms, consoleTasks as words, consoleUnattributed, consoleWithdrawals } from "../../words/words.ts";
import { type Context, useFetched } from "../context.ts";
import { add, decimal, formatDecimal, parseDecimal } from "../../exact/decimal.ts";
import { Choice, Field } from "../../pages/form.tsx";
import { Facts } from "../../pages/pane.tsx";
import { showAmount } from "../../pages/format.ts";
import { Limits } from "../account-data.tsx";
import { CustomerPicker } from "./customer-picker.tsx";
import { Part, type TaskProps, TaskWindow } from "./task-window.tsx";

const WAYS = ["credit", "keep", "dismiss"] as const;
type Way = (typeof WAYS)[number];

/** The asset and the amount that arrived, with which the form starts. */
interface Received {
  readonly asset: string;
  readonly amount: string;
}

export function ResolveDeposit(props: TaskProps) {
  const { context, openForm } = props;
  const received = openForm.start as Received;
  const way = useSignal<Way>("credit");
  const customer = useSignal<PlainAccount | null>(null);
  const asset = useSignal(received.asset);
  const amount = useSignal(received.amount);
  const why = useSignal("");
  const isBooked = way.value !== "dismiss";
  const sum = { asset: asset.value.trim(), amount: amount.value.trim() };
  const check = (): string => {
    if (way.value === "credit" && customer.value === null) return words.chooseCustomer;
    if (isBooked && (sum.asset === "" || parseDecimal(sum.amount) === null)) return words.enterAmount;
    return why.value.trim() === "" ? consoleWithdrawals.enterReason : "";
  };
  return (
    <TaskWindow
      {...props}
      title={words.resolutions[way.value]}
      check={check}
      request={() => ({
        body: {
          ...openForm.fixed,
          how: way.value,
          why: why.value.trim(),
          ...(isBooked && sum),
          ...(way.value === "credit" && { toAccount: String(customer.value?.accountId) }),
        },
      })}
    >
      <Part title={words.deposit}>
        <Facts rows={openForm.known ?? {}} />
      </Part>
      <Choice
        id="task-how"
        label={consoleForms.fieldName("how")}
        value={way.value}
        options={WAYS.map((one) => [one, consoleForms.choiceName("how", one)])}
        onChoose={(value) => (way.value = WAYS.find((one) => one === value) ?? "credit")}
        help={words.resolutionHelp[way.value]}
      />
      {way.value === "credit" && <CustomerPicker {...{ context }} chosen={customer} />}
      {isBooked && (
        <>
          <Field id="task-asset" label={words.asset} value={asset} />
          <Field id="task-amount" label={words.amount} value={amount} inputMode="decimal" />
          {(sum.asset !== received.asset || !isSame(sum.amount, received.amount)) && (
            <p class="warned">{words.otherThanReceived(showAmount(received.amount), received.asset)}</p>
          )}
        </>
      )}
      {way.value === "credit" && customer.value !== null && (
        <Credited context={context} accountId={customer.value.accountId} {...sum} />
      )}
      <Field id="task-why" label={words.reason} value={why} />
    </TaskWindow>
  );
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [parseDecimal(one), parseDecimal(other)];
  return a !== null && b !== null && formatDecimal(a) === formatDecimal(b);
}

/** The customer's balance before and after the credit. */
function Credited({ context, accountId, asset, amount }: Received & { context: Context; accountId: number }) {
  const { value } = useFetched<WholeAccount>(context, `/v1/accounts/${accountId}`);
  if (value === null) return <p class="muted">{consoleForms.loading}</p>;
  const { free = "0" } = value.balances.find((one) => one.asset === asset) ?? {};
  const after = parseDecimal(amount) === null ? null : formatDecimal(add(decimal(free), decimal(amount)));
  return (
    <Part title={words.effect}>
      <Facts
        rows={{
          [words.customer]: (
            <>
              {value.email} <Limits account={value} />
            </>
          ),
          [words.balanceNow]: `${showAmount(free)} ${asset}`,
          ...(after !== null && { [words.balanceThen]: <b>{`${showAmount(after)} ${asset}`}</b> }),
        }}
      />
    </Part>
  );
}

/** What is known of the deposit, for the dialog. */
export const receivedFacts = (one: {
  readonly amount: string;
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  readonly tag: string;
  readonly reason: string;
  readonly txId: string;
}): Readonly<Record<string, string>> => ({
  [consoleUnattributed.amount]: `${showAmount(one.amount)} ${one.asset}`,
  [consoleUnattributed.network]: one.network,
  [consoleUnattributed.address]: one.tag === "" ? one.address : `${one.address} · ${one.tag}`,
  [consoleUnattributed.reason]: consoleUnattributed.reasons[one.reason] ?? one.reason,
  [consoleUnattributed.txId]: one.txId,
});
