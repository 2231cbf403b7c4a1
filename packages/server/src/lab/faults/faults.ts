/**
 * All faults of a lab: their list, the ports through which they apply, and their routes in the admin API.
 * docs/guides/lab-faults.md
 */
import { created, ok, Rejection } from "../../people/http/answer.ts";
import type { CoinFaults, SandboxControl, Wallet, WalletControls } from "../../funds/wallet/port.ts";
import { availableNames } from "../../people/admin/parse.ts";
import { type Act, faultSchema } from "./fault.ts";
import { FaultBook, type Performer } from "./fault-book.ts";
import { accountNamed } from "./targets.ts";
import { type FaultsState, type ListedFault, SAVED_FAULTS, type Struck } from "./rule.ts";
import type { EngineView, Entry, Event } from "@pricetime/engine";
import type { Entrance } from "../../api/edge/request.ts";
import type { Follower } from "../../api/edge/send-queue.ts";
import type { StreamFaults } from "../../api/streams/port.ts";
import type { Dice, SavedValue, World } from "../../platform/world/port.ts";
import { SavedStateUnreadable } from "../../platform/world/saved-state.ts";
import type { LimitRule } from "../../api/edge/rate-limit-rules.ts";
import { FaultSink } from "./fault-sink.ts";
import { FaultyCoins } from "./faulty-coins.ts";
import { FaultyStreams } from "./faulty-streams.ts";
import type { Sequencer } from "../../journal/sequencer/port.ts";
import { type AdminRoute, labRoute } from "../../people/admin/router.ts";

// Performs faults that happen once: a reorg of a sandbox's chain, or an early expiry of a listen key.

function performer(parts: FaultyNode): Performer {
  return {
    check: (act) => {
      if (act.fault === "reorg") sandboxOf(act, parts);
      else accountNamed(parts.view, act.where.account);
    },
    perform: (act) => (act.fault === "reorg" ? reorg(act, parts) : expire(act, parts)),
  };
}

type Reorg = Extract<Act, { fault: "reorg" }>;

function reorg(act: Reorg, parts: FaultyNode): Omit<Struck, "atMs"> {
  const { network, sandbox } = sandboxOf(act, parts);
  const { height, hash } = sandbox.reorg(act.depth, act.fate);
  return { network, height, hash };
}

function sandboxOf({ where }: Reorg, { wallet }: FaultyNode): { network: string; sandbox: SandboxControl } {
  const network = where.network ?? onlySandbox(wallet());
  const sandbox = wallet().sandbox(network);
  if (sandbox === undefined) throw noSandbox(network, wallet());
  return { network, sandbox };
}

function sandboxes(wallet: Pick<Wallet, "networks">): string[] {
  return wallet
    .networks()
    .filter(({ kind }) => kind === "sandbox")
    .map(({ network }) => network);
}

function onlySandbox(wallet: Pick<Wallet, "networks">): string {
  const [first, ...others] = sandboxes(wallet);
  if (first !== undefined && others.length === 0) return first;
  throw new Rejection(400, "BAD_REQUEST", `where.network: is missing. ${availableNames("", sandboxes(wallet))}`);
}

function noSandbox(network: string, wallet: Pick<Wallet, "networks">): Rejection {
  const message = `There is no sandbox network ${network}. ${availableNames(network, sandboxes(wallet))}`;
  return new Rejection(400, "UNKNOWN_NETWORK", message);
}

function expire(
  { where }: Extract<Act, { fault: "listen-key-expires" }>,
  { view, sequencer }: FaultyNode,
): Omit<Struck, "atMs"> {
  const { accountId } = accountNamed(view, where.account);
  const listenKey = view.listenKeyOf(accountId, sequencer.nowMs());
  if (listenKey === undefined) {
    throw new Rejection(409, "NOT_POSSIBLE", `The account ${where.account} has no open listen key.`);
  }
  // If the owner closes the key first, the command is rejected, which is not an error.
  sequencer.submit({ type: "closeListenKey", accountId, listenKey }, () => {});
  return { account: accountId };
}

export interface FaultsParts extends FaultyNode {
  /** Time and timers of the lab. */
  readonly world: World;
  /** The limits of the node, of which replies speak. */
  readonly rules: readonly LimitRule[];
  /** The random source of faults. Default: the environment's random source. */
  readonly dice?: Dice;
}

