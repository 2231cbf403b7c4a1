/** State that all account pages share, and the data that several of them request: assets, markets, addresses, demo accounts. */
import type { Query } from "../wire/world.ts";
import { type ReadonlySignal, type Signal, useSignal } from "@preact/signals";
import type { NoticeBoard } from "../pages/frame.tsx";
import type { Preferences } from "../preferences.ts";
import type { Place } from "./place.ts";
import type { Outcome } from "./proof-check.ts";
import type { AddressRow, Profile, Session, Steps } from "@pricetime/server/answers";
import type { Coin, CoinNetwork, ExchangeInfo, SymbolInfo } from "@pricetime/protocol";
import type { Wire } from "./client.ts";
import { useEffect, useRef } from "preact/hooks";
import { answerTo, type Fetched, poll, type LastFetched, NO_ANSWER } from "../pages/page-data.ts";
import { questionOf, refusalOf } from "../pages/request.ts";

export interface Context extends NoticeBoard {
  readonly wire: Wire;
  /** Null: nobody is signed in; undefined: not known yet. */
  readonly session: Signal<Session | null | undefined>;
  /** Null until it is loaded. */
  readonly profile: Signal<Profile | null>;
  /** Why the session ended; "" if there is nothing to show. */
  readonly signOutReason: Signal<string>;
  readonly place: ReadonlySignal<Place>;
  readonly preferences: Preferences;
  /** Counts completed actions and stream events: pages request their data again when it grows. */
  readonly done: Signal<number>;
  readonly nowMs: ReadonlySignal<number>;
  /** The result of verifying the account's part of the proof of liabilities; null while it is verified. */
  readonly proof: Signal<Outcome | null>;
  /** Verifies it again. Never rejects. */
  checkProof(): Promise<void>;
  /** Loads the session after a sign-in. Never rejects. */
  enter(): Promise<void>;
  /** Signs out. Never rejects. */
  leave(): Promise<void>;
}

// Data of a page is requested when the page is opened, after each action, and when an event of the account's stream arrives.

interface Options {
  /** Absent: only after an action or event. */
  readonly everyMs?: number;
  /** Not requested again after actions and events, because the request is expensive or the data never changes. */
  readonly isStill?: boolean;
}

/**
 * `of` identifies the requested data, so that a response to another request is not shown; null: nothing is requested.
 */
export function useFetched<Value>(
  context: Context,
  of: string | null,
  ask: (wire: Wire) => Promise<Value>,
  { everyMs, isStill = false }: Options = {},
): Fetched<Value> {
  const state = useSignal<LastFetched<Value>>(NO_ANSWER);
  const done = isStill ? 0 : context.done.value;
  // Each rendering passes a new function that requests the same data.
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

/** The answer of the account API to a GET request; `path` as for `Wire`. */
export function useAccount<Value>(
  context: Context,
  path: string,
  { query = {}, ...options }: RequestOptions = {},
): Fetched<Value> {
  const ask = (wire: Wire): Promise<Value> => wire.account<Value>("GET", path, { query });
  return useFetched(context, path + questionOf(query), ask, options);
}

/** The answer of the exchange API; with `path` null, nothing is requested. */
export function useExchange<Value>(
  context: Context,
  path: string | null,
  { query = {}, ...options }: RequestOptions = {},
): Fetched<Value> {
  const ask = (wire: Wire): Promise<Value> => wire.exchange<Value>("GET", path ?? "", query);
  return useFetched(context, path === null ? null : path + questionOf(query), ask, options);
}

/** Shows that an action was carried out, and makes the pages request their data again. */
export function notifyDone({ notify, done }: Pick<Context, "notify" | "done">, text: string): void {
  notify("good", text);
  done.value++;
}

/** `good` is the notice shown on success. */
export function useAction(context: Context): (good: string, run: () => Promise<unknown>) => void {
  // Never rejects.
  const runAction = async (good: string, run: () => Promise<unknown>): Promise<void> => {
    try {
      await run();
      context.notify("good", good);
    } catch (error) {
      context.notify("bad", refusalOf(error));
    }
    context.done.value++;
  };
  return (good, run) => void runAction(good, run);
}

// The venue's assets with the account's balances, and the selection of one.

export function useCoins(context: Context): Fetched<readonly Coin[]> {
  return useExchange(context, "/sapi/v1/capital/config/getall");
}

export function useSymbols(context: Context): Fetched<readonly SymbolInfo[]> {
  const { value, denied } = useExchange<ExchangeInfo>(context, "/api/v3/exchangeInfo", { isStill: true });
  return { value: value?.symbols ?? null, denied };
}

/** The amount step of deposits or withdrawals on a network; undefined if the network has none of its own. */
export type StepOf = (way: "depositStep" | "withdrawStep", coin: string, network: string) => string | undefined;

export function useSteps(context: Context): StepOf {
  const { value } = useAccount<readonly Steps[]>(context, "steps", { isStill: true });
  return (way, coin, network) => value?.find((one) => one.asset === coin && one.network === network)?.[way];
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

/** The selected network, or the default one, or any. */
export function networkOf(coin: Coin | undefined, chosen: string): CoinNetwork | undefined {
  const list = coin?.networkList ?? [];
  return list.find(({ network }) => network === chosen) ?? list.find(({ isDefault }) => isDefault) ?? list[0];
}

export function useAddresses(context: Context): Fetched<readonly AddressRow[]> {
  return useAccount(context, "addresses");
}

// A demo node returns its public accounts, but only to browsers on the same machine.

export interface DemoAccount {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

interface Facts {
  readonly demo: boolean;
  readonly accounts: readonly DemoAccount[];
}

/** Null if the node is no demo, or until it is known. */
export function useDemo(context: Context): Facts | null {
  const { value } = useExchange<Facts>(context, "/terminal.json", { isStill: true });
  return value?.demo === true ? value : null;
}
