/** Names that an operator got wrong, or put in each other's place: the refusal says what there is. */
import type { EngineView } from "@pricetime/engine";
import { mostAlike } from "../config/alike.ts";
import { AdminRefusal } from "./answer.ts";

/** So many names are told; of more, those alone that are spelled most alike. */
const MOST_TOLD = 20;

/** As `There is no network USDT. There are BTC and ETH.`; `more` is another sentence. */
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
  if (known.length === 0) return "There are none.";
  if (known.length <= MOST_TOLD) return `There ${known.length === 1 ? "is" : "are"} ${inWords(known)}.`;
  const alike = mostAlike(name, known);
  return alike.length === 0 ? `There are ${known.length}.` : `Spelled alike: ${inWords(alike)}.`;
}

export function inWords(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

/** A network with what moves on it, as `ETH (USDT, ETH)`. */
export function withAssets(view: Pick<EngineView, "assets">, network: string): string {
  const assets = view.assets().filter(({ spec }) => spec.networks.some((on) => on.network === network));
  return assets.length === 0 ? network : `${network} (${assets.map(({ spec }) => spec.asset).join(", ")})`;
}

/** What a name is in truth that was given for a network: where an asset of this name moves. "" when it is none. */
export function asAsset(view: Pick<EngineView, "assets">, name: string): string {
  const networks = view.assets().find(({ spec }) => spec.asset === name)?.spec.networks;
  if (networks === undefined) return "";
  const moves = networks.length === 0 ? "moves on no network" : `moves on ${inWords(networks.map((on) => on.network))}`;
  return `${name} is an asset, which ${moves}.`;
}
