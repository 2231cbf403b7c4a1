/** What chains say that the venue's wallets hold, beside what is owed. */
import type { Column } from "../../panels/data-table.tsx";
import { consoleTreasury as words } from "../../words/words.ts";
import { Pane } from "../../pages/pane.tsx";
import type { Desk } from "../desk.ts";
import { plain } from "../../pages/columns.ts";
import { List } from "../draw/list.tsx";
import { amount, difference } from "./amounts.tsx";
import { type AssetCover, coverOf } from "./cover.ts";
import type { NetworkHoldings, Treasury, WalletHolding } from "./treasury.ts";

type Row = WalletHolding & { readonly network: string };

export function WalletsPanes({ desk, treasury: { seq, assets, wallets } }: { desk: Desk; treasury: Treasury }) {
  const rows = wallets.flatMap(({ network, wallets: all }) => (all ?? []).map((one) => ({ network, ...one })));
  return (
    <>
      <List
        desk={desk}
        title={words.cover}
        name={`cover-${seq}`}
        rows={coverOf(assets, wallets)}
        denied={null}
        columns={coverColumns}
        keyOf={({ asset }) => asset}
        empty={words.noCover}
        more={<p class="nothing">{words.coverHelp}</p>}
      />
      <List
        desk={desk}
        title={words.wallets}
        name={`wallets-${seq}`}
        rows={rows}
        denied={null}
        columns={walletColumns}
        keyOf={({ network, address, asset, wallet }) => `${network} ${wallet} ${address} ${asset}`}
        empty={words.noWallets}
      />
      <Silent networks={wallets} />
    </>
  );
}

/** Networks that could not be asked. */
function Silent({ networks }: { networks: readonly NetworkHoldings[] }) {
  const silent = networks.filter(({ wallets }) => wallets === null);
  if (silent.length === 0) return null;
  return (
    <Pane title={words.silentNetworks}>
      <ul class="padded">
        {silent.map(({ network, error }) => (
          <li key={network}>
            {network}: {error}
          </li>
        ))}
      </ul>
    </Pane>
  );
}

const coverColumns: readonly Column<AssetCover>[] = [
  plain(words.asset, ({ asset }) => asset),
  difference(({ difference: text }) => text, words.hotLessOwed),
  amount(words.hot, ({ hot }) => hot),
  amount(words.owed, ({ owed }) => owed),
];

const walletColumns: readonly Column<Row>[] = [
  plain(words.network, ({ network }) => network),
  plain(words.wallet, ({ wallet }) => words.walletNames[wallet]),
  plain(words.asset, ({ asset }) => asset),
  amount(words.amount, (row) => row.amount),
  {
    label: words.address,
    text: ({ address }) => address,
    show: ({ address }) => (
      <code class="address" title={address}>
        {address}
      </code>
    ),
  },
];
