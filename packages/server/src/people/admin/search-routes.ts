/** The search route: finds accounts, keys, orders and transactions. docs/operate/console.md */
import type { AccountView, EngineView } from "@pricetime/engine";
import { z } from "zod";
import type { Found } from "../../history/port.ts";
import type { Timers } from "../../platform/world/port.ts";
import { ok } from "../http/answer.ts";
import { type AdminNode, fromHistory } from "./node.ts";
import { type AdminRoute, route } from "./router.ts";
import { type Hit, searchResult } from "./answers.ts";

const MAX_HITS = 100;
/** Minimum length of a searched part; shorter texts occur in nearly every name. */
const LEAST_PART = 3;
/** Maximum number of accounts whose email addresses and names are searched for a part. */
const MOST_NAMES = 20_000;
/** Number of accounts searched per turn of the event loop. */
const NAMES_A_TURN = 2000;

const searchSchema = z.strictObject({
  text: z.string().trim().min(1).max(256),
  limit: z.coerce.number().int().min(1).max(MAX_HITS).default(20),
});

/** Kinds of hits whose name in answers differs from their name in history. */
const KINDS: Partial<Record<Found["kind"], string>> = { unknownDeposit: "unattributedDeposit", act: "action" };

export function searchRoutes({ view, history, world }: AdminNode): AdminRoute[] {
  return [
    route({
      endpoint: "GET /v1/search",
      needs: "view",
      summary: "Searches for a number, name, email address, API key, order ID, transaction or address.",
      answers:
        "`hits` have a kind, an ID and the account; hits in the current state are listed first. `isCut`: there are more. Parts " +
        "of email addresses and names are searched in the first 20,000 accounts, transactions and addresses in the newest " +
        "100,000 deposits, withdrawals and unattributed deposits; everything else is found regardless of age.",
      answer: searchResult,
      query: searchSchema,
      handle: async ({ query: { text, limit } }) => {
        // Searches for one hit above the limit, to find out whether there are more.
        const present: Hit[] = [];
        for await (const hit of hitsNow(view, text, { limit: limit + 1, timers: world })) present.push(hit);
        const past = await fromHistory(history.query(view.seq, "find", { text, limit: limit + 1 }));
        const hits = [
          ...present,
          ...past.map((found) => withMail(view, { ...found, kind: KINDS[found.kind] ?? found.kind })),
        ];
        return ok({ text, hits: hits.slice(0, limit), isCut: hits.length > limit });
      },
    }),
  ];
}

function withMail(view: EngineView, found: Omit<Hit, "email">): Hit {
  const account = found.accountId === null ? undefined : view.account(found.accountId);
  return { ...found, email: account?.email ?? null };
}

interface Looking {
  readonly limit: number;
  readonly timers: Pick<Timers, "soon">;
}

/** Searches the current state. */
async function* hitsNow(view: EngineView, text: string, looking: Looking): AsyncGenerator<Hit> {
  const key = view.apiKey(text);
  if (key !== undefined) {
    const { apiKey: id, accountId, label, createdMs: timeMs } = key;
    yield withMail(view, { kind: "apiKey", id, accountId, label, timeMs });
  }
  yield* namedAccounts(view, text, looking);
  yield* listed(view, text);
  for (const { network } of networksOf(view)) {
    const accountId = view.funds.addressOwner(network, text, "");
    if (accountId === undefined) continue;
    yield withMail(view, {
      kind: "depositAddress",
      id: text,
      accountId,
      label: `deposit address on ${network}`,
      network,
    });
  }
  yield* inAddressBooks(view, text, looking);
}

async function* inAddressBooks(view: EngineView, text: string, { limit, timers }: Looking): AsyncGenerator<Hit> {
  let [seen, found] = [0, 0];
  for (const accountId of view.funds.accountsWithAddresses()) {
    if (++seen % NAMES_A_TURN === 0) await new Promise<void>((resolve) => timers.soon(resolve));
    for (const { network, address, name } of view.funds.allowedAddresses(accountId)) {
      if (address !== text) continue;
      const label = `in the address book on ${network}${name === "" ? "" : `: ${name}`}`;
      yield withMail(view, { kind: "bookAddress", id: text, accountId, label, network });
      if (++found === limit) return;
    }
  }
}

async function* namedAccounts(view: EngineView, text: string, { limit, timers }: Looking): AsyncGenerator<Hit> {
  const exact = /^[0-9]{1,15}$/.test(text) ? view.account(Number(text)) : view.accountByEmail(text);
  if (exact !== undefined) yield accountHit(exact);
  if (text.length < LEAST_PART) return;
  const part = text.toLowerCase();
  let [seen, found] = [0, 0];
  for (const account of view.accounts()) {
    if (++seen > MOST_NAMES || found === limit) return;
    if (seen % NAMES_A_TURN === 0) await new Promise<void>((resolve) => timers.soon(resolve));
    const { accountId, email, name } = account;
    if (accountId === exact?.accountId) continue;
    if (!email.toLowerCase().includes(part) && !name.toLowerCase().includes(part)) continue;
    found++;
    yield accountHit(account);
  }
}

function accountHit({ accountId, email, name, createdMs }: AccountView): Hit {
  return { kind: "account", id: String(accountId), accountId, email, label: name, timeMs: createdMs };
}

function* listed(view: EngineView, text: string): Generator<Hit> {
  const wanted = text.toUpperCase();
  const nobody = { accountId: null, email: null } as const;
  for (const { spec } of view.assets()) {
    if (spec.asset.toUpperCase() !== wanted) continue;
    yield { kind: "asset", id: spec.asset, ...nobody, label: spec.name, asset: spec.asset };
  }
  for (const { spec } of view.markets()) {
    if (spec.symbol.toUpperCase() !== wanted) continue;
    const label = `${spec.baseAsset} in ${spec.quoteAsset}`;
    yield { kind: "symbol", id: spec.symbol, ...nobody, label, symbol: spec.symbol, status: spec.status };
  }
}

/** All networks, without duplicates. */
function networksOf(view: EngineView): readonly { readonly network: string }[] {
  const networks = view.assets().flatMap(({ spec }) => spec.networks);
  return [...new Map(networks.map((one) => [one.network, one])).values()];
}
