/** The open dialog: the form of the task, or for routes without one the form that is generated from the schema. */
import type { ComponentType } from "preact";
import type { Context } from "../context.ts";
import { OpenActionWindow } from "../forms/action-window.tsx";
import { byNeed } from "../by-need.tsx";
import type { TaskProps } from "./task-window.tsx";
import { Resume, Suspend } from "./suspend.tsx";

// The code of these tasks is loaded when they are first opened.
const ApproveWithdrawal = byNeed<TaskProps>(() =>
  import("./withdrawal-decision.tsx").then((module) => module.ApproveWithdrawal),
);
const RejectWithdrawal = byNeed<TaskProps>(() =>
  import("./withdrawal-decision.tsx").then((module) => module.RejectWithdrawal),
);
const ListMarket = byNeed<TaskProps>(() => import("./list-market.tsx").then((module) => module.ListMarket));
const ListAsset = byNeed<TaskProps>(() => import("./list-asset.tsx").then((module) => module.ListAsset));
const InviteCustomer = byNeed<TaskProps>(() => import("./invite.tsx").then((module) => module.InviteCustomer));
const InviteOperator = byNeed<TaskProps>(() => import("./invite.tsx").then((module) => module.InviteOperator));
const RecordDeposit = byNeed<TaskProps>(() => import("./record-deposit.tsx").then((module) => module.RecordDeposit));
const ResolveDeposit = byNeed<TaskProps>(() => import("./resolve-deposit.tsx").then((module) => module.ResolveDeposit));
const EndOrders = byNeed<TaskProps>(() => import("./end-orders.tsx").then((module) => module.EndOrders));
const ChangeFees = byNeed<TaskProps>(() => import("./change-fees.tsx").then((module) => module.ChangeFees));

/** The form of each task, by route key. */
const TASKS: Readonly<Record<string, ComponentType<TaskProps>>> = {
  "POST /v1/withdrawals/{withdrawal}/approve": ApproveWithdrawal,
  "POST /v1/withdrawals/{withdrawal}/reject": RejectWithdrawal,
  "PUT /v1/suspensions/{scope}": Suspend,
  "DELETE /v1/suspensions/{scope}": Resume,
  "POST /v1/unattributed-deposits/resolve": ResolveDeposit,
  "POST /v1/networks/{network}/deposits": RecordDeposit,
  "POST /v1/accounts/{account}/open-orders/end": EndOrders,
  "POST /v1/symbols": ListMarket,
  "POST /v1/assets": ListAsset,
  "POST /v1/invitations": InviteCustomer,
  "POST /v1/operators": InviteOperator,
  "PUT /v1/accounts/{account}/fees/{symbol}": ChangeFees,
};

export function OpenWindow({ context }: { context: Context }) {
  const openForm = context.openForm.value;
  if (openForm === null) return null;
  const Task = openForm.isAdvanced === true ? undefined : TASKS[openForm.key];
  return Task === undefined ? (
    <OpenActionWindow context={context} />
  ) : (
    <Task key={openForm.key} context={context} openForm={openForm} />
  );
}
