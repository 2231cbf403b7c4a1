/**
 * State shared by all account pages, and data that several pages request: assets, markets, addresses, demo accounts.
 */
import type { Query } from "../wire/world.ts";
import { type ReadonlySignal, type Signal, useSignal } from "@preact/signals";
import type { NoticeBoard } from "../pages/frame.tsx";
import type { Language } from "../words/words.ts";
import type { Preferences } from "../preferences.ts";
import type { Place } from "./place.ts";
import type { Outcome } from "./proof-check.ts";
import type { AddressRow, ManualNetwork, Profile, Session, Steps } from "@pricetime/server/answers";
import type { Coin, CoinNetwork, ExchangeInfo, SymbolInfo } from "@pricetime/protocol";
import type { Wire } from "./client.ts";
import { useEffect, useRef } from "preact/hooks";
import { answerTo, type Fetched, poll, type LastFetched, NO_ANSWER } from "../pages/page-data.ts";
import { questionOf, deniedOf } from "../pages/request.ts";

export interface Context extends NoticeBoard {
  readonly wire: Wire;
  /** Null if nobody is signed in; undefined until that is known. */
  readonly session: Signal<Session | null | undefined>;
  /** The customer's profile; null until it is loaded. */
  readonly profile: Signal<Profile | null>;
  /** Why the session ended, for the sign-in page; "" if there is nothing to show. */
  readonly signOutReason: Signal<string>;
  readonly place: ReadonlySignal<Place>;
  readonly preferences: Preferences;
  readonly language: ReadonlySignal<Language>;
  /** Shows all texts in another language, and remembers the choice. The promise never rejects. */
  chooseLanguage(language: Language): Promise<void>;
  /** The number of completed actions. Pages fetch their data again when this number or that of events increases. */
  readonly done: Signal<number>;
  /** The number of updates by events of the account's stream. */
  readonly events: ReadonlySignal<number>;
  readonly nowMs: ReadonlySignal<number>;
  /** The result of verifying the account's part of the proof of liabilities; null during the verification. */
  readonly proof: Signal<Outcome | null>;
  /** Verifies the proof of liabilities again. The promise never rejects. */
  checkProof(): Promise<void>;
  /** Loads the session after a sign-in. The promise never rejects. */
  enter(): Promise<void>;
  /** Signs out. The promise never rejects. */
  leave(): Promise<void>;
}

// A page's data is fetched when the page opens, after each action, and after each event of the account's stream.

interface Options {
  /** If absent, the data is fetched again only after actions and events. */
  readonly everyMs?: number;
  /** If true, the data is not fetched again after actions and events: it is expensive, or never changes. */
  readonly isStill?: boolean;
}

/**
 * `of` identifies the requested data, so that responses to other requests are not shown. If it is null, no request is
 * sent.
 */
export function useFetched<Value>(
  context: Context,
  of: string | null,
  ask: (wire: Wire) => Promise<Value>,
  { everyMs, isStill = false }: Options = {},
): Fetched<Value> {
  const state = useSignal<LastFetched<Value>>(NO_ANSWER);
  const done = isStill ? 0 : context.done.value + context.events.value;
  // Each rendering passes a new function for the same request.
  const asking = useRef(ask);
  asking.current = ask;
  useEffect(() => {
    if (of === null) return undefined;
    return poll(() => asking.current(context.wire), of, everyMs, state);
  }, [context, of, everyMs, state, done]);
  return answerTo(state.value, of);
}

interface RequestOptions extends Options {
  readonly query?: Query;
}

/** The account API's response to a GET request. `path` is relative to `/account/v1/`. */
export function useAccount<Value>(
  context: Context,
  path: string,
  { query = {}, ...options }: RequestOptions = {},
): Fetched<Value> {
  const ask = (wire: Wire): Promise<Value> => wire.account<Value>("GET", path, { query });
  return useFetched(context, path + questionOf(query), ask, options);
}

/** The exchange API's response to a GET request. If `path` is null, no request is sent. */
export function useExchange<Value>(
  context: Context,
  path: string | null,
  { query = {}, ...options }: RequestOptions = {},
): Fetched<Value> {
  const ask = (wire: Wire): Promise<Value> => wire.exchange<Value>("GET", path ?? "", query);
  return useFetched(context, path === null ? null : path + questionOf(query), ask, options);
}

/** Shows a notice that an action was carried out, and makes the pages fetch their data again. */
export function notifyDone({ notify, done }: Pick<Context, "notify" | "done">, text: string): void {
  notify("good", text);
  done.value++;
}

/** Returns a function that runs an action. `good` is the notice shown on success. */
export function useAction(context: Context): (good: string, run: () => Promise<unknown>) => void {
  // The promise never rejects.
  const runAction = async (good: string, run: () => Promise<unknown>): Promise<void> => {
    try {
      await run();
      context.notify("good", good);
    } catch (error) {
      context.notify("bad", deniedOf(error).message);
    }
    context.done.value++;
  };
  return (good, run) => void runAction(good, run);
}

// The venue's assets with the account's balances, and the selected asset and network.

export function useCoins(context: Context): Fetched<readonly Coin[]> {
  return useExchange(context, "/sapi/v1/capital/config/getall");
}

export function useSymbols(context: Context): Fetched<readonly SymbolInfo[]> {
  const { value, denied } = useExchange<ExchangeInfo>(context, "/api/v3/exchangeInfo", { isStill: true });
  return { value: value?.symbols ?? null, denied };
}

/** The amount step of deposits or withdrawals on a network; undefined if the network does not define one. */
export type StepOf = (way: "depositStep" | "withdrawStep", coin: string, network: string) => string | undefined;

export function useSteps(context: Context): StepOf {
  const { value } = useAccount<readonly Steps[]>(context, "steps", { isStill: true });
  return (way, coin, network) => value?.find((one) => one.asset === coin && one.network === network)?.[way];
}

/** The networks whose transfers an operator handles, such as a bank; null until they are known. */
export function useManualNetworks(context: Context): readonly ManualNetwork[] | null {
  return useAccount<readonly ManualNetwork[]>(context, "manual-networks", { isStill: true }).value;
}

/** The selected asset, or the first for which `isWanted` is true. */
export function chosenOf(
  coins: readonly Coin[],
  chosen: string,
  isWanted: (network: CoinNetwork) => boolean,
): Coin | undefined {
  return (
    coins.find(({ coin }) => coin === chosen) ?? coins.find(({ networkList }) => networkList.some(isWanted)) ?? coins[0]
  );
}

/** The selected network if it exists, otherwise the default network, otherwise any. */
export function networkOf(coin: Coin | undefined, chosen: string): CoinNetwork | undefined {
  const list = coin?.networkList ?? [];
  return list.find(({ network }) => network === chosen) ?? list.find(({ isDefault }) => isDefault) ?? list[0];
}

export function useAddresses(context: Context): Fetched<readonly AddressRow[]> {
  return useAccount(context, "addresses");
}

// The public accounts of a demo node, which it returns only to browsers on the same machine.

export interface DemoAccount {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

interface Facts {
  readonly demo: boolean;
  readonly accounts: readonly DemoAccount[];
}

/** Null if the node is not a demo, or until that is known. */
export function useDemo(context: Context): Facts | null {
  const { value } = useExchange<Facts>(context, "/terminal.json", { isStill: true });
  return value?.demo === true ? value : null;
}
