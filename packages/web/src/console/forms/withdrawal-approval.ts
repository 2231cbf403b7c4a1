/** The approval of a withdrawal: its status before, and the values that it carries. */
import type { OpenWithdrawal } from "@pricetime/server/answers";

/** The status of withdrawals that operators decide on. */
export const AWAITS = "awaitingApproval";

/** The values that the operator saw. The node rejects the approval if they are not those of the withdrawal. */
export const shownOf = ({ amount, fee, address, tag }: OpenWithdrawal) => ({ amount, fee, address, tag });
