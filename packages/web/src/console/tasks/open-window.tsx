/** The open dialog: the form of the task, or for routes without one the form that is generated from the schema. */
import type { ComponentType } from "preact";
import type { Context } from "../context.ts";
import { OpenActionWindow } from "../forms/action-window.tsx";
import type { TaskProps } from "./task-window.tsx";
import { EndOrders } from "./end-orders.tsx";
import { ResolveDeposit } from "./resolve-deposit.tsx";
import { Resume, Suspend } from "./suspend.tsx";
import { ApproveWithdrawal, RejectWithdrawal } from "./withdrawal-decision.tsx";

/** The form of each task, by route key. */
const TASKS: Readonly<Record<string, ComponentType<TaskProps>>> = {
  "POST /v1/withdrawals/{withdrawal}/approve": ApproveWithdrawal,
  "POST /v1/withdrawals/{withdrawal}/reject": RejectWithdrawal,
  "PUT /v1/suspensions/{scope}": Suspend,
  "DELETE /v1/suspensions/{scope}": Resume,
  "POST /v1/unattributed-deposits/resolve": ResolveDeposit,
  "POST /v1/accounts/{account}/open-orders/end": EndOrders,
};

export function OpenWindow({ context }: { context: Context }) {
  const openForm = context.openForm.value;
  if (openForm === null) return null;
  const Task = TASKS[openForm.key];
  return Task === undefined ? (
    <OpenActionWindow context={context} />
  ) : (
    <Task key={openForm.key} context={context} openForm={openForm} />
  );
}
