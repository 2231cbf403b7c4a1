/** What the venue says that it has, beside what it owes: reserves less liabilities, asset by asset. */
import { Facts, Pane } from "../../pages/pane.tsx";
import { showAmount } from "../../pages/shown.ts";
import { type CheckedPublic, inDecimals } from "../../proof/check-proof.ts";
import { customerProof as words } from "../../words/words.ts";
import { List } from "../../pages/list.tsx";

export function ReservesPane({ statement, reserves }: CheckedPublic) {
  if (reserves === null) {
    return (
      <Pane title={words.reserves}>
        <p class="padded">{words.noReserves}</p>
      </Pane>
    );
  }
  const rows = statement.assets.map(({ asset, total, decimals }) => {
    const shown = reserves.assets.get(asset);
    const decimal = (units: bigint | undefined): string | null =>
      units === undefined ? null : inDecimals(String(units), decimals);
    const owed = inDecimals(total, decimals);
    return { asset, owed, held: decimal(shown?.held), surplus: decimal(shown?.surplus) };
  });
  const amount = (label: string, of: (row: (typeof rows)[number]) => string | null) => ({
    ...{ label, isNumber: true },
    text: (row: (typeof rows)[number]) => of(row) ?? words.noneShown,
    show: (row: (typeof rows)[number]) => {
      const decimal = of(row);
      if (decimal === null) return words.noneShown;
      return <span class={decimal.startsWith("-") ? "bad-text" : ""}>{showAmount(decimal)}</span>;
    },
  });
  return (
    <>
      <List
        title={words.reserves}
        name="reserves"
        rows={rows}
        denied={null}
        empty={words.noReserves}
        keyOf={({ asset }) => asset}
        columns={[
          { label: words.asset, show: ({ asset }) => asset, text: ({ asset }) => asset },
          amount(words.owed, ({ owed }) => owed),
          amount(words.held, ({ held }) => held),
          amount(words.surplus, ({ surplus }) => surplus),
        ]}
      />
      <p class="padded">{words.reservesAre(reserves.signed, reserves.said)}</p>
      <Facts rows={{ [words.reservesDigest]: <code>{reserves.digest}</code> }} />
    </>
  );
}
