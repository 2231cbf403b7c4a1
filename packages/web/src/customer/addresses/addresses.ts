/** The account's book of addresses. */
import type { Asked } from "../../pages/keep-asking.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import type { AddressRow } from "../wire/account.ts";

export function useAddresses(desk: Desk): Asked<readonly AddressRow[]> {
  return useAsked(desk, "addresses", (wire) => wire.account<readonly AddressRow[]>("GET", "addresses"));
}
