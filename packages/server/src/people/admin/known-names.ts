/** Rejections of unknown names, with the names that exist. */
import type { EngineView } from "@pricetime/engine";
import { mostAlike } from "../../platform/config/alike.ts";
import { AdminRefusal } from "./answer.ts";

/** The most names that are listed; of more, only those spelled most alike. */
const MOST_TOLD = 20;

/** For example `There is no network USDT. Available: BTC and ETH.`; `more` is another sentence. */
export function unknownName(
  code: string,
  what: string,
  name: string,
  known: readonly string[],
  more = "",
): AdminRefusal {
  const sentences = [`There is no ${what} ${name}.`, whatThereIs(name, known), more].filter((part) => part !== "");
  return new AdminRefusal(404, code, sentences.join(" "));
}

export function whatThereIs(name: string, known: readonly string[]): string {
  if (known.length === 0) return "None exist.";
  if (known.length <= MOST_TOLD) return `Available: ${inWords(known)}.`;
  const alike = mostAlike(name, known);
  return alike.length === 0 ? `${known.length} exist.` : `Did you mean ${inWords(alike)}?`;
}

export function inWords(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

/** A network with the assets that move on it, such as `ETH (USDT, ETH)`. */
export function withAssets(view: Pick<EngineView, "assets">, network: string): string {
  const assets = view.assets().filter(({ spec }) => spec.networks.some((on) => on.network === network));
  return assets.length === 0 ? network : `${network} (${assets.map(({ spec }) => spec.asset).join(", ")})`;
}

/** Names the networks of an asset whose name was sent instead of a network's; "" for any other name. */
export function asAsset(view: Pick<EngineView, "assets">, name: string): string {
  const networks = view.assets().find(({ spec }) => spec.asset === name)?.spec.networks;
  if (networks === undefined) return "";
  const where =
    networks.length === 0 ? "It has no network" : `Its networks: ${inWords(networks.map((on) => on.network))}`;
  return `${name} is an asset. ${where}.`;
}
