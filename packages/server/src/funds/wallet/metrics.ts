/** The metrics of each network. */
import type { EngineView } from "@pricetime/engine";
import type { Sample } from "../../platform/observe/histogram.ts";
import type { Metrics } from "../../platform/observe/metrics.ts";
import type { NetworkStatus } from "./port.ts";
import type { NodeWallet } from "./wallet.ts";

/** Among several nodes each tells of the networks that it runs. */
function runHere(wallet: Pick<NodeWallet, "networks">): readonly NetworkStatus[] {
  return wallet.networks().filter(({ holder }) => holder === undefined);
}

export function watchNetworks(
  metrics: Pick<Metrics, "gauge" | "gauges">,
  wallet: Pick<NodeWallet, "networks" | "troubles">,
  view: Pick<EngineView, "funds">,
): void {
  metrics.gauge("pricetime_networks_degraded", "Networks with errors", () => Object.keys(wallet.troubles()).length);
  const gauges = (name: string, help: string, value: (status: NetworkStatus) => number): void => {
    metrics.gauges(`pricetime_network_${name}`, help, () =>
      runHere(wallet).map((status): Sample => ({ labels: { network: status.network }, value: value(status) })),
    );
  };
  gauges("up", "1 if the network is reachable", ({ isUp }) => Number(isUp));
  gauges("height", "Height of the newest block", ({ height }) => height);
  gauges("lag_blocks", "Blocks not scanned yet", ({ height, readHeight }) => Math.max(0, height - readHeight));
  gauges("pending_deposits", "Pending deposits", ({ network }) => view.funds.openDeposits(network).length);
  const toBePaid = (network: string) =>
    view.funds.openWithdrawals().filter((each) => each.network === network && each.status === "processing");
  gauges("open_withdrawals", "Approved withdrawals without a final payment", ({ network }) => toBePaid(network).length);
  gauges("pending_payments", "Signed payments that are not final", ({ network }) => {
    return toBePaid(network).filter(({ txIds }) => txIds.length > 0).length;
  });
}
