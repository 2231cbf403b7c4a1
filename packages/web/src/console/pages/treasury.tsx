/** The page of the treasury: assets and liabilities recomputed from the journal, wallets on chains, and published proofs of liabilities. */
import type { Column } from "../../panels/data-table.tsx";
import { showAmount, showMoment, timeText } from "../../pages/format.ts";
import { consoleSays, consoleTreasury as words } from "../../words/words.ts";
import { Pane, plain } from "../../pages/pane.tsx";
import { type Desk, mayDo, useAsked } from "../context.ts";
import { ActionButtons, List } from "../elements.tsx";
import {
  type AssetCover,
  type AssetTreasury,
  coverOf,
  type HouseBalance,
  type NetworkHoldings,
  type ProofSummary,
  type Treasury,
  type WalletHolding,
} from "./treasury-data.ts";
import { useSignal } from "@preact/signals";
import { grouped } from "../../exact/shown.ts";
import { saveBlob } from "../../pages/browser.ts";
import { type Denied, deniedOf, refusalOf } from "../../pages/request.ts";
import { AdjustmentList } from "./account-lists.tsx";
import { CheckPane, ReservesPane } from "./proof-of-liabilities.tsx";

const amount = <Row,>(label: string, text: (row: Row) => string): Column<Row> => ({
  ...{ label, isNumber: true, text },
  show: (row) => showAmount(text(row)),
});

/** A column for an amount that should be zero, or not negative. `isBad` decides whether it is marked. */
const difference = <Row,>(
  text: (row: Row) => string,
  label: string,
  isBad: (amount: string) => boolean = (one) => one.startsWith("-"),
): Column<Row> => ({
  ...{ label, isNumber: true, text },
  show: (row) => <span class={isBad(text(row)) ? "bad-text" : "good-text"}>{showAmount(text(row))}</span>,
});

// Balances of the venue's wallets as the chains report them, beside the liabilities.

type Row = WalletHolding & { readonly network: string };

