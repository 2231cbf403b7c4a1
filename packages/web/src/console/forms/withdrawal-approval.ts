/** The approval of a withdrawal: its status before, the values that it carries, and the payment that follows it. */
import type { AnyWithdrawal, OpenWithdrawal } from "@pricetime/server/answers";
import { consoleWithdrawals as words } from "../../words/words.ts";
import { showAmount } from "../../exact/shown.ts";

/** The status of withdrawals that operators decide on. */
export const AWAITS = "awaitingApproval";

/** Whether the withdrawal is not closed yet. Closed ones have the fields of the history. */
export const isPending = (withdrawal: AnyWithdrawal): withdrawal is OpenWithdrawal => "approvalReasons" in withdrawal;

/** The values that the operator saw. The node rejects the approval if they are not those of the withdrawal. */
export const shownOf = ({ amount, fee, address, tag }: OpenWithdrawal) => ({ amount, fee, address, tag });

/** What operators do next after the approval of a withdrawal on a manual network. */
export const payByHand = ({ arrives, asset, address, network }: AnyWithdrawal): string =>
  words.payByHand(`${showAmount(arrives)} ${asset}`, address, network);
