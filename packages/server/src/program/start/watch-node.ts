/** What /metrics reads of a node when it is asked: each room's readings stand in its own `metrics.ts`. */
import type { Gateway } from "../../api/gateway.ts";
import type { Certificates } from "../../platform/certificates/certificates.ts";
import { watchCertificates } from "../../platform/certificates/metrics.ts";
import { watchCatchUp } from "../../cluster/catch-up/metrics.ts";
import type { ClusterNode } from "../../cluster/cluster-node.ts";
import { watchCluster } from "../../cluster/metrics.ts";
import type { OpenCluster } from "../../cluster/open-cluster.ts";
import { watchHttp, watchSockets } from "../../api/edge/metrics.ts";
import type { NodeMail } from "../../people/mail/open-mail.ts";
import { watchMails } from "../../people/mail/metrics.ts";
import type { Metrics } from "../../platform/observe/metrics.ts";
import type { Troubles } from "../../platform/observe/troubles.ts";
import { watchReplica } from "../../journal/replica/metrics.ts";
import type { Storage } from "../../journal/storage/storage.ts";
import type { Streams } from "../../api/streams/streams.ts";
import { watchNetworks } from "../../funds/wallet/metrics.ts";
import type { NodeWallet } from "../../funds/wallet/wallet.ts";
import type { GuardedClock } from "../../platform/world/guarded-clock.ts";
import { watchClock } from "../../platform/world/metrics.ts";

export interface WatchedNode {
  readonly storage: Storage;
  readonly gateway: Gateway;
  readonly streams: Streams;
  readonly wallet: NodeWallet;
  readonly mail: NodeMail;
  readonly clock: GuardedClock;
  readonly troubles: Troubles;
  readonly certificates: Certificates;
  /** Undefined where the node is alone, and so is `shared`. */
  readonly cluster: ClusterNode | undefined;
  readonly shared: Pick<OpenCluster, "progress"> | undefined;
}

/** Call it again for a node that takes the place of the first: a lab goes back. */
export function watchNode(metrics: Metrics, node: WatchedNode): void {
  const { storage, gateway, streams, wallet, mail, clock, troubles, certificates, cluster, shared } = node;
  const { engine } = storage.recovery;
  metrics.forgetParts();
  watchReplica(metrics, engine, storage.projector, clock);
  watchHttp(metrics, gateway);
  watchSockets(metrics, streams.sockets);
  watchNetworks(metrics, wallet, engine);
  watchMails(metrics, mail.outbox);
  watchClock(metrics, clock);
  watchCertificates(metrics, certificates);
  if (cluster !== undefined) watchCluster(metrics, cluster);
  if (shared !== undefined) watchCatchUp(metrics, shared.progress);
  troubles.watch(metrics);
}
