/** Metrics of emails. */
import type { Metrics } from "../../platform/observe/metrics.ts";

export function watchMails(metrics: Pick<Metrics, "gauge">, mails: { readonly waiting: number }): void {
  metrics.gauge("pricetime_emails_queued", "Emails in the queue", () => mails.waiting);
}
