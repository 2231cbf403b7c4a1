/** Components of account pages: the 2FA code field, and selections of asset, network and account. */
import { Button } from "../panels/controls.tsx";
import type { Signal } from "@preact/signals";
import { Choice, TotpField } from "../pages/form.tsx";
import { customerWords as words, LANGUAGE_NAMES, LANGUAGES } from "../words/words.ts";
import type { Context } from "./context.ts";
import type { Coin, CoinNetwork } from "@pricetime/protocol";
import { goTo, type PageName } from "./place.ts";

/** The field for a 2FA code. Renders nothing for accounts without two-factor authentication. */
export function CodeField({ context, id, code }: { context: Context; id: string; code: Signal<string> }) {
  if (context.profile.value?.hasTotp !== true) return null;
  return <TotpField id={id} label={words.code} value={code} />;
}

/** The request field with the 2FA code; absent if no code was typed. */
export const codeOf = (code: Signal<string>): { code?: string } =>
  code.value.trim() === "" ? {} : { code: code.value.replaceAll(/\s/g, "") };

/** How long a code is valid. Authenticator apps change codes at each full and half minute (RFC 6238). */
const CODE_LIFE_S = 30;

/** The number of seconds until authenticator apps show the next code. */
export const nextCodeInS = (nowMs: number): number => CODE_LIFE_S - (Math.floor(nowMs / 1000) % CODE_LIFE_S);

// The selected asset and network. They are part of the page's address, so that links and bookmarks include them.

interface CoinChoiceProps {
  readonly page: "deposit" | "withdraw";
  readonly coins: readonly Coin[];
  /** The selected asset; undefined if there are none. */
  readonly coin: Coin | undefined;
  readonly network: CoinNetwork | undefined;
  /** Whether an operator handles the network's transfers, such as those of a bank. */
  readonly isManual: boolean;
  readonly words: CoinChoiceWords;
}

type CoinChoiceWords = Readonly<Record<"coin" | "network" | "networkHelp" | "method", string>>;

export function CoinChoice({ page, coins, coin, network, isManual, words }: CoinChoiceProps) {
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
        label={isManual ? words.method : words.network}
        value={network?.network ?? ""}
        options={coin.networkList.map(({ network: id }) => [id, id])}
        onChoose={(id) => goTo(page, { coin: coin.coin, network: id })}
        {...(!isManual && { help: words.networkHelp })}
      />
    </div>
  );
}

/** Printed account numbers are grouped by spaces, which are not part of the number. */
export const typedAddress = (text: string, isManual: boolean): string =>
  isManual ? text.replaceAll(/\s/g, "") : text.trim();

// The account that a page shows: the customer's own or a sub-account. It is part of the page's address.

interface AccountChoiceProps {
  readonly context: Context;
  readonly page: PageName;
  readonly words: { readonly account: string; readonly own: string };
}

/** The account number in the page's address. */
export function chosenAccount(context: Context): number {
  return Number(context.place.value.params["account"] ?? context.session.value?.accountId ?? 0);
}

/** The selection of an account. Renders nothing if there are no sub-accounts. */
export function AccountChoice({ context, page, words }: AccountChoiceProps) {
  const subs = context.profile.value?.subAccounts ?? [];
  if (subs.length === 0) return null;
  const own = String(context.session.value?.accountId ?? 0);
  return (
    <div class="fields">
      <Choice
        id="account-choice"
        label={words.account}
        value={String(chosenAccount(context))}
        options={[[own, words.own], ...subs.map((one) => [String(one.accountId), one.email] as const)]}
        onChoose={(id) => goTo(page, { account: id })}
      />
    </div>
  );
}

/** The button that switches to the other language, which it names in that language. */
export function LanguageButton({ context }: { context: Context }) {
  const others = LANGUAGES.filter((one) => one !== context.language.value);
  return (
    <>
      {others.map((one) => (
        <Button key={one} class="quiet" lang={one} onClick={() => void context.chooseLanguage(one)}>
          {LANGUAGE_NAMES[one]}
        </Button>
      ))}
    </>
  );
}
