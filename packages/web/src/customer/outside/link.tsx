/** A letter's link: its id and secret as they came, and what the node says of it. */
import { useMemo } from "preact/hooks";
import { DeniedText } from "../../pages/denied-text.tsx";
import { customerOutside as words } from "../../words/words.ts";
import type { Asked } from "../../pages/keep-asking.ts";
import type { Desk } from "../desk.ts";

export interface LetterLink {
  readonly id: string;
  readonly secret: string;
}

/** Null: the address has none, as when the page was loaded again. */
export function useLink(desk: Desk): LetterLink | null {
  const { asked } = desk.place.value;
  return useMemo(() => {
    const { id = "", secret = "" } = asked;
    return id === "" || secret === "" ? null : { id, secret };
  }, [asked]);
}

export function NoLink() {
  return <p class="warned">{words.noLink}</p>;
}

/** While the node is asked what the link is, and where it knows of none. */
export function Looking({ looked: { denied } }: { looked: Asked<unknown> }) {
  return denied === null ? <p class="muted">{words.looking}</p> : <DeniedText denied={denied} />;
}
