/** Records a payment that arrived on a manual network, such as a bank transfer, and credits it to its customer. */
import type { ListedAsset, NetworkState, PlainAccount } from "@pricetime/server/answers";
import { useSignal } from "@preact/signals";
import { AmountField, Choice, Field } from "../../pages/form.tsx";
import { Facts } from "../../pages/pane.tsx";
import { showAmount } from "../../pages/format.ts";
import { parseDecimal } from "../../exact/decimal.ts";
import { consoleForms, consoleRecordDeposit as words, consoleTasks } from "../../words/words.ts";
import { useFetched } from "../context.ts";
import { hashOf } from "../place.ts";
import { CustomerPicker } from "./customer-picker.tsx";
import { Part, type TaskProps, TaskWindow } from "./task-window.tsx";

type Status = keyof typeof words.statuses;
const STATUSES = Object.keys(words.statuses) as Status[];
/** The statuses that complete a pending deposit. */
const RECEIVED: readonly Status[] = ["success", "credited"];
const statusOf = (text: string): Status => STATUSES.find((one) => one === text) ?? "success";

export function RecordDeposit(props: TaskProps) {
  return props.openForm.fixed === undefined ? <RecordNew {...props} /> : <RecordPending {...props} />;
}

function RecordPending(props: TaskProps) {
  const { fixed, known = {} } = props.openForm;
  const status = useSignal<Status>("success");
  return (
    <TaskWindow {...props} title={words.complete} request={() => ({ body: { ...fixed, status: status.value } })}>
      <Part title={consoleTasks.deposit}>
        <Facts rows={known} />
      </Part>
      <StatusChoice options={RECEIVED} value={status.value} onChoose={(one) => (status.value = one)} />
    </TaskWindow>
  );
}

function RecordNew(props: TaskProps) {
  const { context } = props;
  const networks = useFetched<readonly NetworkState[]>(context, "/v1/networks").value;
  const assets = useFetched<readonly ListedAsset[]>(context, "/v1/assets").value;
  const [pickedNetwork, pickedAsset] = [useSignal(props.openForm.given["network"] ?? ""), useSignal("")];
  const customer = useSignal<PlainAccount | null>(null);
  const amount = useSignal("");
  const txId = useSignal("");
  const status = useSignal<Status>("success");
  if (networks === null || assets === null) {
    return (
      <TaskWindow {...props} isOff request={() => ({})}>
        <p>{consoleForms.loading}</p>
      </TaskWindow>
    );
  }
  const manual = networks.filter(({ kind }) => kind === "manual").map((one) => one.network);
  const network = chosenOf(manual, pickedNetwork.value);
  const carried = assets.filter((one) => one.networks.some((on) => on.network === network)).map(({ asset }) => asset);
  const asset = chosenOf(carried, pickedAsset.value);
  const check = (): string => {
    if (parseDecimal(amount.value.trim()) === null) return words.enterAmount;
    if (customer.value === null) return consoleTasks.chooseCustomer;
    return txId.value.trim() === "" ? words.enterId : "";
  };
  return (
    <TaskWindow
      {...props}
      isOff={asset === undefined}
      {...(customer.value !== null && {
        outcome: {
          text: words.recorded(
            `${showAmount(amount.value.trim())} ${asset}`,
            customer.value.email,
            words.statuses[status.value],
          ),
          to: hashOf({ page: "accounts", subject: String(customer.value.accountId) }),
        },
      })}
      check={check}
      request={() => ({
        path: { network: network ?? "" },
        body: {
          ...{ asset: asset ?? "", amount: amount.value.trim(), account: String(customer.value?.accountId) },
          ...{ txId: txId.value.trim(), status: status.value },
        },
      })}
    >
      {asset === undefined && <p class="warned">{manual.length === 0 ? words.noNetwork : words.noAsset}</p>}
      <Choice
        id="task-network"
        label={words.network}
        value={network ?? ""}
        options={manual.map((one) => [one, one])}
        onChoose={(one) => (pickedNetwork.value = one)}
      />
      <Choice
        id="task-asset"
        label={words.asset}
        value={asset ?? ""}
        options={carried.map((one) => [one, one])}
        onChoose={(one) => (pickedAsset.value = one)}
      />
      <AmountField id="task-amount" label={words.amount} value={amount} />
      <CustomerPicker {...{ context }} chosen={customer} help={words.customerHelp} />
      <Field id="task-id" label={words.txId} value={txId} help={words.txIdHelp} />
      <StatusChoice options={STATUSES} value={status.value} onChoose={(one) => (status.value = one)} />
    </TaskWindow>
  );
}

/** The picked one of the possible values; the first one if none is picked, or the picked one is no longer possible. */
const chosenOf = (possible: readonly string[], picked: string): string | undefined =>
  possible.find((one) => one === picked) ?? possible[0];

interface StatusProps {
  readonly options: readonly Status[];
  readonly value: Status;
  readonly onChoose: (status: Status) => void;
}

function StatusChoice({ options, value, onChoose }: StatusProps) {
  return (
    <Choice
      id="task-status"
      label={words.status}
      value={value}
      options={options.map((one) => [one, words.statuses[one]])}
      onChoose={(one) => onChoose(statusOf(one))}
      help={words.statusHelp[value]}
    />
  );
}
