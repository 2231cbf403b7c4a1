/** Opens what a node shares with others, from its configuration. */
import { WaitingDoor } from "../../people/admin/door/waiting-door.ts";
import { watchCatchUp } from "../../cluster/catch-up/metrics.ts";
import { CatchUpProgress } from "../../cluster/catch-up/progress.ts";
import { type OpenCluster, openCluster } from "../../cluster/open-cluster.ts";
import type { Config } from "../../platform/config/config.ts";
import { holdPayments, whyPaymentsAreHeld } from "../../platform/config/held-payments.ts";
import { settingDigests } from "../../platform/config/shared-settings.ts";
import type { Logger } from "../../platform/observe/log.ts";
import { Metrics } from "../../platform/observe/metrics.ts";
import type { CertificateSource } from "../../platform/transport/tls-door.ts";
import type { World } from "../../platform/world/port.ts";
import { nodeTokenOf, sharedMasterKey } from "./master-key.ts";
import { VERSION } from "./version.ts";

/** Null where the node is alone, else as `openCluster`. `certificates`: of the admin port. `signal`: ends a start that waits for other nodes. */
export function sharedOf(
  config: Config,
  world: World,
  log: Logger,
  certificates: CertificateSource | undefined,
  signal: AbortSignal | undefined,
): (() => Promise<OpenCluster>) | null {
  const { cluster: settings, node, dataFolder, adminPort: port, snapshotEveryCommands: snapshotEveryEntries } = config;
  if (settings === null) return null;
  const onTrouble = (err: Error): void => log.warn({ err }, "cannot answer probes while the node catches up");
  return async () => {
    const hold = (): void => {
      if (whyPaymentsAreHeld(dataFolder) !== "") return;
      log.warn("payments on hold: the cluster was bootstrapped from a restored journal");
      holdPayments(dataFolder);
    };
    const progress = new CatchUpProgress();
    const metrics = new Metrics();
    watchCatchUp(metrics, progress);
    const room = new WaitingDoor({ port, version: VERSION, metrics, certificates, onTrouble });
    const token = nodeTokenOf(config) ?? "";
    const { masterKey = "" } = settingDigests(config, sharedMasterKey(config));
    const found = { settings, masterKey, node, dataFolder, snapshotEveryEntries, token };
    return openCluster({ ...found, release: VERSION, room, progress, holdPayments: hold, world, log, signal });
  };
}
