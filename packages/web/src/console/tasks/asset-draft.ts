/** A new asset as typed, with its networks, and the request to list it. */
import { compare, parseDecimal } from "../../exact/decimal.ts";
import { consoleListAsset as words, consoleSteps } from "../../words/words.ts";

export const MONEY_FIELDS = ["fee", "least", "step", "approvalAbove"] as const;
export const CHAIN_FIELDS = ["confirmations", "finality"] as const;
export type NetworkField = (typeof MONEY_FIELDS)[number] | (typeof CHAIN_FIELDS)[number];
type NetworkDraft = Readonly<Record<NetworkField, string>>;

export const NEW_NETWORK: NetworkDraft = {
  ...{ fee: "0", least: "", step: "", approvalAbove: "", confirmations: "", finality: "" },
};

export interface AssetDraft {
  readonly asset: string;
  /** Null: the suggested name. */
  readonly name: string | null;
  readonly precision: string;
  /** The chosen networks, in the order in which they were chosen; the first one is the default. */
  readonly networks: Readonly<Record<string, NetworkDraft>>;
}

export const NEW_ASSET: AssetDraft = { asset: "", name: null, precision: "8", networks: {} };

export const nameOf = ({ asset, name }: AssetDraft): string => name ?? words.names[asset] ?? "";

const MOST_DECIMALS = 8;

export function assetProblem(draft: AssetDraft, listed: readonly string[]): string {
  const { asset, precision } = draft;
  if (!/^[A-Z0-9]{1,20}$/.test(asset)) return words.badCode;
  if (listed.includes(asset)) return words.taken(asset);
  if (nameOf(draft).trim() === "") return consoleSteps.missing(words.name);
  return /^\d$/.test(precision.trim()) && Number(precision) <= MOST_DECIMALS ? "" : words.badDecimals;
}

export function networksProblem({ networks }: AssetDraft): string {
  for (const [network, draft] of Object.entries(networks)) {
    const money = MONEY_FIELDS.find((name) => draft[name].trim() !== "" && !isAmount(draft[name]));
    const chain = CHAIN_FIELDS.find((name) => draft[name].trim() !== "" && !/^[1-9]\d{0,5}$/.test(draft[name].trim()));
    const bad = money ?? chain;
    if (bad !== undefined) return consoleSteps.notNumber(words.onNetwork(words[bad], network));
  }
  return "";
}

function isAmount(text: string): boolean {
  const value = parseDecimal(text.trim());
  return value !== null && value.units >= 0n;
}

/** Warnings about networks that are valid but rarely intended. */
export function networkWarnings({ networks }: AssetDraft): string[] {
  const all = Object.entries(networks);
  if (all.length === 0) return [words.warnings.noNetwork];
  return all.flatMap(([network, { fee, least, approvalAbove }]) => {
    const [paid, minimum] = [parseDecimal(fee.trim()), parseDecimal(least.trim())];
    return [
      ...(paid === null || paid.units === 0n ? [words.warnings.noFee(network)] : []),
      ...(paid !== null && minimum !== null && compare(minimum, paid) <= 0
        ? [words.warnings.leastBelowFee(network)]
        : []),
      ...(approvalAbove.trim() === "" ? [words.warnings.noApproval(network)] : []),
    ];
  });
}

/** The body of the request that lists the asset. */
export function assetBody(draft: AssetDraft): object {
  const networks = Object.entries(draft.networks).map(([network, typed], place) => networkBody(network, typed, place));
  return { asset: draft.asset, name: nameOf(draft).trim(), precision: Number(draft.precision), networks };
}

/** Empty fields are omitted, so that they have the defaults of the network. */
function networkBody(network: string, typed: NetworkDraft, place: number): object {
  const text = (name: NetworkField, ...fields: string[]): object => {
    const value = typed[name].trim();
    return value === "" ? {} : Object.fromEntries(fields.map((field) => [field, value]));
  };
  const whole = (name: NetworkField, field: string): object => {
    const value = typed[name].trim();
    return value === "" ? {} : { [field]: Number(value) };
  };
  return {
    ...{ network, isDefault: place === 0 },
    ...text("fee", "withdrawFee"),
    ...text("least", "withdrawMin"),
    ...text("step", "withdrawStep", "depositStep"),
    ...text("approvalAbove", "approvalAbove"),
    ...whole("confirmations", "creditConfirmations"),
    ...whole("finality", "finalConfirmations"),
  };
}
