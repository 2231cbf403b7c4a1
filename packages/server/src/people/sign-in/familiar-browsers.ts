/**
 * A browser in which a holder has signed in keeps a mark, signed by the node, that says so. It opens nothing: whoever has
 * it is only not held to what strangers have tried. Nothing of it is stored.
 */
import type { Holder } from "@pricetime/engine";
import type { LinkSecrets } from "../../platform/config/link-secrets.ts";
import type { Dice } from "../../platform/world/port.ts";
import { ID_AND_SECRET, isSameHash, newId } from "./tokens.ts";

/** A new mark of the holder: `<id>.<signature>`. */
export function newMark(links: LinkSecrets, holder: Holder, dice: Dice): string {
  const id = newId(dice);
  return `${id}.${links.secretOf("familiarBrowser", `${holder}:${id}`)}`;
}

/** The id of the browser; null when the mark is not one of this holder. */
export function browserOf(links: LinkSecrets, holder: Holder | undefined, mark: string | undefined): string | null {
  const [, id, signature] = ID_AND_SECRET.exec(mark ?? "") ?? [];
  if (holder === undefined || id === undefined || signature === undefined) return null;
  return isSameHash(signature, links.secretOf("familiarBrowser", `${holder}:${id}`)) ? id : null;
}
