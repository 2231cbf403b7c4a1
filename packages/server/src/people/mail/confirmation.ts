/** The email that asks a customer to confirm a withdrawal, whether it was requested in the pages or with an API key. */
import { CONFIRM_PATH } from "@pricetime/protocol";
import { linesOf } from "./notices/notice-parts.ts";
import type { Mail, WithdrawalToConfirm } from "./port.ts";

/** `publicUrl`: without a trailing slash. */
export function confirmationMail(withdrawal: WithdrawalToConfirm, publicUrl: string): Mail {
  const { withdrawalId, secret, email, asset, network, address, tag, amount, fee, minutesLeft } = withdrawal;
  const query = new URLSearchParams({ id: withdrawalId, secret });
  const text = [
    "A withdrawal was requested from your account:",
    "",
    ...linesOf([
      ["Amount", `${amount} ${asset}, including a fee of ${fee} ${asset}`],
      ["Network", network],
      ["Address", address],
      ...(tag === "" ? [] : [["Tag", tag] as const]),
      ["Reference", withdrawalId],
    ]),
    "",
    `If you requested it, confirm it within ${minutesLeft} ${minutesLeft === 1 ? "minute" : "minutes"}:`,
    "",
    `${publicUrl}${CONFIRM_PATH}?${query.toString()}`,
    "",
    "If you did not request it, do not confirm it: the withdrawal is canceled when the link expires. Then change your",
    `password, and check your sessions and API keys: ${publicUrl}/account/#/security`,
    "",
  ].join("\n");
  return { to: email, subject: `Confirm your withdrawal of ${amount} ${asset}`, text, withdrawalId };
}
