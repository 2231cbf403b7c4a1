/** Metrics of emails. */
import type { Metrics } from "../observe/metrics.ts";

export function watchMails(metrics: Pick<Metrics, "gauge">, mails: { readonly waiting: number }): void {
  metrics.gauge("pricetime_mails_waiting", "Mails that are not sent yet", () => mails.waiting);
}
