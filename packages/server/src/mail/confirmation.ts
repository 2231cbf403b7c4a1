/** The email that asks a customer to confirm a withdrawal, whether it was requested in the pages or with an API key. */
import { CONFIRM_PATH } from "@pricetime/protocol";
import type { Mail, WithdrawalToConfirm } from "./port.ts";

/** `publicUrl` without a slash at the end. */
export function confirmationMail(withdrawal: WithdrawalToConfirm, publicUrl: string): Mail {
  const { withdrawalId, secret, email, asset, network, address, tag, amount, fee, minutesLeft } = withdrawal;
  const query = new URLSearchParams({ id: withdrawalId, secret });
  const text = [
    "This withdrawal was requested from your account:",
    "",
    `  amount    ${amount} ${asset}, of which ${fee} ${asset} is the fee`,
    `  network   ${network}`,
    `  address   ${address}`,
    ...(tag === "" ? [] : [`  tag       ${tag}`]),
    `  number    ${withdrawalId}`,
    "",
    `If you requested it, confirm it within ${minutesLeft} ${minutesLeft === 1 ? "minute" : "minutes"}:`,
    "",
    `${publicUrl}${CONFIRM_PATH}?${query.toString()}`,
    "",
    "If you did not request it, do not confirm it: it is cancelled when the link expires. Then change your password,",
    `and check your sessions and API keys: ${publicUrl}/account/#/security`,
    "",
  ].join("\n");
  return { to: email, subject: `Confirm your withdrawal of ${amount} ${asset}`, text, withdrawalId };
}
