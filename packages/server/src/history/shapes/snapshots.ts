/** Balances of an account at the end of days, as JSON. Interface 4.6. */
import type { Answer } from "@pricetime/protocol";
import type { SnapshotRow } from "./wallet-rows.ts";
import type { Names } from "./names.ts";

type DaySnapshot = Answer<"wallet.snapshots">["snapshotVos"][number];

export function snapshotPage(names: Names, rows: readonly SnapshotRow[]): string {
  const shape = ({ timeMs, balances, total }: SnapshotRow): DaySnapshot => ({
    type: "spot",
    updateTime: timeMs,
    data: {
      balances: balances.map(({ assetId, free, locked }) => ({ asset: names.asset(assetId), free, locked })),
      totalAssetOfBtc: total,
    },
  });
  return JSON.stringify(rows.map(shape));
}
