/** Elements of account pages: the field of a 2FA code, the choice of asset and network, the choice of account, and long texts. */
import type { Signal } from "@preact/signals";
import { Choice, Field } from "../pages/form.tsx";
import { customerSays as words } from "../words/words.ts";
import type { Desk } from "./context.ts";
import type { Coin, Network } from "./api-types.ts";
import { goTo, type PageName } from "./place.ts";

/** Drawn for accounts that have one. */
export function CodeField({ desk, id, code }: { desk: Desk; id: string; code: Signal<string> }) {
  if (desk.profile.value?.hasTotp !== true) return null;
  return <Field id={id} label={words.code} value={code} inputMode="numeric" autocomplete="one-time-code" />;
}

/** As requests carry it: absent where none was typed. */
export const codeOf = (code: Signal<string>): { code?: string } =>
  code.value.trim() === "" ? {} : { code: code.value.replaceAll(/\s/g, "") };

/** Apps change their codes at the full and the half minute (RFC 6238). */
const CODE_LIFE_S = 30;

/** How long the code that an app shows stands there yet. */
export const nextCodeInS = (nowMs: number): number => CODE_LIFE_S - (Math.floor(nowMs / 1000) % CODE_LIFE_S);

// The address of the page contains the asset and the network, so that links and bookmarks lead to them.

interface CoinChoiceProps {
  readonly page: "deposit" | "withdraw";
  readonly coins: readonly Coin[];
  /** Undefined: there are none. */
  readonly coin: Coin | undefined;
  readonly network: Network | undefined;
  readonly words: { readonly coin: string; readonly network: string; readonly networkHelp: string };
}

export function CoinChoice({ page, coins, coin, network, words }: CoinChoiceProps) {
  if (coin === undefined) return null;
  return (
    <div class="padded fields">
      <Choice
        id="coin"
        label={words.coin}
        value={coin.coin}
        options={coins.map(({ coin: id, name }) => [id, name === id ? id : `${id} · ${name}`])}
        onChoose={(id) => goTo(page, { coin: id })}
      />
      <Choice
        id="network"
        label={words.network}
        value={network?.network ?? ""}
        options={coin.networkList.map(({ network: id }) => [id, id])}
        onChoose={(id) => goTo(page, { coin: coin.coin, network: id })}
        help={words.networkHelp}
      />
    </div>
  );
}

// The account that a page shows, the customer's own or a sub-account, is part of the page's address.

interface AccountChoiceProps {
  readonly desk: Desk;
  readonly page: PageName;
  readonly words: { readonly account: string; readonly own: string };
}

/** The number of the account that the place names. */
export function chosenAccount(desk: Desk): number {
  return Number(desk.place.value.asked["account"] ?? desk.session.value?.accountId ?? 0);
}

/** Nothing where there are no sub-accounts. */
export function AccountChoice({ desk, page, words }: AccountChoiceProps) {
  const subs = desk.profile.value?.subAccounts ?? [];
  if (subs.length === 0) return null;
  const own = String(desk.session.value?.accountId ?? 0);
  return (
    <div class="fields">
      <Choice
        id="account-choice"
        label={words.account}
        value={String(chosenAccount(desk))}
        options={[[own, words.own], ...subs.map((one) => [String(one.accountId), one.email] as const)]}
        onChoose={(id) => goTo(page, { account: id })}
      />
    </div>
  );
}

/** A long text of somebody else, such as an address: whole for whoever selects it, cut where it has no room. */
export function Long({ text }: { text: string }) {
  return (
    <code class="address" title={text}>
      {text}
    </code>
  );
}
