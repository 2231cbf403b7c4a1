/** Coins on their way, which time brings to an end. What waits for a person does not: a link in a mail, an approval. */
import type { EngineView } from "@pricetime/engine";

export function arePaymentsUnderWay(view: Pick<EngineView, "assets" | "funds">): boolean {
  if (view.funds.openWithdrawals().some(({ status }) => status === "processing")) return true;
  const networks = new Set(view.assets().flatMap(({ spec }) => spec.networks.map(({ network }) => network)));
  return [...networks].some((network) => view.funds.openDeposits(network).length > 0);
}