function WalletsPanes({ desk, treasury: { seq, assets, wallets } }: { desk: Desk; treasury: Treasury }) {
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

/** Networks that could not be queried. */
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

export function TreasuryPage({ desk }: { desk: Desk }) {
  const venue = useAsked<readonly HouseBalance[]>(desk, "/v1/house-accounts");
  const proofs = useAsked<readonly ProofSummary[]>(desk, "/v1/proofs");
  const [newest] = proofs.value ?? [];
  return (
    <div class="page">
      <h1>{words.title}</h1>
      <ActionButtons desk={desk} page="treasury" on="list" />
      <TreasuryPane desk={desk} />
      <div class="two">
        <List
          desk={desk}
          title={words.house}
          name="house-accounts"
          rows={venue.value}
          denied={venue.denied}
          columns={houseColumns}
          keyOf={({ account, asset }) => `${account} ${asset}`}
          empty={words.noHouse}
        />
        <List
          desk={desk}
          title={words.proofs}
          name="proofs"
          rows={proofs.value}
          denied={proofs.denied}
          columns={proofColumns(desk)}
          keyOf={({ seq }) => seq}
          empty={words.noProofs}
          whole={{ path: "/v1/proofs" }}
        />
      </div>
      {newest !== undefined && <ReservesPane desk={desk} newest={newest} />}
      <AdjustmentList desk={desk} title={words.adjustments} query={{}} />
      <CheckPane desk={desk} proofs={proofs.value ?? []} />
    </div>
  );
}

/** Loaded by a button, because it replays the journal. */
function TreasuryPane({ desk }: { desk: Desk }) {
  const told = useSignal<Treasury | null>(null);
  const denied = useSignal<Denied | null>(null);
  const isBusy = useSignal(false);
  const recompute = async (): Promise<void> => {
    isBusy.value = true;
    denied.value = null;
    try {
      told.value = await desk.admin.ask<Treasury>("GET", "/v1/treasury");
    } catch (error) {
      denied.value = deniedOf(error);
    }
    isBusy.value = false;
  };
  const button = (
    <button type="button" class="button" disabled={isBusy.value} onClick={() => void recompute()}>
      {isBusy.value ? words.recomputing : words.recompute}
    </button>
  );
  const { value } = told;
  if (value === null) {
    return (
      <Pane title={words.sums} denied={denied.value} tools={button}>
        <p class="nothing">{words.notComputed}</p>
      </Pane>
    );
  }
  return (
    <>
      <Pane title={words.sums} denied={denied.value} tools={button}>
        <p class={`headline ${value.isBalanced ? "good" : "bad"}`} role="status">
          {value.isBalanced ? words.balanced : words.notBalanced}{" "}
          <span class="muted">{words.asOf(grouped(String(value.seq)), showMoment(desk, value.timeMs))}</span>
        </p>
      </Pane>
      <List
        desk={desk}
        title={words.byAsset}
        name={`treasury-${value.seq}`}
        rows={value.assets}
        denied={null}
        columns={assetColumns}
        keyOf={({ asset }) => asset}
        empty={words.noAssets}
        whole={{ path: "/v1/treasury", query: { at: value.seq } }}
      />
      {value.wallets.length > 0 && <WalletsPanes desk={desk} treasury={value} />}
    </>
  );
}

const assetColumns: readonly Column<AssetTreasury>[] = [
  plain(words.asset, ({ asset }) => asset),
  // The first column, so that it is visible on narrow screens: it shows whether anything is wrong.
  difference(
    (row) => row.difference,
    words.difference,
    (text) => /[1-9]/.test(text),
  ),
  amount(words.customers, ({ customers }) => customers),
  amount(words.locked, ({ locked }) => locked),
  amount(words.leaving, ({ leaving }) => leaving),
  plain(words.holders, ({ holders }) => grouped(String(holders)), true),
  ...["fees", "treasury", "dust", "arriving"].map((name) =>
    amount<AssetTreasury>(words.houseNames[name] ?? name, ({ house }) => house[name] ?? ""),
  ),
  amount(words.net, ({ net }) => net),
];

const houseColumns: readonly Column<HouseBalance>[] = [
  plain(words.houseAccount, ({ account }) => words.houseNames[account] ?? account),
  plain(words.asset, ({ asset }) => asset),
  amount(words.free, ({ free }) => free),
];

const PUBLISH = "POST /v1/proofs/{seq}/publish";

function proofColumns(desk: Desk): Column<ProofSummary>[] {
  const save = async (seq: number): Promise<void> => {
    try {
      saveBlob(`proof-${seq}-public.jsonl`, await desk.admin.askFile(`/v1/proofs/${seq}`));
    } catch (error) {
      desk.say("bad", refusalOf(error));
    }
  };
  return [
    plain(words.number, ({ number }) => String(number), true),
    plain(words.entry, ({ seq }) => String(seq), true),
    { label: words.time, text: ({ timeMs }) => timeText(timeMs), show: ({ timeMs }) => showMoment(desk, timeMs) },
    {
      label: words.digest,
      text: ({ digest }) => digest,
      show: ({ digest }) => (
        <code class="address" title={digest}>
          {digest}
        </code>
      ),
    },
    {
      label: consoleSays.action,
      isActs: true,
      show: ({ seq, number, timeMs, digest }) => (
        <>
          <button type="button" class="link" aria-label={words.saveProof(seq)} onClick={() => void save(seq)}>
            {words.save}
          </button>{" "}
          <button
            type="button"
            class="link"
            aria-label={words.customerOf(seq)}
            onClick={() => {
              desk.wish.value = { key: "GET /v1/proofs/{seq}/accounts/{account}", given: { seq: String(seq) } };
            }}
          >
            {words.customer}
          </button>{" "}
          {mayDo(desk, PUBLISH) && (
            <button
              type="button"
              class="link"
              aria-label={words.publishOf(seq)}
              onClick={() => {
                const known = {
                  [words.number]: String(number),
                  [words.entry]: String(seq),
                  [words.time]: showMoment(desk, timeMs),
                  [words.digest]: digest,
                };
                desk.wish.value = { key: PUBLISH, given: { seq: String(seq) }, known };
              }}
            >
              {words.publish}
            </button>
          )}
        </>
      ),
    },
  ];
}
