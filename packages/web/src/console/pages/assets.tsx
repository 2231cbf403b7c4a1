/** Assets, their networks, and the terms of deposits and withdrawals. */
import type { ListedAsset, ListedNetwork } from "@pricetime/server/answers";
import type { Column } from "../../panels/data-table.tsx";
import { boundOf } from "../../exact/decimal.ts";
import { consoleAssets as words, consoleWords } from "../../words/words.ts";
import { type Context, useFetched } from "../context.ts";
import { ActionButtons, FetchedList, Heading, linked, List } from "../elements.tsx";
import { AllLimits } from "./withdrawal-limits.tsx";
import { Facts, Pane, plain } from "../../pages/pane.tsx";

const columns: readonly Column<ListedAsset>[] = [
  linked("assets", words.asset, ({ asset }) => asset),
  plain(words.name, ({ name }) => name),
  plain(words.precision, ({ precision }) => String(precision), true),
  plain(words.networks, ({ networks }) => networks.map(({ network }) => network).join(", ")),
  plain(words.turnedOff, ({ networks }) => networks.flatMap(closedWays).join(", ")),
];

function closedWays({ network, depositEnabled, withdrawEnabled }: ListedNetwork): string[] {
  return [
    ...(depositEnabled ? [] : [words.noDeposits(network)]),
    ...(withdrawEnabled ? [] : [words.noWithdrawals(network)]),
  ];
}

export function AssetsPage({ context }: { context: Context }) {
  return (
    <div class="page">
      <h1>{words.title}</h1>
      <ActionButtons context={context} page="assets" on="list" />
      <FetchedList
        {...{ context, columns }}
        path="/v1/assets"
        title={words.title}
        name="assets"
        keyOf={({ asset }) => asset}
        empty={words.none}
      />
      <AllLimits context={context} />
    </div>
  );
}

const yesNo = (value: boolean): string => (value ? consoleWords.yes : consoleWords.no);

const bound = (text: string): string => (boundOf(text) === null ? words.noBound : text);

const networkColumns: readonly Column<ListedNetwork>[] = [
  linked("networks", words.network, ({ network }) => network),
  plain(words.isDefault, ({ isDefault }) => yesNo(isDefault)),
  plain(words.deposits, ({ depositEnabled }) => yesNo(depositEnabled)),
  plain(words.withdrawals, ({ withdrawEnabled }) => yesNo(withdrawEnabled)),
  plain(words.fee, ({ withdrawFee }) => withdrawFee, true),
  plain(words.least, ({ withdrawMin }) => bound(withdrawMin), true),
  plain(words.most, ({ withdrawMax }) => bound(withdrawMax), true),
  plain(words.withdrawStep, ({ withdrawStep }) => withdrawStep ?? "", true),
  plain(words.depositStep, ({ depositStep }) => depositStep ?? "", true),
  plain(words.approvalAbove, ({ approvalAbove }) => approvalAbove ?? words.noBound, true),
  plain(words.confirmations, (row) => `${row.creditConfirmations ?? "—"} / ${row.finalConfirmations ?? "—"}`, true),
];

export function AssetPage({ context }: { context: Context }) {
  const asset = context.place.value.subject;
  const { value, denied } = useFetched<ListedAsset>(context, `/v1/assets/${encodeURIComponent(asset)}`);
  return (
    <div class="page">
      <Heading page="assets" title={words.title} of={asset} />
      <ActionButtons
        context={context}
        page="assets"
        on="one"
        given={{ asset }}
        now={{
          "PUT /v1/assets/{asset}/networks": value?.networks,
          "PUT /v1/assets/{asset}/withdrawal-limits": value?.withdrawalLimits ?? {},
        }}
      />
      <Pane title={asset} denied={denied}>
        {value !== null && <Facts rows={{ [words.name]: value.name, [words.precision]: String(value.precision) }} />}
      </Pane>
      <List
        context={context}
        title={words.networks}
        name={`${asset}-networks`}
        columns={networkColumns}
        denied={null}
        rows={value?.networks ?? null}
        keyOf={({ network }) => network}
        empty={words.noNetworks}
      />
      <AllLimits context={context} asset={asset} />
    </div>
  );
}
