/** Names that an operator got wrong, or put in each other's place: the refusal says what there is. */
import type { EngineView } from "@pricetime/engine";
import { AdminRefusal } from "./answer.ts";

/** So many names are told; of more, those alone that are spelled most alike. */
const MOST_TOLD = 20;
const MOST_ALIKE = 3;
/** Beyond it a list is not searched for what is spelled alike. */
const MOST_COMPARED = 20_000;
const MOST_CHANGES = 2;
/** Longer names are not compared: what two of them cost grows with both lengths. */
const LONGEST_COMPARED = 40;

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

export function mostAlike(name: string, known: readonly string[]): string[] {
  const wanted = name.toLowerCase();
  if (wanted.length > LONGEST_COMPARED) return [];
  return known
    .slice(0, MOST_COMPARED)
    .filter((each) => Math.abs(each.length - wanted.length) <= MOST_CHANGES && each.length <= LONGEST_COMPARED)
    .map((each) => ({ each, changes: changesBetween(wanted, each.toLowerCase()) }))
    .filter(({ changes }) => changes <= MOST_CHANGES)
    .toSorted((a, b) => a.changes - b.changes)
    .slice(0, MOST_ALIKE)
    .map(({ each }) => each);
}

/** How many letters must be put in, left out or replaced. */
function changesBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
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
