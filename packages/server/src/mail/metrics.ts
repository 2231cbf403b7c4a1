/** What /metrics says of mails. */
import type { Metrics } from "../observe/metrics.ts";
import type { MailRoom } from "./mail-room.ts";

export function watchMails(metrics: Pick<Metrics, "gauge">, mails: Pick<MailRoom, "waiting">): void {
  metrics.gauge("pricetime_mails_waiting", "Mails that are not sent yet", () => mails.waiting);
}
