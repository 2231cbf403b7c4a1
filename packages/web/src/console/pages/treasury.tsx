/**
 * The treasury page: assets and liabilities recomputed from the journal, wallets on chains, and published proofs of
 * liabilities.
 */
import type {
  AssetTreasury,
  HouseBalance,
  NetworkHoldings,
  ProofSummary,
  Treasury,
  WalletHolding,
} from "@pricetime/server/answers";
import { saveBlob } from "../../panels/save-table.ts";
import { Button } from "../../panels/controls.tsx";
import type { Column } from "../../panels/data-table.tsx";
import { showAmount, showMoment } from "../../pages/format.ts";
import { consoleWords, consoleTreasury as words } from "../../words/words.ts";
import { amount, long, moment, Pane, plain } from "../../pages/pane.tsx";
import { type Context, type OpenForm, useFetched } from "../context.ts";
import { ActionButtons, FormButton, List } from "../elements.tsx";
import { type AssetCover, coverOf } from "./treasury-data.ts";
import { useSignal } from "@preact/signals";
import { grouped } from "../../exact/shown.ts";
import { type Denied, deniedOf, refusalOf } from "../../pages/request.ts";
import { AdjustmentList } from "./account-lists.tsx";
import { CheckPane, ReservesPane } from "./proof-of-liabilities.tsx";

/** A column for an amount that should be zero or not negative. If `isBad` returns true, it is marked. */
const difference = <Row,>(
  text: (row: Row) => string,
  label: string,
  isBad: (amount: string) => boolean = (one) => one.startsWith("-"),
): Column<Row> => ({
  ...{ label, isNumber: true, text },
  show: (row) => <span class={isBad(text(row)) ? "bad-text" : "good-text"}>{showAmount(text(row))}</span>,
});

// Balances of the venue's wallets on the chains, compared with the liabilities.

type Row = WalletHolding & { readonly network: string };

function WalletsPanes({ context, treasury: { seq, assets, wallets } }: { context: Context; treasury: Treasury }) {
  const rows = wallets.flatMap(({ network, wallets: all }) => (all ?? []).map((one) => ({ network, ...one })));
  return (
    <>
      <List
        context={context}
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
        context={context}
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

/** A warning about networks that could not be queried. */
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
  long(words.address, ({ address }) => address),
];

export function TreasuryPage({ context }: { context: Context }) {
  const venue = useFetched<readonly HouseBalance[]>(context, "/v1/house-accounts");
  const proofs = useFetched<readonly ProofSummary[]>(context, "/v1/proofs");
  const [newest] = proofs.value ?? [];
  return (
    <div class="page">
      <h1>{words.title}</h1>
      <ActionButtons context={context} page="treasury" on="list" />
      <TreasuryPane context={context} />
      <div class="two">
        <List
          context={context}
          title={words.house}
          name="house-accounts"
          rows={venue.value}
          denied={venue.denied}
          columns={houseColumns}
          keyOf={({ account, asset }) => `${account} ${asset}`}
          empty={words.noHouse}
        />
        <List
          context={context}
          title={words.proofs}
          name="proofs"
          rows={proofs.value}
          denied={proofs.denied}
          columns={proofColumns(context)}
          keyOf={({ seq }) => seq}
          empty={words.noProofs}
          whole={{ path: "/v1/proofs" }}
        />
      </div>
      {newest !== undefined && <ReservesPane context={context} newest={newest} />}
      <AdjustmentList context={context} title={words.adjustments} query={{}} />
      <CheckPane context={context} proofs={proofs.value ?? []} />
    </div>
  );
}

/** The treasury, computed from the journal. It is loaded by a button, because that replays the journal. */
function TreasuryPane({ context }: { context: Context }) {
  const loaded = useSignal<Treasury | null>(null);
  const denied = useSignal<Denied | null>(null);
  const isBusy = useSignal(false);
  const recompute = async (): Promise<void> => {
    isBusy.value = true;
    denied.value = null;
    try {
      loaded.value = await context.admin.ask<Treasury>("GET", "/v1/treasury");
    } catch (error) {
      denied.value = deniedOf(error);
    }
    isBusy.value = false;
  };
  const button = (
    <Button disabled={isBusy.value} onClick={() => void recompute()}>
      {isBusy.value ? words.recomputing : words.recompute}
    </Button>
  );
  const { value } = loaded;
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
          <span class="muted">{words.asOf(grouped(String(value.seq)), showMoment(context, value.timeMs))}</span>
        </p>
      </Pane>
      <List
        context={context}
        title={words.byAsset}
        name={`treasury-${value.seq}`}
        rows={value.assets}
        denied={null}
        columns={assetColumns}
        keyOf={({ asset }) => asset}
        empty={words.noAssets}
        whole={{ path: "/v1/treasury", query: { at: value.seq } }}
      />
      {value.wallets.length > 0 && <WalletsPanes context={context} treasury={value} />}
    </>
  );
}

const assetColumns: readonly Column<AssetTreasury>[] = [
  plain(words.asset, ({ asset }) => asset),
  // The first column, so that differences are visible on narrow screens.
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

const CUSTOMER_PART = "GET /v1/proofs/{seq}/accounts/{account}";

function publishing(context: Context, { seq, number, timeMs, digest }: ProofSummary): OpenForm {
  const known = {
    [words.number]: String(number),
    [words.entry]: String(seq),
    [words.time]: showMoment(context, timeMs),
    [words.digest]: digest,
  };
  return { key: "POST /v1/proofs/{seq}/publish", given: { seq: String(seq) }, known };
}

function proofColumns(context: Context): Column<ProofSummary>[] {
  const save = async (seq: number): Promise<void> => {
    try {
      saveBlob(`proof-${seq}-public.jsonl`, await context.admin.askFile(`/v1/proofs/${seq}`));
    } catch (error) {
      context.notify("bad", refusalOf(error));
    }
  };
  return [
    plain(words.number, ({ number }) => String(number), true),
    plain(words.entry, ({ seq }) => String(seq), true),
    moment(context, words.time, ({ timeMs }) => timeMs),
    long(words.digest, ({ digest }) => digest),
    {
      label: consoleWords.action,
      isActions: true,
      show: (row) => (
        <>
          <Button class="link" aria-label={words.saveProof(row.seq)} onClick={() => void save(row.seq)}>
            {words.save}
          </Button>{" "}
          <Button
            class="link"
            aria-label={words.customerOf(row.seq)}
            onClick={() => (context.openForm.value = { key: CUSTOMER_PART, given: { seq: String(row.seq) } })}
          >
            {words.customer}
          </Button>{" "}
          <FormButton context={context} form={publishing(context, row)} label={words.publishOf(row.seq)}>
            {words.publish}
          </FormButton>
        </>
      ),
    },
  ];
}