export class Faults implements FaultPorts, Follower {
  readonly book: FaultBook;
  readonly streams: StreamFaults;
  readonly coins: CoinFaults;
  readonly #streams: FaultyStreams;
  readonly #coins: FaultyCoins;
  readonly #rules: readonly LimitRule[];

  constructor({ view, sequencer, wallet, world, dice = world, rules }: FaultsParts) {
    this.#rules = rules;
    this.book = new FaultBook({ view, world, dice, performer: performer({ view, sequencer, wallet }) });
    this.streams = this.#streams = new FaultyStreams(this.book);
    this.coins = this.#coins = new FaultyCoins({ book: this.book, sequencer, controls: wallet });
    const save = () => JSON.parse(JSON.stringify(this.book.state)) as SavedValue;
    const restored = world.saved.restore("faults", SAVED_FAULTS, save);
    if (restored !== undefined) goOn(this.book, restored);
  }

  /** Wraps the gateway, so that faults apply to requests first. */
  readonly entrance = (gateway: Entrance): Entrance => new FaultSink(this.book, gateway, this.#rules);

  /** Whether no fault is delaying a request or message. */
  get isIdle(): boolean {
    return this.book.delays.isEmpty && this.#streams.isIdle;
  }

  applied(entry: Entry, events: readonly Event[]): void {
    this.book.applied(entry, events);
    this.#coins.applied(entry, events);
  }

  end(): void {
    this.book.delays.end();
  }
}

function goOn(book: FaultBook, state: FaultsState): void {
  try {
    book.goOnFrom(state);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    throw new SavedStateUnreadable(`the checkpoint is damaged, or of another version: faults: ${error.message}`);
  }
}

/** The parts of the node that the faults affect. */
export interface FaultyNode {
  readonly view: EngineView;
  readonly sequencer: Pick<Sequencer, "submit" | "nowMs">;
  /** Returns the wallet. It is a function, because the wallet is created after the faults. */
  readonly wallet: () => Pick<Wallet, "networks"> & Pick<WalletControls, "sandbox">;
}

/** The ports through which faults apply. */
export interface FaultPorts {
  readonly streams: StreamFaults;
  readonly coins: CoinFaults;
  /** Called before the node drains. Delayed answers are sent immediately, and delayed requests are rejected. */
  end(): void;
}

export function faultRoutes({ book }: { readonly book: FaultBook }): AdminRoute[] {
  return [
    labRoute({
      endpoint: "POST /v1/lab/faults",
      summary: "Injects a fault into the requests, messages or deposits selected by `where`.",
      answers:
        "The `id` of the fault. 400 for an impossible fault, such as one with an endpoint, symbol, stream or network that does not exist; 404 for an unknown account; 409 if there are too many faults (TOO_MANY), or if an immediate fault is not possible now (NOT_POSSIBLE).",
      status: 201,
      body: faultSchema,
      handle: ({ body }) => created({ id: book.add(body) }),
    }),
    labRoute({
      endpoint: "GET /v1/lab/faults",
      summary: "Lists the faults in the order of creation, with what each has affected.",
      answers:
        "Each fault as requested; `armed`: its condition has occurred; `met`: the number of matching requests, messages or deposits; `struck`: the number of them that it affected; `strikes`: the first and the latest of these.",
      handle: () => ok(book.list().map(shown)),
    }),
    labRoute({
      endpoint: "DELETE /v1/lab/faults",
      summary: "Removes all faults. Items that are already delayed arrive when they are due.",
      answers: "`removed`: the number of faults removed.",
      handle: () => ok({ removed: book.clear() }),
    }),
    labRoute({
      endpoint: "DELETE /v1/lab/faults/:id",
      summary: "Removes a fault.",
      answers: "`removed`: 1. 404 (UNKNOWN_FAULT) if there is no fault with this id.",
      handle: ({ path: { id } }) => {
        if (!/^[1-9][0-9]{0,14}$/.test(id) || !book.remove(Number(id))) {
          throw new Rejection(404, "UNKNOWN_FAULT", `There is no fault ${id}.`);
        }
        return ok({ removed: 1 });
      },
    }),
  ];
}

function shown({ fault, id, ...rest }: ListedFault): object {
  return { id, ...fault, ...rest };
}
