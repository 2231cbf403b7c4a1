/** What /metrics says of a node's certificates. */
import type { Metrics } from "../observe/metrics.ts";
import type { Certificates } from "./certificates.ts";

export function watchCertificates(metrics: Pick<Metrics, "gauges">, { clients, admin }: Certificates): void {
  const help = "Expiry of the certificate of a port, in seconds since 1970";
  metrics.gauges("pricetime_certificate_expires_seconds", help, () =>
    Object.entries({ clients, admin }).flatMap(([port, served]) =>
      served === undefined ? [] : [{ labels: { port }, value: served.untilMs / 1000 }],
    ),
  );
}
