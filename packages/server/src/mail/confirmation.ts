/** The mail that asks a customer to confirm a withdrawal. */
import { CONFIRM_PATH } from "@pricetime/protocol";
import type { Mail, WithdrawalToConfirm } from "./port.ts";

/** `publicUrl` without a slash at the end. */
export function confirmationMail(withdrawal: WithdrawalToConfirm, publicUrl: string): Mail {
  const { withdrawalId, secret, email, asset, network, address, tag, amount, fee, minutesLeft } = withdrawal;
  const query = new URLSearchParams({ id: withdrawalId, secret });
  const text = [
    `Somebody with an API key of your account asked for this withdrawal:`,
    "",
    `  amount    ${amount} ${asset}, of which ${fee} ${asset} is the fee`,
    `  network   ${network}`,
    `  address   ${address}`,
    ...(tag === "" ? [] : [`  tag       ${tag}`]),
    `  number    ${withdrawalId}`,
    "",
    `If it was you, confirm it within ${minutesLeft} ${minutesLeft === 1 ? "minute" : "minutes"}:`,
    "",
    `${publicUrl}${CONFIRM_PATH}?${query.toString()}`,
    "",
    "If it was not you, do nothing but delete your API keys: without a confirmation it is cancelled.",
    "",
  ].join("\n");
  return { to: email, subject: `Confirm your withdrawal of ${amount} ${asset}`, text, withdrawalId };
}
