/** Lists an asset with the networks by which customers deposit and withdraw it. */
import type { ListedAsset, NetworkState } from "@pricetime/server/answers";
import { type Signal, useSignal } from "@preact/signals";
import { Tick } from "../../panels/controls.tsx";
import { AmountField, Field } from "../../pages/form.tsx";
import { Facts } from "../../pages/pane.tsx";
import { grouped } from "../../exact/shown.ts";
import { consoleListAsset as words } from "../../words/words.ts";
import { useFetched } from "../context.ts";
import { goTo } from "../place.ts";
import {
  type AssetDraft,
  assetBody,
  assetProblem,
  CHAIN_FIELDS,
  MONEY_FIELDS,
  nameOf,
  NEW_ASSET,
  NEW_NETWORK,
  type NetworkField,
  networksProblem,
  networkWarnings,
} from "./asset-draft.ts";
import { type Step, StepsWindow } from "./steps.tsx";
import { Part, type TaskProps } from "./task-window.tsx";
import { cell } from "./typed-text.ts";

export function ListAsset(props: TaskProps) {
  const { context } = props;
  const draft = useSignal(NEW_ASSET);
  const listed = useFetched<readonly ListedAsset[]>(context, "/v1/assets").value ?? [];
  const networks = useFetched<readonly NetworkState[]>(context, "/v1/networks").value;
  const now = draft.value;
  const codes = listed.map(({ asset }) => asset);
  const steps: Step[] = [
    { name: words.steps.asset, check: () => assetProblem(now, codes), children: <AssetFields draft={draft} /> },
    {
      name: words.steps.networks,
      check: () => networksProblem(now),
      children: <Networks draft={draft} networks={networks ?? []} />,
    },
    { name: words.steps.review, check: () => "", children: <Review draft={now} networks={networks ?? []} /> },
  ];
  return (
    <StepsWindow
      {...props}
      title={words.title}
      steps={steps}
      request={() => ({ body: assetBody(now) })}
      onDone={() => goTo({ page: "assets", subject: now.asset })}
    />
  );
}

interface DraftProps {
  readonly draft: Signal<AssetDraft>;
}

function AssetFields({ draft }: DraftProps) {
  const now = draft.value;
  return (
    <>
      <Field
        id="asset-code"
        label={words.code}
        value={cell(now.asset, (asset) => (draft.value = { ...now, asset: asset.trim().toUpperCase() }))}
        help={words.codeHelp}
      />
      <Field id="asset-name" label={words.name} value={cell(nameOf(now), (name) => (draft.value = { ...now, name }))} />
      <Field
        id="asset-decimals"
        label={words.decimals}
        value={cell(now.precision, (precision) => (draft.value = { ...now, precision }))}
        inputMode="numeric"
        help={words.decimalsHelp}
      />
    </>
  );
}

const MANUAL = "manual";

/** The asset's own network first, then banks, because other chains rarely carry the asset. */
const rank = ({ network, kind }: NetworkState, asset: string): number =>
  network === asset ? 0 : kind === MANUAL ? 1 : 2;

function Networks({ draft, networks }: DraftProps & { networks: readonly NetworkState[] }) {
  const now = draft.value;
  if (networks.length === 0) return <p class="warned">{words.noNetworks}</p>;
  const choose = (network: string, isOn: boolean): void => {
    const { [network]: _removed, ...others } = now.networks;
    draft.value = { ...now, networks: isOn ? { ...others, [network]: NEW_NETWORK } : others };
  };
  return (
    <>
      <p class="muted">{words.networksHelp}</p>
      {[...networks]
        .sort((one, other) => rank(one, now.asset) - rank(other, now.asset))
        .map(({ network, kind }) => (
          <div key={network} class="task-part">
            <Tick isOn={network in now.networks} onTick={(isOn) => choose(network, isOn)}>
              {words.use(network, words.kinds[kind] ?? kind)}
            </Tick>
            {network in now.networks && <NetworkFields draft={draft} network={network} kind={kind} />}
          </div>
        ))}
    </>
  );
}

const HELP: Partial<Readonly<Record<NetworkField, string>>> = {
  step: words.stepHelp,
  approvalAbove: words.approvalHelp,
  confirmations: words.confirmationsHelp,
};

function NetworkFields({ draft, network, kind }: DraftProps & { network: string; kind: string }) {
  const now = draft.value;
  const typed = now.networks[network] ?? NEW_NETWORK;
  const set = (name: NetworkField) => (text: string) => {
    draft.value = { ...now, networks: { ...now.networks, [network]: { ...typed, [name]: text } } };
  };
  // Operators confirm the payments of a manual network themselves.
  const names = kind === MANUAL ? MONEY_FIELDS : [...MONEY_FIELDS, ...CHAIN_FIELDS];
  return (
    <div class="pairs">
      {names.map((name) => {
        const field = { id: `network-${network}-${name}`, value: cell(typed[name], set(name)), help: HELP[name] };
        return CHAIN_FIELDS.some((one) => one === name) ? (
          <Field key={name} {...field} label={words[name]} inputMode="numeric" />
        ) : (
          <AmountField key={name} {...field} label={`${words[name]} (${now.asset})`} />
        );
      })}
    </div>
  );
}

function Review({ draft, networks }: { draft: AssetDraft; networks: readonly NetworkState[] }) {
  const kindOf = (network: string): string => networks.find((one) => one.network === network)?.kind ?? "";
  const rows = Object.entries(draft.networks).flatMap(([network, { fee, least, step, confirmations }]) => [
    [
      words.deposit(network),
      kindOf(network) === MANUAL ? words.byOperator : words.creditedAfter(confirmations.trim()),
    ] as const,
    [
      words.withdraw(network),
      words.feeAnd(grouped(fee.trim() || "0"), grouped(least.trim()), step.trim(), draft.asset),
    ] as const,
  ]);
  const approvals = Object.entries(draft.networks).filter(([, { approvalAbove }]) => approvalAbove.trim() !== "");
  return (
    <>
      <Part title={words.preview}>
        <Facts
          rows={{
            [words.code]: <b>{draft.asset}</b>,
            [words.name]: nameOf(draft),
            [words.decimals]: draft.precision,
            ...Object.fromEntries(rows),
          }}
        />
        {rows.length === 0 && <p class="muted">{words.nothing}</p>}
      </Part>
      {approvals.length > 0 && (
        <Part title={words.approvals}>
          <Facts
            rows={Object.fromEntries(
              approvals.map(([network, { approvalAbove }]) => [
                network,
                words.above(grouped(approvalAbove.trim()), draft.asset),
              ]),
            )}
          />
        </Part>
      )}
      {networkWarnings(draft).map((text) => (
        <p key={text} class="warned">
          {text}
        </p>
      ))}
    </>
  );
}
