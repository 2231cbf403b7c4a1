/** Reserves less what is owed, of the newest proof. */
import type { Column } from "../../panels/data-table.tsx";
import { Pane } from "../../pages/pane.tsx";
import { showAmount } from "../../pages/shown.ts";
import { consoleTreasury as words } from "../../words/words.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { plain } from "../../pages/columns.ts";
import { List } from "../draw/list.tsx";
import { mayDo } from "../rights.ts";
import type { ProofSummary, ReservesOfAsset, ShownReserves } from "./treasury.ts";

const SHOW = "POST /v1/proofs/{seq}/reserves";

export function ReservesPane({ desk, newest }: { desk: Desk; newest: ProofSummary }) {
  const path = `/v1/proofs/${newest.seq}/reserves`;
  const { value, denied } = useAsked<ShownReserves>(desk, path);
  const isNone = value?.digest === null;
  const signed = value?.reserves.filter(({ signature }) => signature !== "").length ?? 0;
  return (
    <>
      <Pane
        title={words.reserves}
        tools={
          isNone &&
          mayDo(desk, SHOW) && (
            <button
              type="button"
              class="button"
              onClick={() => {
                const known = { [words.number]: String(newest.number), [words.entry]: String(newest.seq) };
                desk.wish.value = { key: SHOW, given: { seq: String(newest.seq) }, known };
              }}
            >
              {words.addReserves}
            </button>
          )
        }
      >
        <p class="padded">
          {isNone ? words.noReserves : words.reservesAre(signed, (value?.reserves.length ?? 0) - signed)}
        </p>
      </Pane>
      <List
        desk={desk}
        title={words.reservesLessOwed}
        name={`reserves-${newest.seq}`}
        rows={value?.assets ?? null}
        denied={denied}
        columns={columns}
        keyOf={({ asset }) => asset}
        empty={words.noAssets}
        whole={{ path }}
      />
    </>
  );
}

const shown = (label: string, of: (row: ReservesOfAsset) => string | null): Column<ReservesOfAsset> => ({
  ...{ label, isNumber: true },
  text: (row) => of(row) ?? words.noneShown,
  show: (row) => {
    const amount = of(row);
    if (amount === null) return words.noneShown;
    return <span class={amount.startsWith("-") ? "bad-text" : ""}>{showAmount(amount)}</span>;
  },
});

const columns: readonly Column<ReservesOfAsset>[] = [
  plain(words.asset, ({ asset }) => asset),
  shown(words.owed, ({ owed }) => owed),
  shown(words.reserves, ({ reserves }) => reserves),
  shown(words.surplus, ({ surplus }) => surplus),
];
