/** Resolves an unattributed deposit: credits it to a customer, keeps it in the treasury, or dismisses it. */
import type { PlainAccount, UnattributedDeposit, WholeAccount } from "@pricetime/server/answers";
import type { ComponentChildren } from "preact";
import { useSignal } from "@preact/signals";
import { consoleForms, consoleTasks as words, consoleUnattributed, consoleWithdrawals } from "../../words/words.ts";
import { type Context, useFetched } from "../context.ts";
import { add, decimal, formatDecimal, parseDecimal } from "../../exact/decimal.ts";
import { AmountField, Choice, Field } from "../../pages/form.tsx";
import { Facts } from "../../pages/pane.tsx";
import { showAmount } from "../../pages/format.ts";
import { Limits } from "../account-data.tsx";
import { formOf } from "../forms/subjects.ts";
import { CustomerPicker } from "./customer-picker.tsx";
import { Part, type TaskProps, TaskWindow } from "./task-window.tsx";

const WAYS = ["credit", "keep", "dismiss"] as const;
type Way = (typeof WAYS)[number];

/** The asset and the amount that arrived, with which the form starts. */
interface Received {
  readonly asset: string;
  readonly amount: string;
}

/** Without a deposit from the page, the operator chooses one. */
export function ResolveDeposit(props: TaskProps) {
  const { context, openForm } = props;
  const isGiven = openForm.start !== undefined;
  const { value } = useFetched<readonly UnattributedDeposit[]>(context, isGiven ? null : "/v1/unattributed-deposits");
  const picked = useSignal("");
  if (isGiven) return <Resolve {...props} received={openForm.start as Received} />;
  const row = value?.find((one) => String(one.seq) === picked.value) ?? value?.[0];
  if (row === undefined) {
    return (
      <TaskWindow {...props} isOff request={() => ({})}>
        <p>{value === null ? consoleForms.loading : consoleUnattributed.none}</p>
      </TaskWindow>
    );
  }
  return (
    <Resolve key={row.seq} {...props} openForm={{ ...openForm, ...formOf(row) }} received={row}>
      <Choice
        id="task-deposit"
        label={words.deposit}
        value={String(row.seq)}
        options={(value ?? []).map((one) => [String(one.seq), `${showAmount(one.amount)} ${one.asset}, ${one.txId}`])}
        onChoose={(seq) => (picked.value = seq)}
      />
    </Resolve>
  );
}

function Resolve(props: TaskProps & { readonly received: Received; readonly children?: ComponentChildren }) {
  const { context, openForm, received } = props;
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
      {props.children}
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
          <AmountField id="task-amount" label={words.amount} value={amount} />
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
